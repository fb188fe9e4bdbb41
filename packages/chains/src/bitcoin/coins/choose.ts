import { bitcoinDustLimit } from "../rules/script.ts";
import { type BitcoinCoin, sumOfCoins, type Unspent } from "./coin.ts";
import { BUILT_BYTES_MAX, inputsMax } from "./limits.ts";
import { STANDARD_WEIGHT_MAX, signedWeight, virtualSize } from "./size.ts";

/** PSBT bytes without the previous transactions: per input, and in total for the rest. */
const INPUT_BYTES = 128;
const FRAME_BYTES = 512;

/** The payment, and the coins to choose from. */
export interface Payment {
  /** the script of all coins, which change goes back to */
  readonly own: Uint8Array;
  /** undefined when everything goes back to the wallet */
  readonly paid: { readonly script: Uint8Array; readonly amount: bigint } | undefined;
  /** coins that the transaction must spend */
  readonly pinned: readonly BitcoinCoin[];
  /** coins that it may spend in addition */
  readonly coins: readonly BitcoinCoin[];
  /** fee in satoshis for a size in virtual bytes */
  readonly feeFor: (vbytes: bigint) => bigint;
}

export interface Choice {
  readonly coins: readonly BitcoinCoin[];
  /** satoshis; zero without a change output: an amount below the dust limit goes into the fee */
  readonly change: bigint;
  readonly fee: bigint;
  readonly vbytes: bigint;
}

/** The limit that keeps further coins out of a transaction. */
export type Bound =
  /** the limit of coins per transaction is reached */
  | "inputs"
  /** the coins' previous transactions, which signers must see, fill the largest message */
  | "bytes";

export type Choosing =
  | { readonly kind: "chosen"; readonly choice: Choice }
  /** sum of the largest coins that fit, and the sum needed; `bound` if a limit kept coins out */
  | {
      readonly kind: "short";
      readonly held: bigint;
      readonly needed: bigint;
      readonly inputs: number;
      readonly bound: Bound | undefined;
    };

const byWorth = (one: BitcoinCoin, other: BitcoinCoin): number =>
  one.amount === other.amount ? 0 : one.amount < other.amount ? 1 : -1;

/** Pays with exactly these coins; undefined when their sum is too low. */
const payWith = ({ own, paid, feeFor }: Payment, coins: readonly BitcoinCoin[]): Choice | undefined => {
  const scripts = paid === undefined ? [] : [paid.script];
  const left = sumOfCoins(coins) - (paid?.amount ?? 0n);
  const withChange = virtualSize(coins.length, own, [...scripts, own]);
  const change = left - feeFor(withChange);
  if (change >= bitcoinDustLimit(own)) {
    return { coins, change, fee: feeFor(withChange), vbytes: withChange };
  }
  // a transaction that pays only the wallet cannot omit its one output
  if (paid === undefined) return undefined;
  const vbytes = virtualSize(coins.length, own, scripts);
  return left >= feeFor(vbytes) ? { coins, change: 0n, fee: left, vbytes } : undefined;
};

/** A growing set of coins, with its use of the transaction's limits: each previous transaction counts once. */
class CoinsInOne {
  readonly #own: Uint8Array;
  readonly #outputs: readonly Uint8Array[];
  readonly #makers = new Set<string>();
  #coins: readonly BitcoinCoin[] = [];
  #bytes = FRAME_BYTES;

  constructor({ own, paid }: Payment) {
    this.#own = own;
    this.#outputs = paid === undefined ? [own] : [paid.script, own];
  }

  get coins(): readonly BitcoinCoin[] {
    return this.#coins;
  }

  #bytesOf({ outpoint, previous }: BitcoinCoin): number {
    return INPUT_BYTES + (this.#makers.has(outpoint.txid) ? 0 : (previous?.length ?? 0));
  }

