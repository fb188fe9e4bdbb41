import type { ChainNode, OwnBlock } from "@conclave/chains";
import type { ReadMark, ReadPlace } from "@conclave/platform";
import { isSaidAgain } from "./is-said-again.ts";

/** A node's word on the place where a block was read. */
type Holds = "it" | "another" | "nothing" | "unclear";

const holdsNow = async (node: Pick<ChainNode, "block">, { height, hash }: ReadMark): Promise<Holds> => {
  const found = await node.block(height, new Set());
  if (!found.ok) return "unclear";
  if (found.value === undefined) return "nothing";
  return found.value.hash === hash ? "it" : "another";
};

/** One of several nodes that answer may lag, or be on another branch: a block of the chain itself is named each time. */
export const holds = async (node: Pick<ChainNode, "block">, mark: ReadMark): Promise<Holds> => {
  const held = await holdsNow(node, mark);
  if (held !== "another") return held;
  return (await isSaidAgain(async () => (await holdsNow(node, mark)) === "another")) ? held : "unclear";
};

/**
 * Whether reading may go back to a block. One node of several may be on another branch, and hold a block that the chain holds no more. A
 * word that it alone gives sends reading further back, which costs nothing but time.
 */
export const holdsEachTime = async (node: Pick<ChainNode, "block">, mark: ReadMark): Promise<Holds> => {
  const held = await holdsNow(node, mark);
  if (held !== "it") return held;
  return (await isSaidAgain(async () => (await holdsNow(node, mark)) === "it")) ? held : "another";
};

/**
 * Whether a block follows the last one that was read. One node of several may hold that one still, and another one tell the next block, of
 * another branch. A chain whose blocks name their parents in another way is asked for the last one again and again.
 * @param next the one behind the place, as the node has it
 */
export const isFollowedBy = async (
  node: Pick<ChainNode, "block">,
  { height, marks: [last] }: ReadPlace,
  next: OwnBlock | undefined,
): Promise<boolean> => {
  if (last === undefined || last.height !== height || next === undefined) return true;
  return next.parentHash === last.hash || (await holdsEachTime(node, last)) === "it";
};
