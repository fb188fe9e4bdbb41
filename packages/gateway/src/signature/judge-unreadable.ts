import { type FamilyTable, fail, familyOf, type Network, ok, type Result } from "@conclave/custody";

/**
 * Judges a message of which nobody can tell what it is, for a key that rules accounts. What a chain of one of them may take
 * for consent, such as the bare hash that Stellar signs, is signed only as part of a transaction that was read (INV-3,
 * decision 037).
 * @param networks of all wallets of the key
 * @returns TransactionUnreadable
 */
export const judgeUnreadable = (
  families: FamilyTable,
  networks: readonly Network[],
  message: Uint8Array,
): Result<void> => {
  const taker = networks
    .map((network) => families.find(familyOf(network)))
    .find((rules) => rules?.mayTakeForConsent?.(message) === true);
  return taker === undefined
    ? ok(undefined)
    : fail(
        "TransactionUnreadable",
        { field: "message", family: taker.name },
        `The message has the form of what ${taker.name} signs of a transaction: ask for a signature of kind Transaction.`,
      );
};
