/** The parameters that committee proposals can change, as far as this ledger charges them; all in sun. */
export interface JavaTronPrices {
  /** for each byte that no bandwidth is there for */
  readonly transactionFee: bigint;
  readonly energyFee: bigint;
  /** in place of bandwidth, for a transaction that makes an account */
  readonly createAccountFee: bigint;
  /** for the account itself */
  readonly createNewAccountFee: bigint;
  readonly memoFee: bigint;
  readonly assetIssueFee: bigint;
  /** the greatest fee limit of a transaction */
  readonly maxFeeLimit: bigint;
  /** bytes a day that every account has for nothing */
  readonly freeNetLimit: bigint;
}

/** The main network's, in November 2026. */
export const JAVA_TRON_PRICES: JavaTronPrices = {
  transactionFee: 1_000n,
  energyFee: 100n,
  createAccountFee: 100_000n,
  createNewAccountFee: 1_000_000n,
  memoFee: 1_000_000n,
  assetIssueFee: 1_024_000_000n,
  maxFeeLimit: 15_000_000_000n,
  freeNetLimit: 600n,
};

/** A day's bandwidth and energy of the whole chain; nobody has staked for any. */
export const TOTAL_NET_LIMIT = 43_200_000_000n;
export const TOTAL_ENERGY_LIMIT = 180_000_000_000n;
