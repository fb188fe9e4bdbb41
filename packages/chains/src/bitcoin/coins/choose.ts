import { bitcoinDustLimit } from "../rules/script.ts";
import { type BitcoinCoin, sumOfCoins, type Unspent } from "./coin.ts";
import { BUILT_BYTES_MAX, inputsMax } from "./limits.ts";
import { STANDARD_WEIGHT_MAX, signedWeight, virtualSize } from "./size.ts";

/** Bytes of a PSBT beside its previous transactions: for each input, and for the rest. */
const INPUT_BYTES = 128;
const FRAME_BYTES = 512;

/** The payment, and the coins to choose from. */
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

/** The reason why further coins stay out of a transaction. */
export type Bound =
  /** it spends as many coins as one transaction may */
  | "inputs"
  /** the transactions that made its coins, which signers must see, are as large together as one message may be */
  | "bytes";

export type Choosing =
  | { readonly kind: "chosen"; readonly choice: Choice }
  /** the sum of the largest coins that fit, and the needed sum; `bound` where coins were left out for it */
  | {
      readonly kind: "short";
      readonly held: bigint;
      readonly needed: bigint;
      readonly inputs: number;
      readonly bound: Bound | undefined;
    };

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
  // a payment back to the wallet alone needs its one output
  if (paid === undefined) return undefined;
  const vbytes = virtualSize(coins.length, own, scripts);
  return left >= feeFor(vbytes) ? { coins, change: 0n, fee: left, vbytes } : undefined;
};

/** A set of coins that grows, and what it takes of a transaction's bounds: each previous transaction counts once. */
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

  /** Takes a coin in, if it fits. @returns why it does not */
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

/** The smallest coin that is enough by itself. */
const enoughAlone = (payment: Payment, largest: readonly BitcoinCoin[]): Choice | undefined => {
  for (const coin of largest.toReversed()) {
    const isTaken = new CoinsInOne(payment).take(coin) === undefined;
    const choice = isTaken ? payWith(payment, [coin]) : undefined;
    if (choice !== undefined) return choice;
  }
  return undefined;
};

/** The fee for a coin of this script, satoshis. */
export const costOfInput = ({ own, feeFor }: Pick<Payment, "own" | "feeFor">): bigint =>
  feeFor(virtualSize(2, own, [own])) - feeFor(virtualSize(1, own, [own]));

/** The like at a rate. @param rate satoshis a virtual byte */
export const costAtRate = (own: Uint8Array, rate: bigint): bigint =>
  costOfInput({ own, feeFor: (vbytes) => rate * vbytes });

/** The coins that hold more than they add to a fee: the others bring a payment no nearer, however many somebody sends. */
export const worthSpending = <Coin extends Pick<Unspent, "amount">>(
  payment: Pick<Payment, "own" | "feeFor">,
  coins: readonly Coin[],
): readonly Coin[] => {
  const cost = costOfInput(payment);
  return coins.filter(({ amount }) => amount > cost);
};

/** The coins that pay for themselves at a rate. @param maxFeeRate satoshis a virtual byte; undefined leaves all */
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
 * Chooses coins: the smallest one that is enough by itself, or else the largest ones, as few as are enough, and none that costs more
 * than it holds. So a wallet pays as little as it can, and no change is dust: an amount too small for an output
 * goes into the fee.
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
  /** fewer than two coins are worth more than they cost, or fit; `bound` where others were left out for it */
  | { readonly kind: "nothing"; readonly worth: number; readonly bound: Bound | undefined };

/**
 * Gathers coins into one: the largest first, as many as fit into one transaction whose fee is below a cap, and none that costs more than it
 * holds.
 * @param payment of nothing to anybody else
 * @param feeCap satoshis
 */
export const gatherCoins = (payment: Payment & { readonly paid: undefined }, feeCap: bigint): Gathering => {
  const { own, pinned, feeFor } = payment;
  const worth = worthSpending(payment, payment.coins).toSorted(byWorth);
  const gathered = new CoinsInOne(payment);
  let full: Bound | undefined;
  // a transaction that is built again, or that replaces a waiting one, spends the very same coins
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
 * The most that a coin pays by itself, where several fit into a transaction each, so that one with a smaller maker goes together with another.
 * @returns satoshis after the fee, of the largest of them; undefined where fewer than two fit
 */
export const mostAlone = (payment: Payment): bigint | undefined => {
  const alone: Payment = { ...payment, paid: undefined, pinned: [] };
  const [largest, ...others] = worthSpending(alone, alone.coins)
    .toSorted(byWorth)
    .filter((coin) => new CoinsInOne(alone).take(coin) === undefined);
  if (largest === undefined || others.length === 0) return undefined;
  return payWith(alone, [largest])?.change;
};
