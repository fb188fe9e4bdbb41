import type { BitcoindFeeRate } from "../fee-rate.ts";
import {
  type BitcoindOutpoint,
  type BitcoindSerialisedTransaction,
  outpointKey,
} from "../transaction/transaction.ts";

export interface MempoolEntry {
  readonly transaction: BitcoindSerialisedTransaction;
  /** satoshis */
  readonly fee: bigint;
  /** time of arrival, in seconds since 1970 */
  readonly time: number;
  /** height of the chain at its arrival */
  readonly height: number;
  /** the first height whose block may hold it: an operator can delay it */
  readonly notBefore: number;
}

/** The waiting transactions, parents before children. */
export interface BitcoindMempool {
  readonly entries: ReadonlyMap<string, MempoolEntry>;
  /** the txid of the transaction that spends each outpoint */
  readonly spenders: ReadonlyMap<string, string>;
  /** the minimum fee rate after evictions, until the next block */
  readonly floor: BitcoindFeeRate;
}

export const EMPTY_MEMPOOL: BitcoindMempool = { entries: new Map(), spenders: new Map(), floor: 0n };

export const spenderOf = ({ spenders }: BitcoindMempool, outpoint: BitcoindOutpoint): string | undefined =>
  spenders.get(outpointKey(outpoint));

/** Adds a transaction; its inputs must be unspent in the mempool. */
export const withEntry = (mempool: BitcoindMempool, entry: MempoolEntry): BitcoindMempool => {
  const { txid, inputs } = entry.transaction;
  const spenders = new Map(mempool.spenders);
  for (const input of inputs) spenders.set(outpointKey(input), txid);
  return { ...mempool, entries: new Map(mempool.entries).set(txid, entry), spenders };
};

/** Removes transactions, which must include all descendants of each. */
export const withoutEntries = (mempool: BitcoindMempool, txids: ReadonlySet<string>): BitcoindMempool => {
  if (txids.size === 0) return mempool;
  const [entries, spenders] = [new Map(mempool.entries), new Map(mempool.spenders)];
  for (const txid of txids) {
    for (const input of entries.get(txid)?.transaction.inputs ?? []) spenders.delete(outpointKey(input));
    entries.delete(txid);
  }
  return { ...mempool, entries, spenders };
};
