import type { Priority, SolanaFeeLevels } from "@conclave/custody";

/** For each priority, the percentile of recent slots' prices that it bids, and its minimum, micro-lamports a unit. */
const LEVELS: Readonly<Record<Priority, { readonly percentile: number; readonly floor: bigint }>> = {
  Slow: { percentile: 25, floor: 1_000n },
  Standard: { percentile: 50, floor: 10_000n },
  Fast: { percentile: 75, floor: 100_000n },
};

/**
 * The price of a priority. For each recent slot a node reports the lowest price paid by a transaction that changes given
 * accounts; many are zero, hence the minimum.
 * @param paid micro-lamports a compute unit, one of each slot, in any order
 */
export const computePriceOf = (priority: Priority, paid: readonly bigint[]): bigint => {
  const { percentile, floor } = LEVELS[priority];
  const sorted = paid.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const price = sorted[Math.floor(((sorted.length - 1) * percentile) / 100)] ?? 0n;
  return price > floor ? price : floor;
};

/** @param slot the latest slot */
export const solanaFeeLevels = (slot: bigint, paid: readonly bigint[]): SolanaFeeLevels => {
  const level = (priority: Priority) => ({ computeUnitPrice: computePriceOf(priority, paid).toString() });
  return {
    kind: "Solana",
    blockNumber: Number(slot),
    slow: level("Slow"),
    standard: level("Standard"),
    fast: level("Fast"),
  };
};
