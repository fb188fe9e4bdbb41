import { coinName, type Unspent } from "./coin.ts";

/** Of the largest coins: more than one transaction can spend. */
const LARGEST = 40;
/** Of those that may be enough by themselves, the smallest. */
const ENOUGH = 8;

/**
 * The coins worth looking at for a payment: a wallet may have thousands. The largest, and those just above the amount.
 * @param amount satoshis
 * @param unfree names of coins that are spoken for
 */
export const candidateCoins = <Coin extends Unspent>(
  unspent: readonly Coin[],
  amount: bigint,
  unfree: ReadonlySet<string>,
): readonly Coin[] => {
  const largest = unspent
    .filter(({ outpoint }) => !unfree.has(coinName(outpoint)))
    .toSorted((one, other) => Number(other.amount - one.amount));
  const enough = largest.filter((coin) => coin.amount > amount);
  return [...new Set([...largest.slice(0, LARGEST), ...enough.slice(-ENOUGH)])];
};
