import type { MsgpackMap, MsgpackValue } from "../msgpack.ts";
import { pooledIn } from "../pool.ts";
import { type AlgodState, confirmedIn } from "../state.ts";
import type { AlgodSubmission } from "../transaction/transaction.ts";

/** As a node writes a pending transaction: a pool error of no words says that it waits. */
const pendingMap = (
  { signedFields }: AlgodSubmission,
  poolError: string,
  more: readonly (readonly [string, MsgpackValue])[],
): MsgpackMap => new Map<string, MsgpackValue>([["pool-error", poolError], ["txn", signedFields], ...more]);

/** A node writes them down, though nobody gets any. */
const REWARDS = ["sender-rewards", "receiver-rewards", "close-rewards"].map((key) => [key, 0n] as const);

/**
 * GET /v2/transactions/pending/{id}: a transaction that is confirmed, waits, or was thrown out.
 * @returns undefined if the ledger knows nothing of it
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

/** GET /v2/transactions/pending. @param most 0 for all */
export const pendingTransactions = ({ pool }: AlgodState, most: number): MsgpackMap => {
  const waiting = pool.groups.flatMap(({ group }) => group.map(({ signedFields }) => signedFields));
  return new Map<string, MsgpackValue>([
    ["top-transactions", most === 0 ? waiting : waiting.slice(0, most)],
    ["total-transactions", BigInt(waiting.length)],
  ]);
};
