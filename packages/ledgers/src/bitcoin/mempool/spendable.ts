import { bucketValue } from "../bucket-map.ts";
import { type BitcoindChain, latestBitcoindBlock } from "../chain/chain.ts";
import type { BitcoindCoin } from "../chain/coin.ts";
import { type BitcoindOutpoint, outpointKey } from "../transaction/transaction.ts";
import type { BitcoindMempool } from "./mempool.ts";

/** The output of a waiting transaction, as if the next block held it: that is the earliest. */
const waitingCoin = (
  chain: BitcoindChain,
  mempool: BitcoindMempool,
  { txid, index }: BitcoindOutpoint,
): BitcoindCoin | undefined => {
  const output = mempool.entries.get(txid)?.transaction.outputs[index];
  if (output === undefined) return undefined;
  const { height, medianTime } = latestBitcoindBlock(chain);
  return { ...output, height: height + 1, isReward: false, timeBefore: medianTime };
};

/** An output in the chain or the mempool, whether or not a waiting transaction spends it. */
export const coinIn = (
  chain: BitcoindChain,
  mempool: BitcoindMempool,
  outpoint: BitcoindOutpoint,
): BitcoindCoin | undefined =>
  bucketValue(chain.coins, outpointKey(outpoint)) ?? waitingCoin(chain, mempool, outpoint);

/** @returns the outputs that the inputs spend, in their order; undefined if one does not exist */
export const coinsIn = (
  chain: BitcoindChain,
  mempool: BitcoindMempool,
  outpoints: readonly BitcoindOutpoint[],
): readonly BitcoindCoin[] | undefined => {
  const coins = outpoints.flatMap((outpoint) => coinIn(chain, mempool, outpoint) ?? []);
  return coins.length === outpoints.length ? coins : undefined;
};
