import { type BitcoindFeeRate, feeRateOf } from "../fee-rate.ts";
import type { BitcoindMempool, MempoolEntry } from "./mempool.ts";
import { ancestorsOf, sizeOfEntries } from "./relatives.ts";

/** The maximum weight of a block without its header and coinbase. */
const MOST_WEIGHT = 3_992_000;

const packageRate = (mempool: BitcoindMempool, { transaction }: MempoolEntry): BitcoindFeeRate => {
  const { fee, virtualSize } = sizeOfEntries(mempool, [
    ...ancestorsOf(mempool, transaction),
    transaction.txid,
  ]);
  return feeRateOf(fee, virtualSize);
};

/**
 * A miner's selection for the next block, by the fee rate of each transaction together with its ancestors, so that a
 * child pays for its parent.
 * @param height of that block
 * @param minimum the lowest fee rate that is mined
 * @returns parents before children
 */
export const selectedForBlock = (
  mempool: BitcoindMempool,
  height: number,
  minimum: BitcoindFeeRate,
): readonly MempoolEntry[] => {
  const chosen = new Set<string>();
  let weight = 0;
  const ranked = [...mempool.entries.values()]
    .map((entry) => ({ entry, rate: packageRate(mempool, entry) }))
    .sort((one, other) => (one.rate < other.rate ? 1 : one.rate > other.rate ? -1 : 0));
  for (const { entry } of ranked) {
    const { txid } = entry.transaction;
    const needed = [...ancestorsOf(mempool, entry.transaction), txid].filter((each) => !chosen.has(each));
    const together = needed.flatMap((each) => mempool.entries.get(each) ?? []);
    if (together.length === 0 || together.some(({ notBefore }) => notBefore > height)) continue;
    const { fee, virtualSize } = sizeOfEntries(mempool, needed);
    const more = together.reduce((sum, { transaction }) => sum + transaction.weight, 0);
    if (feeRateOf(fee, virtualSize) < minimum || weight + more > MOST_WEIGHT) continue;
    for (const each of needed) chosen.add(each);
    weight += more;
  }
  return [...mempool.entries.values()].filter(({ transaction }) => chosen.has(transaction.txid));
};
