import type { BitcoindTransaction } from "../transaction/transaction.ts";
import { type BitcoindMempool, type MempoolEntry, spenderOf } from "./mempool.ts";

/** @returns txids of what waits and is spent by it */
export const waitingParentsOf = (
  mempool: BitcoindMempool,
  { inputs }: BitcoindTransaction,
): ReadonlySet<string> => new Set(inputs.map(({ txid }) => txid).filter((txid) => mempool.entries.has(txid)));

/** @returns txids of what waits and spends it */
export const waitingChildrenOf = (
  mempool: BitcoindMempool,
  { transaction }: MempoolEntry,
): ReadonlySet<string> => {
  const { txid, outputs } = transaction;
  const spenders = outputs.map((_, index) => spenderOf(mempool, { txid, index }));
  return new Set(spenders.filter((spender) => spender !== undefined));
};

/** Follows a relation until nothing new comes. */
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

/** The transactions that have to be in a block before it, without itself; it may be new. */
export const ancestorsOf = (
  mempool: BitcoindMempool,
  transaction: BitcoindTransaction,
): ReadonlySet<string> =>
  closure(mempool, waitingParentsOf(mempool, transaction), (entry) =>
    waitingParentsOf(mempool, entry.transaction),
  );

/** These, and all that cannot be without them. */
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
