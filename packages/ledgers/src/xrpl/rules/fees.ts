/** The fees and reserves of a ledger, in drops. */
export interface RippledFees {
  /** the minimum fee of every transaction */
  readonly base: bigint;
  /**
   * the fee at which a transaction goes into the open ledger at once; with less, but at least the base fee, it waits in
   * the queue
   */
  readonly openLedger: bigint;
  /** the reserve of an account */
  readonly reserveBase: bigint;
  /** the additional reserve for each object that an account owns */
  readonly reserveIncrement: bigint;
}

/** Those of the main network since December 2024. */
export const USUAL_FEES: RippledFees = {
  base: 10n,
  openLedger: 10n,
  reserveBase: 1_000_000n,
  reserveIncrement: 200_000n,
};

/** The reserve of an account with this many objects. */
export const rippledReserveOf = ({ reserveBase, reserveIncrement }: RippledFees, owned: number): bigint =>
  reserveBase + reserveIncrement * BigInt(owned);

/** The fee at which a transaction goes into the open ledger at once; never below the base fee. */
export const openLedgerCost = ({ base, openLedger }: RippledFees): bigint => {
  if (openLedger > base) return openLedger;
  return base;
};

/** The initial supply in drops, an upper bound for amounts. */
export const RIPPLED_TOTAL_DROPS = 100_000_000_000_000_000n;

export const isLegalAmount = (drops: bigint): boolean =>
  drops <= RIPPLED_TOTAL_DROPS && drops >= -RIPPLED_TOTAL_DROPS;
