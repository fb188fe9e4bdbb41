import { coinName, type Unspent } from "./coin.ts";
import { inputsMax } from "./limits.ts";

/** Further largest coins, beyond those that pay: they cover fees, and coins that turn out to be spent. */
const SPARE = 40;
/** Number of candidates that may be enough alone: the smallest such coins. */
const ENOUGH = 8;

/** Number of largest coins that gathering by the service itself leaves to payments. */
export const LEFT_TO_PAYMENTS = 32;

/** The criteria of the search for coins. */
export interface WantedCoins {
  /** the script of the coins */
  readonly own: Uint8Array;
  /** satoshis to pay; undefined: as many coins as one transaction can spend */
  readonly amount: bigint | undefined;
  /** satoshis that a coin adds to the fee */
  readonly cost: bigint;
}

/**
 * How many of the largest coins pay the amount and their own part of the fee; the most that one transaction spends, if even
 * those are not enough.
 */
const countThatPays = (largest: readonly Unspent[], { own, amount, cost }: WantedCoins): number => {
  const most = inputsMax(own);
  if (amount === undefined) return most;
  let left = amount;
  for (const [at, coin] of largest.entries()) {
    if (left <= 0n || at >= most) return at;
    left -= coin.amount > cost ? coin.amount - cost : 0n;
  }
  return largest.length;
};

/**
 * The candidate coins of a payment: the largest, and those just above the amount. A wallet may have thousands, and each
 * candidate costs a call to the node.
 * @param unfree names of coins that are not available
 */
export const candidateCoins = <Coin extends Unspent>(
  unspent: readonly Coin[],
  wanted: WantedCoins,
  unfree: ReadonlySet<string>,
): readonly Coin[] => {
  const largest = unspent
    .filter(({ outpoint }) => !unfree.has(coinName(outpoint)))
    .toSorted((one, other) => Number(other.amount - one.amount));
  const enough = largest.filter((coin) => coin.amount > (wanted.amount ?? coin.amount));
  const count = countThatPays(largest, wanted) + SPARE;
  return [...new Set([...largest.slice(0, count), ...enough.slice(-ENOUGH)])];
};

/**
 * The coins that the service may gather by itself: the smallest that hold more than they cost to spend. The wallet's largest
 * coins stay available for payments. All are final, so that no reorganisation removes one.
 * @param unfree names of coins that are not available
 * @param finality confirmations until a block counts as final
 */
export const spareCoins = <Coin extends Unspent & { readonly confirmations: bigint }>(
  unspent: readonly Coin[],
  { own, cost }: Pick<WantedCoins, "own" | "cost">,
  unfree: ReadonlySet<string>,
  finality: number,
): readonly Coin[] =>
  unspent
    .filter(({ outpoint }) => !unfree.has(coinName(outpoint)))
    .toSorted((one, other) => Number(other.amount - one.amount))
    .slice(LEFT_TO_PAYMENTS)
    .filter(({ amount, confirmations }) => amount > cost && confirmations >= BigInt(finality))
    .slice(-(inputsMax(own) + SPARE));