  /** Adds a coin if it fits. @returns the limit that keeps it out */
  take(coin: BitcoinCoin): Bound | undefined {
    const inputs = this.#coins.length + 1;
    const isHeavy = signedWeight(inputs, this.#own, this.#outputs) > STANDARD_WEIGHT_MAX;
    if (inputs > inputsMax(this.#own) || isHeavy) return "inputs";
    const bytes = this.#bytesOf(coin);
    if (this.#bytes + bytes > BUILT_BYTES_MAX) return "bytes";
    this.#bytes += bytes;
    this.#makers.add(coin.outpoint.txid);
    this.#coins = [...this.#coins, coin];
    return undefined;
  }
}

const shortOf = (
  { paid, own, feeFor }: Payment,
  coins: readonly BitcoinCoin[],
  bound: Bound | undefined,
): Choosing => {
  const scripts = paid === undefined ? [own] : [paid.script];
  const needed = (paid?.amount ?? 0n) + feeFor(virtualSize(Math.max(coins.length, 1), own, scripts));
  return { kind: "short", held: sumOfCoins(coins), needed, inputs: coins.length, bound };
};

/** The smallest coin that is enough alone. */
const enoughAlone = (payment: Payment, largest: readonly BitcoinCoin[]): Choice | undefined => {
  for (const coin of largest.toReversed()) {
    const isTaken = new CoinsInOne(payment).take(coin) === undefined;
    const choice = isTaken ? payWith(payment, [coin]) : undefined;
    if (choice !== undefined) return choice;
  }
  return undefined;
};

/** The fee that an input with this script adds, in satoshis. */
export const costOfInput = ({ own, feeFor }: Pick<Payment, "own" | "feeFor">): bigint =>
  feeFor(virtualSize(2, own, [own])) - feeFor(virtualSize(1, own, [own]));

/** Like `costOfInput`, at a fixed rate. @param rate satoshis a virtual byte */
export const costAtRate = (own: Uint8Array, rate: bigint): bigint =>
  costOfInput({ own, feeFor: (vbytes) => rate * vbytes });

/**
 * Coins that hold more than they add to the fee. The others bring a payment no nearer, so dust that anybody sends has no
 * effect.
 */
export const worthSpending = <Coin extends Pick<Unspent, "amount">>(
  payment: Pick<Payment, "own" | "feeFor">,
  coins: readonly Coin[],
): readonly Coin[] => {
  const cost = costOfInput(payment);
  return coins.filter(({ amount }) => amount > cost);
};

/** Coins that hold more than they cost at a rate. @param maxFeeRate satoshis a virtual byte; undefined keeps all coins */
export const payingForThemselves = <Coin extends Pick<Unspent, "amount">>(
  own: Uint8Array,
  maxFeeRate: bigint | undefined,
  coins: readonly Coin[],
): readonly Coin[] => {
  if (maxFeeRate === undefined) return coins;
  const cost = costAtRate(own, maxFeeRate);
  return coins.filter(({ amount }) => amount > cost);
};

/**
 * Chooses the smallest coin that is enough alone; otherwise the fewest largest coins that are enough. It never chooses a coin
 * that costs more than it holds. This keeps fees low; change below the dust limit goes into the fee.
 */
export const chooseCoins = (payment: Payment): Choosing => {
  const largest = worthSpending(payment, payment.coins).toSorted(byWorth);
  const alone = payment.pinned.length === 0 ? enoughAlone(payment, largest) : undefined;
  if (alone !== undefined) return { kind: "chosen", choice: alone };
  const chosen = new CoinsInOne(payment);
  for (const coin of payment.pinned) {
    const bound = chosen.take(coin);
    if (bound !== undefined) return shortOf(payment, chosen.coins, bound);
  }
  const first = chosen.coins.length > 0 ? payWith(payment, chosen.coins) : undefined;
  if (first !== undefined) return { kind: "chosen", choice: first };
  let full: Bound | undefined;
  for (const coin of largest) {
    const bound = chosen.take(coin);
    if (bound !== undefined) {
      full ??= bound;
      continue;
    }
    const choice = payWith(payment, chosen.coins);
    if (choice !== undefined) return { kind: "chosen", choice };
  }
  return shortOf(payment, chosen.coins, full);
};

export type Gathering =
  | { readonly kind: "gathered"; readonly choice: Choice }
  /** fewer than two coins fit and hold more than they cost; `bound` if a limit kept others out */
  | { readonly kind: "nothing"; readonly worth: number; readonly bound: Bound | undefined };

/**
 * Gathers coins into one output: the largest first, as many as fit into one transaction whose fee is within the cap, and none
 * that costs more than it holds.
 * @param payment with the wallet as its only recipient
 * @param feeCap satoshis
 */
export const gatherCoins = (payment: Payment & { readonly paid: undefined }, feeCap: bigint): Gathering => {
  const { own, pinned, feeFor } = payment;
  const worth = worthSpending(payment, payment.coins).toSorted(byWorth);
  const gathered = new CoinsInOne(payment);
  let full: Bound | undefined;
  // a rebuilt transaction, or a replacement, spends exactly the same coins
  for (const coin of pinned.length > 0 ? pinned : worth) {
    const isPayable = feeFor(virtualSize(gathered.coins.length + 1, own, [own])) <= feeCap;
    if (pinned.length > 0 || isPayable) full = gathered.take(coin) ?? full;
  }
  const choice = gathered.coins.length > 1 ? payWith(payment, gathered.coins) : undefined;
  return choice === undefined
    ? { kind: "nothing", worth: worth.length, bound: full }
    : { kind: "gathered", choice };
};

/**
 * The most that a single coin can pay, given that at least two coins each fit into a transaction alone. A coin with a smaller
 * previous transaction then fits beside another.
 * @returns satoshis after the fee, of the largest such coin; undefined if fewer than two fit
 */
export const mostAlone = (payment: Payment): bigint | undefined => {
  const alone: Payment = { ...payment, paid: undefined, pinned: [] };
  const [largest, ...others] = worthSpending(alone, alone.coins)
    .toSorted(byWorth)
    .filter((coin) => new CoinsInOne(alone).take(coin) === undefined);
  if (largest === undefined || others.length === 0) return undefined;
  return payWith(alone, [largest])?.change;
};
