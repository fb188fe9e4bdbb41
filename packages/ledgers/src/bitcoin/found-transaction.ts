import { bucketValue } from "./bucket-map.ts";
import type { BitcoindBlock } from "./chain/block.ts";
import type { BitcoindCoin } from "./chain/coin.ts";
import { coinIn } from "./mempool/spendable.ts";
import type { BitcoindState } from "./state.ts";
import {
  type BitcoindOutpoint,
  type BitcoindSerialisedTransaction,
  isRewardTransaction,
  outpointKey,
} from "./transaction/transaction.ts";

/** A transaction, and the block that holds it. */
export interface FoundTransaction {
  readonly transaction: BitcoindSerialisedTransaction;
  /** undefined while it waits */
  readonly block: BitcoindBlock | undefined;
}

export const transactionInBlock = (
  block: BitcoindBlock | undefined,
  txid: string,
): FoundTransaction | undefined => {
  const transaction = block?.transactions.find((each) => each.txid === txid);
  return transaction === undefined ? undefined : { transaction, block };
};

/**
 * Looks a transaction up as a node with an index does: in the mempool first, then in the last block that held it, undone
 * or not.
 */
export const findBitcoindTransaction = (
  { chain, mempool }: BitcoindState,
  txid: string,
): FoundTransaction | undefined => {
  const waiting = mempool.entries.get(txid);
  if (waiting !== undefined) return { transaction: waiting.transaction, block: undefined };
  const hash = bucketValue(chain.transactions, txid);
  return hash === undefined ? undefined : transactionInBlock(bucketValue(chain.known, hash), txid);
};

/** The output that a transaction of a block spent: from before the block, or of another transaction in it. */
const coinSpentInBlock = (block: BitcoindBlock, outpoint: BitcoindOutpoint): BitcoindCoin | undefined => {
  const coin = block.spent.get(outpointKey(outpoint));
  if (coin !== undefined) return coin;
  const parent = block.transactions.find(({ txid }) => txid === outpoint.txid);
  const output = parent?.outputs[outpoint.index];
  return output && { ...output, height: block.height, isReward: false, timeBefore: block.medianTime };
};

/** @returns the outputs that the inputs spend, in their order; empty for a coinbase */
export const coinsSpentBy = (
  { chain, mempool }: BitcoindState,
  { transaction, block }: FoundTransaction,
): readonly BitcoindCoin[] => {
  if (isRewardTransaction(transaction)) return [];
  return transaction.inputs.flatMap((outpoint) => {
    const coin = block === undefined ? coinIn(chain, mempool, outpoint) : coinSpentInBlock(block, outpoint);
    return coin ?? [];
  });
};

/** @param spent the outputs that the inputs spend. @returns satoshis */
export const feePaid = ({ outputs }: BitcoindSerialisedTransaction, spent: readonly BitcoindCoin[]): bigint =>
  spent.reduce((sum, { amount }) => sum + amount, 0n) - outputs.reduce((sum, { amount }) => sum + amount, 0n);
