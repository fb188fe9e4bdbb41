import { type BitcoindFeeRate, feeRateOf, highestRate } from "../fee-rate.ts";
import type { BitcoindFees } from "../fees.ts";
import { type BitcoindMempool, withoutEntries } from "./mempool.ts";
import { sizeOfEntries, withDescendants } from "./relatives.ts";

/**
 * Maximum number of waiting transactions. A node limits bytes; this ledger checks every transaction again with every
 * block.
 */
const MOST_WAITING = 2_000;

/** The transaction with the lowest fee rate, descendants included. */
const cheapest = (
  mempool: BitcoindMempool,
): { readonly txid: string; readonly rate: BitcoindFeeRate } | undefined => {
  let found: { readonly txid: string; readonly rate: BitcoindFeeRate } | undefined;
  for (const [txid, { fee, transaction }] of mempool.entries) {
    const family = sizeOfEntries(mempool, withDescendants(mempool, new Set([txid])));
    const rate = highestRate(
      feeRateOf(fee, transaction.virtualSize),
      feeRateOf(family.fee, family.virtualSize),
    );
    if (found === undefined || rate < found.rate) found = { txid, rate };
  }
  return found;
};

/**
 * Keeps the mempool within its limit: the cheapest packages are evicted, and new transactions must pay more than those
 * did.
 * @source Bitcoin Core 29, src/txmempool.cpp: TrimToSize
 */
export const trimmedMempool = (
  mempool: BitcoindMempool,
  fees: BitcoindFees,
  most = MOST_WAITING,
): BitcoindMempool => {
  if (mempool.entries.size <= most) return mempool;
  const going = cheapest(mempool);
  if (going === undefined) return mempool;
  const left = withoutEntries(mempool, withDescendants(mempool, new Set([going.txid])));
  const floor = highestRate(going.rate + fees.incrementalRelay, left.floor);
  return trimmedMempool({ ...left, floor }, fees, most);
};
