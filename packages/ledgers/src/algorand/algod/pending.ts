import type { MsgpackMap, MsgpackValue } from "../msgpack.ts";
import { pooledIn } from "../pool.ts";
import { type AlgodState, confirmedIn } from "../state.ts";
import type { AlgodSubmission } from "../transaction/transaction.ts";

/** A pending transaction as a node encodes it; an empty pool error means that the transaction waits. */
const pendingMap = (
  { signedFields }: AlgodSubmission,
  poolError: string,
  more: readonly (readonly [string, MsgpackValue])[],
): MsgpackMap => new Map<string, MsgpackValue>([["pool-error", poolError], ["txn", signedFields], ...more]);

/** A node writes these fields, although no account earns rewards. */
const REWARDS = ["sender-rewards", "receiver-rewards", "close-rewards"].map((key) => [key, 0n] as const);

/**
 * GET /v2/transactions/pending/{id}: a transaction that is confirmed, waits, or was removed from the pool.
 * @returns undefined if the ledger does not know the id
 */
export const pendingTransaction = (state: AlgodState, id: string): MsgpackMap | undefined => {
  const confirmed = confirmedIn(state, id);
  if (confirmed !== undefined) {
    const { submission, applied, round } = confirmed;
    const { createdAsset, closingAmount, assetClosingAmount } = applied;
    return pendingMap(submission, "", [
      ["confirmed-round", round],
      ["closing-amount", closingAmount],
      ["asset-closing-amount", assetClosingAmount],
      ...REWARDS,
      ...(createdAsset === undefined ? [] : [["asset-index", createdAsset] as const]),
    ]);
  }
  const waiting = pooledIn(state.pool, id);
  if (waiting !== undefined) return pendingMap(waiting, "", []);
  const failed = state.pool.failed.get(id);
  return failed && pendingMap(failed.submission, failed.message, []);
};

/** GET /v2/transactions/pending. @param most the maximum number of transactions; 0 for all */
export const pendingTransactions = ({ pool }: AlgodState, most: number): MsgpackMap => {
  const waiting = pool.groups.flatMap(({ group }) => group.map(({ signedFields }) => signedFields));
  return new Map<string, MsgpackValue>([
    ["top-transactions", most === 0 ? waiting : waiting.slice(0, most)],
    ["total-transactions", BigInt(waiting.length)],
  ]);
};
