import type { ChainHead, OwnBlock } from "@conclave/chains";

/**
 * Number of blocks that are kept; on most chains they include the final block. Where the final block lies deeper, as on
 * EVM networks with several blocks a second, settled requests in older blocks are checked in turns until their block is
 * final.
 */
export const VIEW_BLOCKS = 512;

/** A chain's last blocks as they were read: each except the first names the one before it as its parent. Empty at first. */
export type ChainView = readonly OwnBlock[];

/**
 * Adds a block to a view.
 * @param block of the height after the view's last one; any height if the view is empty
 * @returns the view with the block; if the block names another parent, the view without its last block, which was
 * reorganised away
 */
export const withBlock = (view: ChainView, block: OwnBlock): ChainView => {
  const last = view.at(-1);
  return last === undefined || last.hash === block.parentHash
    ? [...view, block].slice(-VIEW_BLOCKS)
    : view.slice(0, -1);
};

/**
 * The blocks of a view that count once the chain shows its head: blocks above the head are not on the chain, nor is
 * another block at the head's height.
 */
export const upToHead = (view: ChainView, { height, hash }: Pick<ChainHead, "height" | "hash">): ChainView =>
  view.filter((block) => block.height < height || (block.height === height && block.hash === hash));

/** The block at a height, if it was read. */
export const blockIn = (view: ChainView, height: bigint): OwnBlock | undefined => {
  const first = view.at(0);
  return first === undefined || height < first.height ? undefined : view[Number(height - first.height)];
};

/** For each transaction in a view, its block. */
export const placesIn = (view: ChainView): ReadonlyMap<string, OwnBlock> =>
  new Map(view.flatMap((block) => block.holds.map((txHash) => [txHash, block] as const)));
