import { coinName, type Unspent } from "./coin.ts";
import { inputsMax } from "./limits.ts";

/** Of the largest coins, beside those that pay: for fees, and for those that turn out to be spent. */
const SPARE = 40;
/** Of those that may be enough by themselves, the smallest. */
const ENOUGH = 8;

/** What is looked for. */
export interface WantedCoins {
  /** the script of the coins */
  readonly own: Uint8Array;
  /** satoshis; undefined for as much as one transaction carries */
  readonly amount: bigint | undefined;
  /** satoshis that a coin adds to the fee */
  readonly cost: bigint;
}

/** How many of the largest coins pay the amount and their own part of the fee; as many as one transaction spends, where they do not. */
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
