import { type BucketMap, bucketValue, emptyBucketMap, withBucketChanges } from "../bucket-map.ts";
import { isUnspendable } from "../script/script-kind.ts";
import { type BitcoindSerialisedTransaction, outpointKey } from "../transaction/transaction.ts";
import type { BitcoindBlock } from "./block.ts";
import type { BitcoindCoin } from "./coin.ts";

/** The latest blocks, and again older ones that hold more than a reward: what is forgotten, no transaction can be asked of. */
const MOST_BLOCKS_KEPT = 10_000;
/** Blocks that were undone. */
const MOST_STALE_KEPT = 1_000;

export interface BitcoindChain {
  /** of the chain with the most work, the latest last */
  readonly blocks: readonly BitcoindBlock[];
  /** older ones: the first of all, and those with transactions, the oldest first */
  readonly archived: readonly BitcoindBlock[];
  /** by hash: those of the chain, and those that were undone */
  readonly known: BucketMap<BitcoindBlock>;
  /** hashes of blocks that were undone, the oldest first */
  readonly stale: readonly string[];
  /** hashes of blocks that an operator declared invalid */
  readonly invalid: readonly string[];
  /** after the latest block, by outpoint */
  readonly coins: BucketMap<BitcoindCoin>;
  /** the hash of the block that each transaction last stood in; as a node's index, it keeps what was undone */
  readonly transactions: BucketMap<string>;
}

/** The coins that a block makes: all outputs that can ever be spent. */
const coinsOf = (block: BitcoindBlock, timeBefore: number): readonly (readonly [string, BitcoindCoin])[] =>
  block.transactions.flatMap(({ txid, outputs }, at) =>
    outputs.flatMap((output, index): readonly (readonly [string, BitcoindCoin])[] => {
      if (isUnspendable(output.script)) return [];
      const isReward = at === 0 && block.height > 0;
      const coin = { ...output, height: block.height, isReward, timeBefore };
      return [[outpointKey({ txid, index }), coin]];
    }),
  );

const spentBy = (transactions: readonly BitcoindSerialisedTransaction[]): readonly string[] =>
  transactions.slice(1).flatMap(({ inputs }) => inputs.map(outpointKey));

export const latestBitcoindBlock = ({ blocks }: BitcoindChain): BitcoindBlock => {
  const block = blocks.at(-1);
  if (block === undefined) throw new RangeError("a chain has its first block");
  return block;
};

/** @returns undefined beyond the chain's end, and of forgotten blocks */
export const blockAtHeight = (
  { blocks, archived }: BitcoindChain,
  height: number,
): BitcoindBlock | undefined => {
  const first = blocks[0]?.height ?? 0;
  return height < first ? archived.find((block) => block.height === height) : blocks[height - first];
};

export const isInChain = (chain: BitcoindChain, block: BitcoindBlock): boolean =>
  blockAtHeight(chain, block.height)?.hash === block.hash;

/** Forgets a block and its transactions; its coins stay. */
const forgetting = (chain: BitcoindChain, block: BitcoindBlock): BitcoindChain => {
  const own = block.transactions.filter(({ txid }) => bucketValue(chain.transactions, txid) === block.hash);
  return {
    ...chain,
    known: withBucketChanges(chain.known, [[block.hash, undefined]]),
    transactions: withBucketChanges(
      chain.transactions,
      own.map(({ txid }) => [txid, undefined]),
    ),
  };
};

/** The chain within its bound. The first block of all stays for good: it tells which chain this is. */
const withoutOldest = (chain: BitcoindChain, most: number): BitcoindChain => {
  const [oldest] = chain.blocks;
  if (oldest === undefined || chain.blocks.length <= most) return chain;
  const shorter = { ...chain, blocks: chain.blocks.slice(1) };
  if (oldest.height > 0 && oldest.transactions.length === 1) return forgetting(shorter, oldest);
  const archived = [...chain.archived, oldest];
  const [first = oldest, second, ...others] = archived;
  return archived.length <= most || second === undefined
    ? { ...shorter, archived }
    : forgetting({ ...shorter, archived: [first, ...others] }, second);
};

/**
 * The chain with one more block, which has to be valid upon its latest.
 * @param most blocks that are kept, and again of the archived
 */
export const connectBlock = (
  chain: BitcoindChain,
  block: BitcoindBlock,
  most = MOST_BLOCKS_KEPT,
): BitcoindChain => {
  const timeBefore = chain.blocks.at(-1)?.medianTime ?? block.header.time;
  const spent = spentBy(block.transactions).map((key): readonly [string, undefined] => [key, undefined]);
  const longer = {
    ...chain,
    blocks: [...chain.blocks, block],
    known: withBucketChanges(chain.known, [[block.hash, block]]),
    stale: chain.stale.filter((hash) => hash !== block.hash),
    coins: withBucketChanges(chain.coins, [...coinsOf(block, timeBefore), ...spent]),
    transactions: withBucketChanges(
      chain.transactions,
      block.transactions.map(({ txid }) => [txid, block.hash]),
    ),
  };
  return withoutOldest(longer, most);
};

/** Forgets the block that was undone first, if there are too many. */
const withStale = (chain: BitcoindChain, hash: string): BitcoindChain => {
  const stale = [...chain.stale, hash];
  if (stale.length <= MOST_STALE_KEPT) return { ...chain, stale };
  const [forgotten = hash, ...kept] = stale;
  return { ...chain, stale: kept, known: withBucketChanges(chain.known, [[forgotten, undefined]]) };
};

/** The chain without its latest block. */
export const disconnectBlock = (chain: BitcoindChain): BitcoindChain => {
  const block = latestBitcoindBlock(chain);
  const made = coinsOf(block, 0).map(([key]): readonly [string, undefined] => [key, undefined]);
  const own = new Set(made.map(([key]) => key));
  const given = [...block.spent].filter(([key]) => !own.has(key));
  return withStale(
    {
      ...chain,
      blocks: chain.blocks.slice(0, -1),
      coins: withBucketChanges(chain.coins, [...given, ...made]),
    },
    block.hash,
  );
};

export const openChain = (first: BitcoindBlock): BitcoindChain =>
  connectBlock(
    {
      blocks: [],
      archived: [],
      known: emptyBucketMap(),
      stale: [],
      invalid: [],
      coins: emptyBucketMap(),
      transactions: emptyBucketMap(),
    },
    first,
  );
