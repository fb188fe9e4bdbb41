import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { BitcoindSerialisedTransaction } from "../transaction/transaction.ts";
import type { BitcoindMempool } from "./mempool.ts";
import { ancestorsOf, sizeOfEntries, withDescendants } from "./relatives.ts";

/** maximum number of a transaction's unconfirmed ancestors, or of its descendants, itself included */
const MOST_RELATED = 25;
/** maximum size of these in virtual bytes */
const MOST_RELATED_SIZE = 101_000;

const tooLong = (words: string): Ruling<never> => refusedWith(`too-long-mempool-chain, ${words}`);

/**
 * The limits on chains of unconfirmed transactions.
 * @param mempool without the transactions that this one replaces
 * @source Bitcoin Core 29, src/txmempool.cpp: CalculateAncestorsAndCheckLimits
 */
export const checkChainLimits = (
  mempool: BitcoindMempool,
  transaction: BitcoindSerialisedTransaction,
): Ruling<undefined> => {
  const ancestors = ancestorsOf(mempool, transaction);
  for (const txid of ancestors) {
    const family = sizeOfEntries(mempool, withDescendants(mempool, new Set([txid])));
    if (family.virtualSize + transaction.virtualSize > MOST_RELATED_SIZE) {
      return tooLong(`exceeds descendant size limit for tx ${txid} [limit: ${MOST_RELATED_SIZE}]`);
    }
    if (family.count + 1 > MOST_RELATED) {
      return tooLong(`too many descendants for tx ${txid} [limit: ${MOST_RELATED}]`);
    }
  }
  const above = sizeOfEntries(mempool, ancestors);
  if (above.virtualSize + transaction.virtualSize > MOST_RELATED_SIZE) {
    return tooLong(`exceeds ancestor size limit [limit: ${MOST_RELATED_SIZE}]`);
  }
  return above.count + 1 > MOST_RELATED
    ? tooLong(`too many unconfirmed ancestors [limit: ${MOST_RELATED}]`)
    : granted(undefined);
};
