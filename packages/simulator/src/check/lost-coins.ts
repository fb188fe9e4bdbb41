import type { EndedTransfer } from "./ended-transfer.ts";
import type { Violation } from "./violation.ts";

/** The words of a chain's proof that a transaction is dead, because another one took its coin. */
const IS_LOST = /has spent its coin/;

/** No transfer fails because its coin is spent: nobody but the cluster signs for a wallet, and no transfer takes the coins of another. */
export const lostCoins = ({
  id,
  status,
  reason = "",
}: Pick<EndedTransfer, "id" | "status" | "reason">): readonly Violation[] =>
  status === "Failed" && IS_LOST.test(reason)
    ? [{ invariant: "coins", words: `${id} has failed: ${reason}` }]
    : [];
