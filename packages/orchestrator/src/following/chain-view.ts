import type { ChainHead, OwnBlock } from "@conclave/chains";

/** As many blocks are kept: on every chain that has a final block at all, it lies less deep most of the time. */
export const VIEW_BLOCKS = 512;

/** What was read of a chain's end: blocks that name one another as parents, the last one at the end. Nothing at first. */
export type ChainView = readonly OwnBlock[];

/**
 * A block behind the last one of a view.
 * @param block of the height after the last one, where there is one
 * @returns without the last one, where the block names another parent: what was read there is undone
 */
export const withBlock = (view: ChainView, block: OwnBlock): ChainView => {
  const last = view.at(-1);
  return last === undefined || last.hash === block.parentHash
    ? [...view, block].slice(-VIEW_BLOCKS)
    : view.slice(0, -1);
};

/**
 * What a view is worth once the chain shows its head: what lies above it is not on the chain, nor is a block in the head's own place
 * that is another one.
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
