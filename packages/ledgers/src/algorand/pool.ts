import { granted, type Ruling, refusedWith } from "../ruling.ts";
import { type AlgodBooks, laidUpon } from "./books.ts";
import { type EvaluationContext, evaluateGroup } from "./rules/evaluate.ts";
import { checkPoolFees } from "./rules/fees.ts";
import { type AlgodPast, NO_PAST, withPast } from "./rules/history.ts";
import type { AlgodSubmission } from "./transaction/transaction.ts";

/**
 * Maximum number of waiting transactions. A node's default is higher; this ledger evaluates all of them again with every
 * block.
 */
const MOST_TRANSACTIONS_POOLED = 2_000;
/** A node remembers this many transactions that its pool removed, with the reasons. */
const MOST_FAILED_REMEMBERED = 1_000;

export interface PooledGroup {
  readonly group: readonly AlgodSubmission[];
  /** the first round whose block may hold the group: an operator can delay it */
  readonly notBefore: bigint;
}

export interface FailedTransaction {
  readonly submission: AlgodSubmission;
  readonly message: string;
}

/** The waiting transactions in their order of arrival, with the books as they would be after them. */
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
 * Adds a group to the pool, if it is valid in the next block after the waiting groups.
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

/** Rebuilds the pool on changed books: groups that are no longer valid fail. */
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
