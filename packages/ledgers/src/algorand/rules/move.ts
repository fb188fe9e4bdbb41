import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodAddress } from "../address.ts";
import { type AlgodBooks, accountIn, withAccount } from "../books.ts";

/** Formats microalgos as a node does: "1mA", "2.5A". */
export const microalgosInWords = (amount: bigint): string => {
  const [unit, size, digits] = amount < 1_000_000n ? ["mA", 1_000n, 3] : ["A", 1_000_000n, 6];
  if (amount === 0n) return "0.0A";
  if (amount < 1_000n) return `${amount}uA`;
  const fraction = amount % size;
  return fraction === 0n
    ? `${amount / size}${unit}`
    : `${amount / size}.${fraction.toString().padStart(digits, "0")}${unit}`;
};

/** Moves microalgos from one account to another; refused if the balance is too low. */
export const moveMicroalgos = (
  books: AlgodBooks,
  from: AlgodAddress,
  to: AlgodAddress,
  amount: bigint,
): Ruling<AlgodBooks> => {
  const { balance } = accountIn(books, from);
  if (balance < amount) {
    const data = `{MicroAlgos:${microalgosInWords(balance)}}`;
    return refusedWith(
      `overspend (account ${from}, data ${data}, tried to spend ${microalgosInWords(amount)})`,
    );
  }
  const taken = withAccount(books, from, { balance: balance - amount });
  return granted(withAccount(taken, to, { balance: accountIn(taken, to).balance + amount }));
};
