import type { Psbt, PsbtInput } from "../wire/psbt.ts";
import type { Outpoint } from "../wire/transaction.ts";

/** An unspent coin in a block. */
export interface Unspent {
  readonly outpoint: Outpoint;
  /** satoshis */
  readonly amount: bigint;
}

/** How old a coin is. */
export interface CoinAge {
  /** zero for a coin in the pool */
  readonly confirmations: bigint;
  /** whether a coinbase transaction (a miner's reward) made it */
  readonly isCoinbase: boolean;
  /** median time past of the block before its own, Unix seconds: relative time locks count from it (BIP-68) */
  readonly madeAfter: bigint;
}

/** A coin that a wallet may spend. */
export interface BitcoinCoin extends Unspent {
  /** the whole transaction that made it, without witnesses; undefined for Taproot, whose signature hash commits to the amount */
  readonly previous: Uint8Array | undefined;
  /** set for coins of a caller's PSBT; the wallet's own coins are chosen among the spendable ones */
  readonly age?: CoinAge;
}

/** A coin's name as one text. */
export const coinName = ({ txid, index }: Outpoint): string => `${txid}:${index}`;

export const sumOfCoins = (coins: readonly Pick<BitcoinCoin, "amount">[]): bigint =>
  coins.reduce((sum, { amount }) => sum + amount, 0n);

/** The coins that a PSBT spends. */
export const coinsOfPsbt = ({ inputs }: Psbt): readonly BitcoinCoin[] =>
  inputs.map(({ outpoint, coin, previous }: PsbtInput) => ({ outpoint, amount: coin.amount, previous }));
