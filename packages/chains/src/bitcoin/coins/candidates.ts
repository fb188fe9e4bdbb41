import { coinName, type Unspent } from "./coin.ts";
import { inputsMax } from "./limits.ts";

/** Of the largest coins, beside those that pay: for fees, and for those that turn out to be spent. */
const SPARE = 40;
/** Of those that may be enough by themselves, the smallest. */
const ENOUGH = 8;

/** The largest coins of a wallet, so many, are left to payments where the service gathers by itself. */
export const LEFT_TO_PAYMENTS = 32;

/** The criteria of the search. */
export interface WantedCoins {
  /** the script of the coins */
  readonly own: Uint8Array;
  /** satoshis; undefined for as much as one transaction carries */
  readonly amount: bigint | undefined;
  /** satoshis that a coin adds to the fee */
  readonly cost: bigint;
}

/**
 * The number of largest coins that pay the amount and their own part of the fee; as many as one transaction
 * spends, where they do not.
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
 * The coins worth looking at for a payment: a wallet may have thousands, and a node is asked about each of them. The largest, and those just
 * above the amount.
 * @param unfree names of coins that are spoken for
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
 * The coins that the service may gather by itself: the smallest that pay for themselves. So a payment has the largest meanwhile, and
 * as many others as one transaction spends, where there are so many. All are final: a reorganisation takes none of them away.
 * @param unfree names of coins that are spoken for
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
