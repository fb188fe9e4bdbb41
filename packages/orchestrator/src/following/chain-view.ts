import type { ChainHead, OwnBlock } from "@conclave/chains";

/**
 * As many blocks are kept. Most chains have their final block among them. Where it lies deeper, as on EVM networks that make several
 * blocks a second, requests that were settled below have their turns until it is final.
 */
export const VIEW_BLOCKS = 512;

/** A chain's last blocks, as they were read: each but the first names the one before it as its parent. Empty at first. */
export type ChainView = readonly OwnBlock[];

/**
 * Adds a block to a view.
 * @param block of the height after the view's last one; any, where the view is empty
 * @returns the view without its last block, and without this one, where it names another parent: what was read there is undone
 */
export const withBlock = (view: ChainView, block: OwnBlock): ChainView => {
  const last = view.at(-1);
  return last === undefined || last.hash === block.parentHash
    ? [...view, block].slice(-VIEW_BLOCKS)
    : view.slice(0, -1);
};

/**
 * The blocks of a view that count once the chain shows its head: a block above it is not on the chain, nor is another block in the head's
 * own place.
 */
export const upToHead = (view: ChainView, { height, hash }: Pick<ChainHead, "height" | "hash">): ChainView =>
  view.filter((block) => block.height < height || (block.height === height && block.hash === hash));

/** The block of a height, where it was read. */
export const blockIn = (view: ChainView, height: bigint): OwnBlock | undefined => {
  const first = view.at(0);
  return first === undefined || height < first.height ? undefined : view[Number(height - first.height)];
};

/** In which of its blocks a view holds transactions. */
export const placesIn = (view: ChainView): ReadonlyMap<string, OwnBlock> =>
  new Map(view.flatMap((block) => block.holds.map((txHash) => [txHash, block] as const)));
