import { granted, type Ruling, refusedWith } from "../ruling.ts";
import { type AlgodBooks, laidUpon } from "./books.ts";
import { type EvaluationContext, evaluateGroup } from "./rules/evaluate.ts";
import { checkPoolFees } from "./rules/fees.ts";
import { type AlgodPast, NO_PAST, withPast } from "./rules/history.ts";
import type { AlgodSubmission } from "./transaction/transaction.ts";

/** Transactions that wait. A node's default is larger; here each is evaluated again with every block. */
const MOST_TRANSACTIONS_POOLED = 2_000;
/** Transactions that a node remembers to have thrown out of its pool, and why. */
const MOST_FAILED_REMEMBERED = 1_000;

export interface PooledGroup {
  readonly group: readonly AlgodSubmission[];
  /** the first round whose block may hold it: an operator can delay it */
  readonly notBefore: bigint;
}

export interface FailedTransaction {
  readonly submission: AlgodSubmission;
  readonly message: string;
}

/** The transactions that wait for the next block: in the order of arrival, with the books as they would be then. */
export interface AlgodPool {
  readonly groups: readonly PooledGroup[];
  readonly books: AlgodBooks;
  readonly past: AlgodPast;
  /** by id, the oldest first */
  readonly failed: ReadonlyMap<string, FailedTransaction>;
}

export const emptyAlgodPool = (
  books: AlgodBooks,
  failed: ReadonlyMap<string, FailedTransaction>,
): AlgodPool => ({ groups: [], books: laidUpon(books), past: NO_PAST, failed });

export const pooledIn = ({ groups }: AlgodPool, id: string): AlgodSubmission | undefined =>
  groups.flatMap(({ group }) => group).find((submission) => submission.id === id);

const added = (pool: AlgodPool, pooled: PooledGroup, context: EvaluationContext): Ruling<AlgodPool> => {
  const evaluated = evaluateGroup(pool.books, pooled.group, {
    ...context,
    pasts: { ...context.pasts, waiting: [...context.pasts.waiting, pool.past] },
  });
  if (!evaluated.ok) return evaluated;
  return granted({
    ...pool,
    groups: [...pool.groups, pooled],
    books: evaluated.value.books,
    past: withPast(pool.past, pooled.group),
  });
};

/**
 * Takes a group into the pool, if it could stand in the next block after those that wait.
 * @source go-algorand, data/pools/transactionPool.go: Remember
 */
export const rememberGroup = (
  pool: AlgodPool,
  group: readonly AlgodSubmission[],
  context: EvaluationContext,
): Ruling<AlgodPool> => {
  const count = pool.groups.reduce((sum, pooled) => sum + pooled.group.length, group.length);
  if (count > MOST_TRANSACTIONS_POOLED) {
    return refusedWith("TransactionPool.checkPendingQueueSize: transaction pool has reached capacity");
  }
  const paid = checkPoolFees(group, context.fees);
  const taken = paid.ok ? added(pool, { group, notBefore: 0n }, context) : paid;
  return taken.ok ? taken : refusedWith(`TransactionPool.Remember: ${taken.message}`);
};

export const withFailed = (
  failed: ReadonlyMap<string, FailedTransaction>,
  group: readonly AlgodSubmission[],
  message: string,
): ReadonlyMap<string, FailedTransaction> => {
  const entries = group.map((submission): [string, FailedTransaction] => [
    submission.id,
    { submission, message },
  ]);
  return new Map([...failed, ...entries].slice(-MOST_FAILED_REMEMBERED));
};

/** The pool after something below it changed: whatever can no longer stand in a block is thrown out. */
export const refilledPool = (
  books: AlgodBooks,
  groups: readonly PooledGroup[],
  failed: ReadonlyMap<string, FailedTransaction>,
  context: EvaluationContext,
): AlgodPool => {
  let pool = emptyAlgodPool(books, failed);
  for (const pooled of groups) {
    const next = added(pool, pooled, context);
    pool = next.ok ? next.value : { ...pool, failed: withFailed(pool.failed, pooled.group, next.message) };
  }
  return pool;
};
