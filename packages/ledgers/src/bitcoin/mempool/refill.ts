import type { BitcoindChain } from "../chain/chain.ts";
import type { BitcoindFeeRate } from "../fee-rate.ts";
import { checkAmounts } from "../rules/amounts.ts";
import { checkLockTime, checkSequenceLocks } from "../rules/locks.ts";
import { outpointKey } from "../transaction/transaction.ts";
import { nextBlockOf } from "./admission.ts";
import { type BitcoindMempool, type MempoolEntry, spenderOf } from "./mempool.ts";
import { coinsIn } from "./spendable.ts";

/**
 * Rebuilds the mempool after the chain changed: transactions that are no longer valid are dropped with their descendants.
 * Signatures and fees need no new check, because an outpoint always names the same output.
 * @param waiting parents before children; of two that spend the same output, the first stays
 */
export const refilledMempool = (
  chain: BitcoindChain,
  waiting: Iterable<MempoolEntry>,
  floor: BitcoindFeeRate,
): BitcoindMempool => {
  const next = nextBlockOf(chain);
  const entries = new Map<string, MempoolEntry>();
  const spenders = new Map<string, string>();
  const mempool = { entries, spenders, floor };
  for (const entry of waiting) {
    const { transaction } = entry;
    const { txid, inputs } = transaction;
    const coins = coinsIn(chain, mempool, inputs);
    const isFree = inputs.every((input) => spenderOf(mempool, input) === undefined);
    if (coins === undefined || !isFree || entries.has(txid)) continue;
    const rulings = [
      checkLockTime(transaction, next),
      checkSequenceLocks(transaction, coins, next),
      checkAmounts(transaction, coins, next.height),
    ];
    if (!rulings.every(({ ok }) => ok)) continue;
    entries.set(txid, entry);
    for (const input of inputs) spenders.set(outpointKey(input), txid);
  }
  return mempool;
};
