import type { ChainNode } from "@conclave/chains";
import { ok, type Result } from "@conclave/custody";

/**
 * Finds the first block that a node has. Nodes forget from the oldest on.
 * @param absent a height of which the node has no block
 * @param present a higher one, of which it must have one
 * @returns undefined when it has none there either; ServiceUnavailable when it does not answer
 */
export const firstKnownBlock = async (
  node: Pick<ChainNode, "block">,
  absent: bigint,
  present: bigint,
): Promise<Result<bigint | undefined>> => {
  let [low, high] = [absent, present];
  const last = await node.block(high, new Set());
  if (!last.ok) return last;
  if (last.value === undefined) return ok(undefined);
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    const found = await node.block(middle, new Set());
    if (!found.ok) return found;
    if (found.value === undefined) low = middle;
    else high = middle;
  }
  return ok(high);
};
