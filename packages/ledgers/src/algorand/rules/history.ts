import { hexToBytes } from "@noble/hashes/utils.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { addressOfKey } from "../address.ts";
import type { AlgodSubmission, AlgodTransaction } from "../transaction/transaction.ts";

/**
 * The ids and leases of earlier transactions, in one block or among the waiting ones, which later transactions must not
 * repeat.
 */
export interface AlgodPast {
  readonly ids: ReadonlySet<string>;
  /** the last round in which each lease is held, by sender and lease */
  readonly leases: ReadonlyMap<string, bigint>;
}

export const NO_PAST: AlgodPast = { ids: new Set(), leases: new Map() };

/** The key of a lease: leases belong to their sender, so equal leases of two senders differ. */
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

/** Where earlier transactions are looked up. */
export interface AlgodPasts {
  /** every block in which a still valid transaction can stand */
  readonly blocks: readonly AlgodPast[];
  /** the transactions before it in the block being made, or in the pool */
  readonly waiting: readonly AlgodPast[];
}

/**
 * Whether a transaction is new and its lease is free. A confirmed transaction holds its lease until its own last valid
 * round. As a node does, this compares ids first among waiting transactions, but leases first in blocks: a leased
 * transaction that a block already holds is therefore refused because of its own lease.
 * @param round of the block that is being made
 * @source go-algorand, ledger/eval/cow.go: checkDup, and ledger/txtail.go: checkDup
 */
export const checkNew = (
  { id, transaction }: AlgodSubmission,
  { blocks, waiting }: AlgodPasts,
  round: bigint,
): Ruling<undefined> => {
  const isIn = (pasts: readonly AlgodPast[]): boolean => pasts.some(({ ids }) => ids.has(id));
  const key = leaseOf(transaction);
  const isHeldIn = (pasts: readonly AlgodPast[]): boolean =>
    key !== undefined && pasts.some(({ leases }) => round <= (leases.get(key) ?? -1n));
  if (isIn(waiting)) return refusedWith(inLedger(id));
  if (isHeldIn(waiting) || isHeldIn(blocks)) return refusedWith(leaseHeld(id, transaction));
  return isIn(blocks) ? refusedWith(inLedger(id)) : granted(undefined);
};

const inLedger = (id: string): string => `transaction already in ledger: ${id}`;

const leaseHeld = (id: string, { sender, lease = "" }: AlgodTransaction): string =>
  `transaction ${id} using an overlapping lease (sender, lease):(${sender}, ${addressOfKey(hexToBytes(lease))})`;
