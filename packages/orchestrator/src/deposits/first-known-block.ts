import type { ChainNode } from "@conclave/chains";
import { ok, type Result } from "@conclave/custody";

/**
 * Finds the first block of which a node still tells what it brought. Nodes forget from the oldest on, and what blocks did before the
 * blocks themselves.
 * @param absent a height of which the node tells nothing
 * @param present a higher one, of which it must tell
 * @returns undefined when it tells nothing of that one either; ServiceUnavailable when it does not answer
 */
export const firstKnownBlock = async (
  arrivals: NonNullable<ChainNode["arrivals"]>,
  absent: bigint,
  present: bigint,
): Promise<Result<bigint | undefined>> => {
  const isTold = async (height: bigint): Promise<Result<boolean>> => {
    const found = await arrivals(height, async () => new Set());
    if (found.ok) return ok(found.value !== undefined);
    // nobody forgets a block that is too large
    return found.problem.code === "BlockTooLarge" ? ok(true) : found;
  };
  let [low, high] = [absent, present];
  const last = await isTold(high);
  if (!last.ok) return last;
  if (!last.value) return ok(undefined);
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    const found = await isTold(middle);
    if (!found.ok) return found;
    if (found.value) high = middle;
    else low = middle;
  }
  return ok(high);
};
