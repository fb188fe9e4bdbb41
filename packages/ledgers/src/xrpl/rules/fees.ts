/** The fees of a ledger, in drops. */
export interface RippledFees {
  /** the least fee of every transaction */
  readonly base: bigint;
  /**
   * the fee that takes a transaction into the open ledger at once; one that pays less, and the base fee at
   * least, waits in the queue
   */
  readonly openLedger: bigint;
  /** the reserve of an account */
  readonly reserveBase: bigint;
  /** the further reserve for each object that it owns */
  readonly reserveIncrement: bigint;
}

/** As on the main network since December 2024. */
export const USUAL_FEES: RippledFees = {
  base: 10n,
  openLedger: 10n,
  reserveBase: 1_000_000n,
  reserveIncrement: 200_000n,
};

/** The reserve of an account that owns so many objects. */
export const rippledReserveOf = ({ reserveBase, reserveIncrement }: RippledFees, owned: number): bigint =>
  reserveBase + reserveIncrement * BigInt(owned);

/** The fee that takes a transaction into the open ledger at once: never less than the base fee. */
export const openLedgerCost = ({ base, openLedger }: RippledFees): bigint => {
  if (openLedger > base) return openLedger;
  return base;
};

/** All drops that there ever were: no amount can be higher. */
export const RIPPLED_TOTAL_DROPS = 100_000_000_000_000_000n;

export const isLegalAmount = (drops: bigint): boolean =>
  drops <= RIPPLED_TOTAL_DROPS && drops >= -RIPPLED_TOTAL_DROPS;
