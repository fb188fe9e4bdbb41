import type { Psbt, PsbtInput } from "../wire/psbt.ts";
import type { Outpoint } from "../wire/transaction.ts";

/** A coin in a block that nobody has spent. */
export interface Unspent {
  readonly outpoint: Outpoint;
  /** satoshis */
  readonly amount: bigint;
}

/** How old a coin is. */
export interface CoinAge {
  /** zero in the pool */
  readonly confirmations: bigint;
  /** earned by a miner */
  readonly isCoinbase: boolean;
  /** the median time of the block before its own, Unix seconds: relative locks of time count from it (BIP-68) */
  readonly madeAfter: bigint;
}

/** Something that a wallet may spend. */
export interface BitcoinCoin extends Unspent {
  /** the whole transaction that made it, without witnesses; a Taproot coin needs none, for its signature proves the amount */
  readonly previous: Uint8Array | undefined;
  /** of coins of a caller's PSBT: those of a wallet are looked for among what can be spent */
  readonly age?: CoinAge;
}

/** How a coin is named, in one text. */
export const coinName = ({ txid, index }: Outpoint): string => `${txid}:${index}`;

export const sumOfCoins = (coins: readonly Pick<BitcoinCoin, "amount">[]): bigint =>
  coins.reduce((sum, { amount }) => sum + amount, 0n);

/** The coins that a PSBT spends. */
export const coinsOfPsbt = ({ inputs }: Psbt): readonly BitcoinCoin[] =>
  inputs.map(({ outpoint, coin, previous }: PsbtInput) => ({ outpoint, amount: coin.amount, previous }));
