import { type BucketMap, bucketValue, emptyBucketMap, withBucketChanges } from "../bucket-map.ts";
import { isUnspendable } from "../script/script-kind.ts";
import { decodeBitcoindTransaction } from "../transaction/decode.ts";
import {
  type BitcoindOutput,
  type BitcoindSerialisedTransaction,
  outpointKey,
} from "../transaction/transaction.ts";
import type { BitcoindBlock } from "./block.ts";
import type { BitcoindCoin } from "./coin.ts";

/** A ledger answers for so many; of older ones it keeps what their coins and their spenders rest on. */
const MOST_BLOCKS_KEPT = 10_000;
/** Blocks that were undone. */
const MOST_STALE_KEPT = 1_000;

/** A transaction whose block is forgotten. */
export interface OlderTransaction {
  readonly bytes: Uint8Array;
  readonly block: Pick<BitcoindBlock, "hash" | "height"> & { readonly time: number };
}

export interface BitcoindChain {
  /** of the chain with the most work, the latest last */
  readonly blocks: readonly BitcoindBlock[];
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
  /** of forgotten blocks, until the blocks that spent all of their coins are forgotten too */
  readonly older: BucketMap<OlderTransaction>;
}

/** What a block makes: all outputs that can ever be spent. */
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
export const blockAtHeight = ({ blocks }: BitcoindChain, height: number): BitcoindBlock | undefined =>
  blocks[height - (blocks[0]?.height ?? 0)];

export const isInChain = (chain: BitcoindChain, block: BitcoindBlock): boolean =>
  blockAtHeight(chain, block.height)?.hash === block.hash;

const hasCoins = ({ coins }: BitcoindChain, txid: string, outputs: readonly BitcoindOutput[]): boolean =>
  outputs.some((_, index) => bucketValue(coins, outpointKey({ txid, index })) !== undefined);

/** What older transactions there are once a block is forgotten: its own, without parents of theirs that are spent up. */
const olderAfter = (chain: BitcoindChain, { hash, height, header, transactions }: BitcoindBlock) => {
  const block = { hash, height, time: header.time };
  const own = transactions
    .filter(({ txid, outputs }, at) => at > 0 || hasCoins(chain, txid, outputs))
    .map(({ txid, bytes }): readonly [string, OlderTransaction] => [txid, { bytes, block }]);
  const older = withBucketChanges(chain.older, own);
  const parents = new Set(transactions.slice(1).flatMap(({ inputs }) => inputs.map(({ txid }) => txid)));
  const gone = [...parents].filter((txid) => {
    const parent = bucketValue(older, txid);
    const outputs = parent === undefined ? [] : (decodeBitcoindTransaction(parent.bytes)?.outputs ?? []);
    return !hasCoins(chain, txid, outputs);
  });
  return withBucketChanges(
    older,
    gone.map((txid): readonly [string, undefined] => [txid, undefined]),
  );
};

/** Forgets the oldest blocks, if there are more than so many; their coins stay. */
export const withoutOldest = (chain: BitcoindChain, most: number): BitcoindChain => {
  const [oldest] = chain.blocks;
  if (oldest === undefined || chain.blocks.length <= most) return chain;
  const forgotten = oldest.transactions.filter(
    ({ txid }) => bucketValue(chain.transactions, txid) === oldest.hash,
  );
  const left = {
    ...chain,
    blocks: chain.blocks.slice(1),
    known: withBucketChanges(chain.known, [[oldest.hash, undefined]]),
    transactions: withBucketChanges(
      chain.transactions,
      forgotten.map(({ txid }) => [txid, undefined]),
    ),
    older: olderAfter(chain, oldest),
  };
  return withoutOldest(left, most);
};

/** The chain with one more block, which has to be valid upon its latest. */
export const connectBlock = (chain: BitcoindChain, block: BitcoindBlock): BitcoindChain => {
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
  return withoutOldest(longer, MOST_BLOCKS_KEPT);
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
      known: emptyBucketMap(),
      stale: [],
      invalid: [],
      coins: emptyBucketMap(),
      transactions: emptyBucketMap(),
      older: emptyBucketMap(),
    },
    first,
  );
