/** The committee's parameters that this ledger charges by, in sun unless noted. */
export interface JavaTronPrices {
  /** per byte that bandwidth does not cover */
  readonly transactionFee: bigint;
  readonly energyFee: bigint;
  /** replaces bandwidth for a transaction that creates an account */
  readonly createAccountFee: bigint;
  /** for the creation of the account itself */
  readonly createNewAccountFee: bigint;
  readonly memoFee: bigint;
  readonly assetIssueFee: bigint;
  /** maximum fee limit of a transaction */
  readonly maxFeeLimit: bigint;
  /** free bytes per account and day */
  readonly freeNetLimit: bigint;
}

/** Those of the main network in November 2026. */
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

/** The chain's bandwidth and energy per day, for stakers; nobody stakes here. */
export const TOTAL_NET_LIMIT = 43_200_000_000n;
export const TOTAL_ENERGY_LIMIT = 180_000_000_000n;
