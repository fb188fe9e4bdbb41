import type { BitcoindTransaction } from "../transaction/transaction.ts";
import { type BitcoindMempool, type MempoolEntry, spenderOf } from "./mempool.ts";

/** @returns txids of the waiting transactions whose outputs it spends */
export const waitingParentsOf = (
  mempool: BitcoindMempool,
  { inputs }: BitcoindTransaction,
): ReadonlySet<string> => new Set(inputs.map(({ txid }) => txid).filter((txid) => mempool.entries.has(txid)));

/** @returns txids of the waiting transactions that spend its outputs */
export const waitingChildrenOf = (
  mempool: BitcoindMempool,
  { transaction }: MempoolEntry,
): ReadonlySet<string> => {
  const { txid, outputs } = transaction;
  const spenders = outputs.map((_, index) => spenderOf(mempool, { txid, index }));
  return new Set(spenders.filter((spender) => spender !== undefined));
};

/** The transitive closure of a relation between transactions. */
const closure = (
  mempool: BitcoindMempool,
  from: ReadonlySet<string>,
  next: (entry: MempoolEntry) => ReadonlySet<string>,
): ReadonlySet<string> => {
  const found = new Set(from);
  for (const txid of found) {
    const entry = mempool.entries.get(txid);
    if (entry !== undefined) for (const each of next(entry)) found.add(each);
  }
  return found;
};

/** The unconfirmed ancestors of a transaction, itself excluded; it need not be in the mempool. */
export const ancestorsOf = (
  mempool: BitcoindMempool,
  transaction: BitcoindTransaction,
): ReadonlySet<string> =>
  closure(mempool, waitingParentsOf(mempool, transaction), (entry) =>
    waitingParentsOf(mempool, entry.transaction),
  );

/** These transactions and all their descendants. */
export const withDescendants = (mempool: BitcoindMempool, txids: ReadonlySet<string>): ReadonlySet<string> =>
  closure(mempool, txids, (entry) => waitingChildrenOf(mempool, entry));

export interface FamilySize {
  readonly count: number;
  readonly virtualSize: number;
  /** satoshis */
  readonly fee: bigint;
}

export const sizeOfEntries = (mempool: BitcoindMempool, txids: Iterable<string>): FamilySize => {
  let [count, virtualSize, fee] = [0, 0, 0n];
  for (const txid of txids) {
    const entry = mempool.entries.get(txid);
    if (entry === undefined) continue;
    count += 1;
    virtualSize += entry.transaction.virtualSize;
    fee += entry.fee;
  }
  return { count, virtualSize, fee };
};
