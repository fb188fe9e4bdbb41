import type { ChainHead, ChainNode } from "@conclave/chains";
import { type Problem, problem } from "@conclave/custody";
import { type ChainView, upToHead, withBlock } from "./chain-view.ts";

/**
 * Blocks that are read in a round, and as many again where some were undone. A reader that is further behind begins
 * again near the head.
 */
const BLOCKS_A_ROUND = 64n;
/** Distance below the head at which reading begins. */
const BEGIN_BLOCKS = 8n;

export interface BlocksRead {
  readonly view: ChainView;
  /** a block that the node does not show, and the reason; until it does, transactions in it are queried one by one */
  readonly unread: { readonly height: bigint; readonly problem: Problem } | undefined;
}

/**
 * Reads the blocks up to a head. If a block names another parent than was read, that parent was undone: it is read
 * again, and so are those below it, down to a common block of both branches.
 * @param ours hashes to look for: of all requests that may have landed in a block up to the head
 */
export const readBlocks = async (
  node: Pick<ChainNode, "block">,
  before: ChainView,
  head: ChainHead,
  ours: ReadonlySet<string>,
): Promise<BlocksRead> => {
  const kept = upToHead(before, head);
  const last = kept.at(-1);
  const isClose = last !== undefined && head.height - last.height <= BLOCKS_A_ROUND;
  let view = isClose ? kept : [];
  let undone = view.length + Number(BEGIN_BLOCKS);
  const begin = view.at(0)?.height ?? (head.height > BEGIN_BLOCKS ? head.height - BEGIN_BLOCKS : 0n);
  for (let reads = 0n; reads < 2n * BLOCKS_A_ROUND; reads += 1n) {
    const height = nextOf(view) ?? begin;
    if (height > head.height) break;
    const block = await node.block(height, ours);
    if (!block.ok) return { view, unread: { height, problem: block.problem } };
    if (block.value === undefined) break;
    const next = withBlock(view, block.value);
    if (next.length < view.length) undone -= 1;
    view = next;
    // only blocks that were read before can be undone
    if (undone < 0) return { view, unread: { height, problem: unlinked(head) } };
  }
  return { view, unread: undefined };
};

const unlinked = ({ height }: ChainHead): Problem =>
  problem("ServiceUnavailable", {}, `the blocks up to ${height} do not name one another as parents`);

const nextOf = (view: ChainView): bigint | undefined => {
  const last = view.at(-1);
  return last === undefined ? undefined : last.height + 1n;
};
