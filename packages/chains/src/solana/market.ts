import type { Priority, SolanaFeeLevels } from "@conclave/custody";

/** How fast a transaction shall land: which part of the last slots' prices it bids, and no less than this, micro-lamports a unit. */
const LEVELS: Readonly<Record<Priority, { readonly percentile: number; readonly floor: bigint }>> = {
  Slow: { percentile: 25, floor: 1_000n },
  Standard: { percentile: 50, floor: 10_000n },
  Fast: { percentile: 75, floor: 100_000n },
};

/**
 * The price of a priority. A node tells of each of the last slots the least that was paid there to change some account; many are
 * zero, which is why there is a floor.
 * @param paid micro-lamports a compute unit, one of each slot, in any order
 */
export const computePriceOf = (priority: Priority, paid: readonly bigint[]): bigint => {
  const { percentile, floor } = LEVELS[priority];
  const sorted = paid.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const price = sorted[Math.floor(((sorted.length - 1) * percentile) / 100)] ?? 0n;
  return price > floor ? price : floor;
};

/** @param slot the last one */
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
