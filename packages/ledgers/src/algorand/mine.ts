import { type ConfirmedTransaction, makeBlock } from "./block.ts";
import { type AlgodBooks, laidUpon, settled } from "./books.ts";
import { type FailedTransaction, type PooledGroup, refilledPool, withFailed } from "./pool.ts";
import { type EvaluationContext, evaluateGroup } from "./rules/evaluate.ts";
import { type AlgodPast, NO_PAST, withPast } from "./rules/history.ts";
import { type AlgodState, contextOfNextBlock, keptBlocks, latestBlock } from "./state.ts";

/** MaxTxnBytesPerBlock of the protocol. */
const BLOCK_BYTES_MAX = 5 * 1024 * 1024;

interface Assembly {
  readonly books: AlgodBooks;
  readonly past: AlgodPast;
  readonly confirmed: readonly ConfirmedTransaction[];
  readonly bytes: number;
  /** groups that stay in the pool: delayed, or beyond this block's size */
  readonly left: readonly PooledGroup[];
  readonly failed: ReadonlyMap<string, FailedTransaction>;
}

const sizeOf = ({ group }: PooledGroup): number => group.reduce((sum, { size }) => sum + size, 0);

const withGroup = (assembly: Assembly, pooled: PooledGroup, context: EvaluationContext): Assembly => {
  const bytes = assembly.bytes + sizeOf(pooled);
  if (pooled.notBefore > context.round || bytes > BLOCK_BYTES_MAX) {
    return { ...assembly, left: [...assembly.left, pooled] };
  }
  const pasts = { ...context.pasts, waiting: [...context.pasts.waiting, assembly.past] };
  const evaluated = evaluateGroup(assembly.books, pooled.group, { ...context, pasts });
  if (!evaluated.ok) {
    return { ...assembly, failed: withFailed(assembly.failed, pooled.group, evaluated.message) };
  }
  const { books, applied } = evaluated.value;
  const confirmed = pooled.group.flatMap((submission, at): readonly ConfirmedTransaction[] => {
    const data = applied[at];
    return data === undefined ? [] : [{ submission, applied: data, round: context.round }];
  });
  return {
    ...assembly,
    books,
    bytes,
    past: withPast(assembly.past, pooled.group),
    confirmed: [...assembly.confirmed, ...confirmed],
  };
};

/**
 * Makes the next block of the waiting transactions. A block is final at once: Algorand has no reorganisations.
 * @param time seconds since 1970; a block is never older than the one before
 */
export const mineBlock = (state: AlgodState, time: bigint): AlgodState => {
  const [context, latest] = [contextOfNextBlock(state), latestBlock(state)];
  const { pool } = state;
  const start: Assembly = {
    books: laidUpon(state.books),
    past: NO_PAST,
    confirmed: [],
    bytes: 0,
    left: [],
    failed: pool.failed,
  };
  const made = pool.groups.reduce((assembly, pooled) => withGroup(assembly, pooled, context), start);
  const books = settled(made.books);
  const block = makeBlock(state.genesis, {
    round: context.round,
    time: time > latest.time ? time : latest.time,
    previous: latest.hash,
    transactionCount: books.transactionCount,
    transactions: made.confirmed,
    past: made.past,
  });
  const mined = { ...state, books, blocks: keptBlocks([...state.blocks, block]) };
  return { ...mined, pool: refilledPool(books, made.left, made.failed, contextOfNextBlock(mined)) };
};
