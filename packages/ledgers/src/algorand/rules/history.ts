import { hexToBytes } from "@noble/hashes/utils.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { addressOfKey } from "../address.ts";
import type { AlgodSubmission, AlgodTransaction } from "../transaction/transaction.ts";

/** What one block, or the transactions that wait for the next one, keep others from doing. */
export interface AlgodPast {
  readonly ids: ReadonlySet<string>;
  /** the last round in which each lease is held, by sender and lease */
  readonly leases: ReadonlyMap<string, bigint>;
}

export const NO_PAST: AlgodPast = { ids: new Set(), leases: new Map() };

/** Leases of two senders are two. */
const leaseOf = ({ sender, lease }: AlgodTransaction): string | undefined => lease && `${sender} ${lease}`;

export const withPast = (past: AlgodPast, group: readonly AlgodSubmission[]): AlgodPast => {
  const [ids, leases] = [new Set(past.ids), new Map(past.leases)];
  for (const { id, transaction } of group) {
    ids.add(id);
    const lease = leaseOf(transaction);
    if (lease !== undefined) leases.set(lease, transaction.lastValid);
  }
  return { ids, leases };
};

/**
 * Whether a transaction is new, and nobody holds its lease. A confirmed transaction holds its lease until its own last
 * valid round has passed.
 * @param pasts of all blocks in which a transaction that is still valid can stand, and of those that wait
 * @param round of the block that is being made
 * @source go-algorand, ledger/eval/cow.go: checkDup
 */
export const checkNew = (
  { id, transaction }: AlgodSubmission,
  pasts: readonly AlgodPast[],
  round: bigint,
): Ruling<undefined> => {
  if (pasts.some(({ ids }) => ids.has(id))) return refusedWith(`transaction already in ledger: ${id}`);
  const key = leaseOf(transaction);
  if (key === undefined || transaction.lease === undefined) return granted(undefined);
  if (!pasts.some(({ leases }) => round <= (leases.get(key) ?? -1n))) return granted(undefined);
  const lease = addressOfKey(hexToBytes(transaction.lease));
  return refusedWith(
    `transaction ${id} using an overlapping lease (sender, lease):(${transaction.sender}, ${lease})`,
  );
};
