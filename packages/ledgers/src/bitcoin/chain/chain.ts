import { type BucketMap, bucketValue, emptyBucketMap, withBucketChanges } from "../bucket-map.ts";
import { isUnspendable } from "../script/script-kind.ts";
import { type BitcoindSerialisedTransaction, outpointKey } from "../transaction/transaction.ts";
import type { BitcoindBlock } from "./block.ts";
import type { BitcoindCoin } from "./coin.ts";

/**
 * How many latest blocks are kept, and how many older ones with more than a coinbase. The transactions of a forgotten
 * block cannot be queried any more.
 */
const MOST_BLOCKS_KEPT = 10_000;
/** How many undone blocks are kept. */
const MOST_STALE_KEPT = 1_000;

export interface BitcoindChain {
  /** of the chain with the most work, latest last */
  readonly blocks: readonly BitcoindBlock[];
  /** older blocks, oldest first: the genesis block, and those with transactions */
  readonly archived: readonly BitcoindBlock[];
  /** by hash: the blocks of the chain, and undone ones */
  readonly known: BucketMap<BitcoindBlock>;
  /** hashes of undone blocks, oldest first */
  readonly stale: readonly string[];
  /** hashes of blocks that an operator declared invalid */
  readonly invalid: readonly string[];
  /** the unspent outputs after the latest block, by outpoint */
  readonly coins: BucketMap<BitcoindCoin>;
  /** by txid, the hash of the last block that held the transaction; like a node's index, it keeps those of undone blocks */
  readonly transactions: BucketMap<string>;
}

/** The spendable outputs that a block creates. */
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

/** @returns undefined above the tip, and for forgotten blocks */
export const blockAtHeight = (
  { blocks, archived }: BitcoindChain,
  height: number,
): BitcoindBlock | undefined => {
  const first = blocks[0]?.height ?? 0;
  return height < first ? archived.find((block) => block.height === height) : blocks[height - first];
};

export const isInChain = (chain: BitcoindChain, block: BitcoindBlock): boolean =>
  blockAtHeight(chain, block.height)?.hash === block.hash;

/** Forgets a block and its transactions; their unspent outputs stay. */
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

/** Keeps the chain within its limit. The genesis block always stays, because it identifies the chain. */
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
 * The chain with one more block, which must be valid on top of the latest.
 * @param most how many blocks are kept, and how many archived ones
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

/** Adds an undone block. Beyond the limit, the one that was undone first is forgotten. */
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
