import { hexToBytes } from "@noble/hashes/utils.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { addressOfKey } from "../address.ts";
import type { AlgodSubmission, AlgodTransaction } from "../transaction/transaction.ts";

/** The acts of others that one block, or the transactions that wait for the next one, exclude. */
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

/** Where a transaction may have been before. */
export interface AlgodPasts {
  /** of all blocks in which a transaction that is still valid can stand */
  readonly blocks: readonly AlgodPast[];
  /** of what stands before it in the block that is being made, or in the pool */
  readonly waiting: readonly AlgodPast[];
}

/**
 * Whether a transaction is new, and nobody holds its lease. A confirmed transaction holds its lease until its own last
 * valid round has passed. Of what waits a node looks at the id first, and of what its blocks hold at the lease: so it names a
 * leased transaction of its blocks as one whose lease is held, by itself.
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
