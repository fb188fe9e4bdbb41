import type { ChainNode } from "@conclave/chains";
import { ok, type Result } from "@conclave/custody";
import { isSaidAgain } from "./is-said-again.ts";

/**
 * Finds the first block of which a node still tells what it brought. Nodes forget from the oldest on, and what blocks did before the
 * blocks themselves: of some old ones, as those without calls, they may tell yet. So the steps begin small.
 * @param absent a height of which the node tells nothing
 * @param present a higher one, of which it must tell
 * @returns undefined when it tells nothing of that one either; ServiceUnavailable when it does not answer
 */
export const firstKnownBlock = async (
  arrivals: NonNullable<ChainNode["arrivals"]>,
  absent: bigint,
  present: bigint,
): Promise<Result<bigint | undefined>> => {
  const isToldNow = async (height: bigint): Promise<Result<boolean>> => {
    const found = await arrivals(height, async () => new Set());
    if (found.ok) return ok(found.value !== undefined);
    // nobody forgets a block that is too large
    return found.problem.code === "BlockTooLarge" ? ok(true) : found;
  };
  const isTold = async (height: bigint): Promise<Result<boolean>> => {
    const told = await isToldNow(height);
    if (!told.ok || told.value) return told;
    // one node of several may have forgotten what the others have
    const isAbsent = await isSaidAgain(async () => {
      const again = await isToldNow(height);
      return again.ok && !again.value;
    });
    return ok(!isAbsent);
  };
  const last = await isTold(present);
  if (!last.ok) return last;
  if (!last.value) return ok(undefined);
  let [low, high, step] = [absent, present, 1n];
  while (low + step < high) {
    const found = await isTold(low + step);
    if (!found.ok) return found;
    if (found.value) high = low + step;
    else [low, step] = [low + step, 2n * step];
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    const found = await isTold(middle);
    if (!found.ok) return found;
    if (found.value) high = middle;
    else low = middle;
  }
  return ok(high);
};
