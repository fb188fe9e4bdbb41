import { bitcoinDustLimit, SIGNABLES_MAX, UNSIGNED_BYTES_MAX } from "@conclave/custody";
import { type BitcoinCoin, sumOfCoins } from "./coin.ts";
import { virtualSize } from "./size.ts";

/** Bytes of a PSBT beside its previous transactions: for each input, and for the rest. */
const INPUT_BYTES = 128;
const FRAME_BYTES = 512;

/** What is to be paid, from which coins. */
export interface Payment {
  /** the script of all coins, which change goes back to */
  readonly own: Uint8Array;
  /** undefined when everything goes back to the wallet */
  readonly paid: { readonly script: Uint8Array; readonly amount: bigint } | undefined;
  /** coins that must be in it */
  readonly pinned: readonly BitcoinCoin[];
  /** coins that may be in it beside those */
  readonly coins: readonly BitcoinCoin[];
  /** satoshis for so many virtual bytes */
  readonly feeFor: (vbytes: bigint) => bigint;
}

export interface Choice {
  readonly coins: readonly BitcoinCoin[];
  /** satoshis; zero when there is none, for what is too little for an output goes into the fee */
  readonly change: bigint;
  readonly fee: bigint;
  readonly vbytes: bigint;
}

export type Choosing =
  | { readonly kind: "chosen"; readonly choice: Choice }
  /** what the largest coins that fit hold together, and what would be needed */
  | { readonly kind: "short"; readonly held: bigint; readonly needed: bigint; readonly isFull: boolean };

const byWorth = (one: BitcoinCoin, other: BitcoinCoin): number =>
  one.amount === other.amount ? 0 : one.amount < other.amount ? 1 : -1;

/** Pays with exactly these coins; undefined when they are too few. */
const payWith = ({ own, paid, feeFor }: Payment, coins: readonly BitcoinCoin[]): Choice | undefined => {
  const scripts = paid === undefined ? [] : [paid.script];
  const left = sumOfCoins(coins) - (paid?.amount ?? 0n);
  const withChange = virtualSize(coins.length, own, [...scripts, own]);
  const change = left - feeFor(withChange);
  if (change >= bitcoinDustLimit(own)) {
    return { coins, change, fee: feeFor(withChange), vbytes: withChange };
  }
  // what comes back to the wallet alone needs its one output
  if (paid === undefined) return undefined;
  const vbytes = virtualSize(coins.length, own, scripts);
  return left >= feeFor(vbytes) ? { coins, change: 0n, fee: left, vbytes } : undefined;
};

/** How much of its signers' bounds a set of coins takes. */
const fits = (coins: readonly BitcoinCoin[]): boolean =>
  coins.length <= SIGNABLES_MAX &&
  coins.reduce((sum, { previous }) => sum + INPUT_BYTES + (previous?.length ?? 0), FRAME_BYTES) <=
    UNSIGNED_BYTES_MAX;

/**
 * Chooses coins: the smallest one that is enough by itself, or else the largest ones, as few as are enough. So a wallet pays
 * as little as it can, and no change is dust: what is too little for an output goes into the fee.
 */
export const chooseCoins = (payment: Payment): Choosing => {
  const { pinned, own, paid, feeFor } = payment;
  const largest = payment.coins.toSorted(byWorth);
  if (pinned.length === 0) {
    for (const coin of largest.toReversed()) {
      const choice = fits([coin]) ? payWith(payment, [coin]) : undefined;
      if (choice !== undefined) return { kind: "chosen", choice };
    }
  }
  let chosen = pinned;
  let isFull = false;
  const first = chosen.length > 0 && fits(chosen) ? payWith(payment, chosen) : undefined;
  if (first !== undefined) return { kind: "chosen", choice: first };
  for (const coin of largest) {
    const more = [...chosen, coin];
    if (!fits(more)) {
      isFull = true;
      continue;
    }
    chosen = more;
    const choice = payWith(payment, chosen);
    if (choice !== undefined) return { kind: "chosen", choice };
  }
  const scripts = paid === undefined ? [own] : [paid.script];
  const needed = (paid?.amount ?? 0n) + feeFor(virtualSize(Math.max(chosen.length, 1), own, scripts));
  return { kind: "short", held: sumOfCoins(chosen), needed, isFull };
};
