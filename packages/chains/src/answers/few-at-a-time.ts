import { ok, type Result } from "@conclave/custody";

/** Simultaneous calls to a node: bitcoind has four threads for them. */
const CALLS_AT_ONCE = 4;

/**
 * Does the work for each item, in batches.
 * @param atOnce size of the first batch
 * @param atOnceMost the batch size doubles after each batch that succeeds, up to this
 * @returns the first failure, or all values in the order of the items
 */
export const fewAtATime = async <T, U>(
  items: readonly T[],
  work: (item: T) => Promise<Result<U>>,
  atOnce: number = CALLS_AT_ONCE,
  atOnceMost: number = atOnce,
): Promise<Result<readonly U[]>> => {
  const values: U[] = [];
  for (let count = atOnce; values.length < items.length; count = Math.min(2 * count, atOnceMost)) {
    const from = values.length;
    const results = await Promise.all(items.slice(from, from + count).map(work));
    for (const result of results) {
      if (!result.ok) return result;
      values.push(result.value);
    }
  }
  return ok(values);
};
