import { bucketValue } from "./bucket-map.ts";
import { makeBitcoindBlock } from "./chain/block.ts";
import { connectBlock, latestBitcoindBlock } from "./chain/chain.ts";
import type { BitcoindCoin } from "./chain/coin.ts";
import { ONE_BITCOIN } from "./fee-rate.ts";
import type { MempoolEntry } from "./mempool/mempool.ts";
import { refilledMempool } from "./mempool/refill.ts";
import { selectedForBlock } from "./mempool/selection.ts";
import type { BitcoindState } from "./state.ts";
import { outpointKey } from "./transaction/transaction.ts";

const FIRST_REWARD = 50n * ONE_BITCOIN;
const MOST_HALVINGS = 64;
/** Maximum number of unspent outputs, which the ledger holds in memory. */
const MOST_COINS = 200_000;

/** The reward of a block. @returns satoshis */
const rewardAt = (height: number, halvingBlocks: number): bigint => {
  const halvings = Math.floor(height / halvingBlocks);
  return halvings >= MOST_HALVINGS ? 0n : FIRST_REWARD >> BigInt(halvings);
};

/** The outputs of the chain that a block's transactions spend, without outputs of the block itself. */
const spentCoins = (
  state: BitcoindState,
  entries: readonly MempoolEntry[],
): ReadonlyMap<string, BitcoindCoin> => {
  const keys = entries.flatMap(({ transaction }) => transaction.inputs.map(outpointKey));
  return new Map(
    keys.flatMap((key): readonly [string, BitcoindCoin][] => {
      const coin = bucketValue(state.chain.coins, key);
      return coin === undefined ? [] : [[key, coin]];
    }),
  );
};

export interface BlockOrder {
  /** seconds since 1970 */
  readonly time: number;
  /** the script that receives the reward */
  readonly rewardScript: Uint8Array;
  /** false makes an empty block */
  readonly takesTransactions: boolean;
}

/**
 * Mines the next block of the waiting transactions. Its time is later than the median time past, as consensus requires.
 * @param mostCoins above this number of unspent outputs, the reward becomes unspendable
 */
export const mineBitcoindBlock = (
  state: BitcoindState,
  order: BlockOrder,
  mostCoins = MOST_COINS,
): BitcoindState => {
  const { chain, mempool, fees, genesis, blocksMade } = state;
  const previous = latestBitcoindBlock(chain);
  const height = previous.height + 1;
  const entries = order.takesTransactions ? selectedForBlock(mempool, height, fees.minimumMined) : [];
  const paid = entries.reduce((sum, { fee }) => sum + fee, 0n);
  const amount = rewardAt(height, genesis.network.halvingBlocks) + paid;
  const hasRoom = chain.coins.size < mostCoins;
  const block = makeBitcoindBlock({
    height,
    previous,
    time: Math.max(order.time, previous.medianTime + 1),
    rewards: hasRoom ? [{ amount, script: order.rewardScript }] : [],
    mark: `block ${blocksMade}`,
    transactions: entries.map(({ transaction }) => transaction),
    spent: spentCoins(state, entries),
  });
  const longer = connectBlock(chain, block);
  const taken = new Set(block.transactions.map(({ txid }) => txid));
  const left = [...mempool.entries].filter(([txid]) => !taken.has(txid)).map(([, entry]) => entry);
  return {
    ...state,
    chain: longer,
    mempool: refilledMempool(longer, left, 0n),
    blocksMade: blocksMade + 1,
  };
};
