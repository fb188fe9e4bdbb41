import type { ChainNode } from "@conclave/chains";
import type { ReadMark } from "@conclave/platform";
import { withMark } from "./read-marks.ts";

/** The last block that a round may read, as the chain had it before the round: its hash identifies all blocks up to it. */
export interface RoundEnd {
  readonly height: bigint;
  /** undefined where the node had no such block */
  readonly hash: string | undefined;
}

/** @returns undefined where the node does not answer */
export const roundEndAt = async (
  node: Pick<ChainNode, "block">,
  height: bigint,
): Promise<RoundEnd | undefined> => {
  const found = await node.block(height, new Set());
  return found.ok ? { height, hash: found.value?.hash } : undefined;
};

/**
 * Marks a block that was read, by the hash that the node shows now.
 * @param marks the newest first
 * @param end of the round in which it was read; absent where nothing was read
 * @returns the unchanged marks where the node has forgotten the block; undefined where it does not answer, and where
 * the round now has another end: the chain may have been rewritten meanwhile, and the hash may be of another block than
 * the one that was read
 */
export const markRead = async (
  node: Pick<ChainNode, "block">,
  marks: readonly ReadMark[],
  height: bigint,
  end?: RoundEnd,
): Promise<readonly ReadMark[] | undefined> => {
  const read = await roundEndAt(node, height);
  const now = end === undefined || end.height === height ? read : await roundEndAt(node, end.height);
  if (read === undefined || now === undefined) return undefined;
  if (end?.hash !== undefined && now.hash !== undefined && now.hash !== end.hash) return undefined;
  return read.hash === undefined ? marks : withMark(marks, { height, hash: read.hash });
};
