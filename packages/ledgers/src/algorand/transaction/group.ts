import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { toBase32 } from "../address.ts";
import { groupDigest } from "./identity.ts";
import type { AlgodSubmission } from "./transaction.ts";

const nameOf = (group: Uint8Array | undefined): string => toBase32(group ?? new Uint8Array(32));

/**
 * Whether the transactions of a submission are one group: each names the digest of all of them in this order.
 * @source go-algorand, data/transactions/checks.go: checkTxnGroupID
 */
export const checkGroup = (group: readonly AlgodSubmission[]): Ruling<undefined> => {
  const named = group[0]?.transaction.group;
  if (named === undefined) {
    return group.length === 1
      ? granted(undefined)
      : refusedWith(`transactionGroup: [0] had zero Group but was submitted in a group of ${group.length}`);
  }
  const other = group.find(({ transaction }) => nameOf(transaction.group) !== nameOf(named));
  if (other !== undefined) {
    return refusedWith(
      `transactionGroup: inconsistent group values: ${nameOf(other.transaction.group)} != ${nameOf(named)}`,
    );
  }
  const computed = nameOf(groupDigest(group.map(({ fields }) => fields)));
  return computed === nameOf(named)
    ? granted(undefined)
    : refusedWith(`transactionGroup: incomplete group: ${nameOf(named)} != ${computed}`);
};
