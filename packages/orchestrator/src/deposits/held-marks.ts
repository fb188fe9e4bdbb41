import type { ChainNode, OwnBlock } from "@conclave/chains";
import type { ReadMark, ReadPlace } from "@conclave/platform";
import { isSaidAgain } from "./is-said-again.ts";

/** A node's answer about the block at a height that was read: the same block, another, none, or unclear. */
type Holds = "it" | "another" | "nothing" | "unclear";

const holdsNow = async (node: Pick<ChainNode, "block">, { height, hash }: ReadMark): Promise<Holds> => {
  const found = await node.block(height, new Set());
  if (!found.ok) return "unclear";
  if (found.value === undefined) return "nothing";
  return found.value.hash === hash ? "it" : "another";
};

/**
 * Compares the node's block with the one that was read. One of several nodes behind an address may lag or be on another
 * branch, so "another" counts only if each of several answers agrees.
 */
export const holds = async (node: Pick<ChainNode, "block">, mark: ReadMark): Promise<Holds> => {
  const held = await holdsNow(node, mark);
  if (held !== "another") return held;
  return (await isSaidAgain(async () => (await holdsNow(node, mark)) === "another")) ? held : "unclear";
};

/**
 * Compares a block to which reading may go back. One of several nodes may be on another branch, and have a block that
 * the chain does not have any more. So "it" counts only if all of several answers agree; otherwise reading goes further
 * back, which only costs time.
 */
export const holdsEachTime = async (node: Pick<ChainNode, "block">, mark: ReadMark): Promise<Holds> => {
  const held = await holdsNow(node, mark);
  if (held !== "it") return held;
  return (await isSaidAgain(async () => (await holdsNow(node, mark)) === "it")) ? held : "another";
};

/**
 * Whether a block continues the last one that was read. One of several nodes may still have that one, while another
 * shows the next block of another branch. If the chain's blocks do not name their parents, the last block is queried
 * several times instead.
 * @param next the next block, as the node shows it
 */
export const isFollowedBy = async (
  node: Pick<ChainNode, "block">,
  { height, marks: [last] }: ReadPlace,
  next: OwnBlock | undefined,
): Promise<boolean> => {
  if (last === undefined || last.height !== height || next === undefined) return true;
  return next.parentHash === last.hash || (await holdsEachTime(node, last)) === "it";
};
