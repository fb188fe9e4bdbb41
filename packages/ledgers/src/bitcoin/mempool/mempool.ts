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
  /** when it came, in seconds since 1970 */
  readonly time: number;
  /** of the chain when it came */
  readonly height: number;
  /** the first height whose block may hold it: an operator can delay it */
  readonly notBefore: number;
}

/** The waiting transactions. Parents stand before their children. */
export interface BitcoindMempool {
  readonly entries: ReadonlyMap<string, MempoolEntry>;
  /** the txid of the transaction that spends each outpoint */
  readonly spenders: ReadonlyMap<string, string>;
  /** the least fee since the mempool was full, until the next block */
  readonly floor: BitcoindFeeRate;
}

export const EMPTY_MEMPOOL: BitcoindMempool = { entries: new Map(), spenders: new Map(), floor: 0n };

export const spenderOf = ({ spenders }: BitcoindMempool, outpoint: BitcoindOutpoint): string | undefined =>
  spenders.get(outpointKey(outpoint));

/** The mempool with one more; all that it spends has to be free. */
export const withEntry = (mempool: BitcoindMempool, entry: MempoolEntry): BitcoindMempool => {
  const { txid, inputs } = entry.transaction;
  const spenders = new Map(mempool.spenders);
  for (const input of inputs) spenders.set(outpointKey(input), txid);
  return { ...mempool, entries: new Map(mempool.entries).set(txid, entry), spenders };
};

/** The mempool without some, whose descendants have to be among them. */
export const withoutEntries = (mempool: BitcoindMempool, txids: ReadonlySet<string>): BitcoindMempool => {
  if (txids.size === 0) return mempool;
  const [entries, spenders] = [new Map(mempool.entries), new Map(mempool.spenders)];
  for (const txid of txids) {
    for (const input of entries.get(txid)?.transaction.inputs ?? []) spenders.delete(outpointKey(input));
    entries.delete(txid);
  }
  return { ...mempool, entries, spenders };
};
