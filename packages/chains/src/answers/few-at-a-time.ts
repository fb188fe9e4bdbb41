import { ok, type Result } from "@conclave/custody";

/** Calls that a node gets at once: bitcoind has four threads for them. */
const CALLS_AT_ONCE = 4;

/**
 * Does something for each, a few at a time.
 * @returns the first failure, or all values in the order of the items
 */
export const fewAtATime = async <T, U>(
  items: readonly T[],
  work: (item: T) => Promise<Result<U>>,
  atOnce: number = CALLS_AT_ONCE,
): Promise<Result<readonly U[]>> => {
  const values: U[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const results = await Promise.all(items.slice(from, from + atOnce).map(work));
    for (const result of results) {
      if (!result.ok) return result;
      values.push(result.value);
    }
  }
  return ok(values);
};
