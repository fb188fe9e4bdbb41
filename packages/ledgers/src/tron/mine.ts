import { type JavaTronConfirmed, javaTronIdBytes, sealJavaTronBlock } from "./block.ts";
import { refilledJavaTron } from "./pool.ts";
import { type AskingForRuns, JavaTronNotTaken, type JavaTronRun } from "./rules/applied.ts";
import { carryOutJavaTron } from "./rules/carry-out.ts";
import {
  BLOCKS_UNTIL_SOLID,
  type JavaTronState,
  type JavaTronWaiting,
  latestJavaTronBlock,
  trimmedJavaTron,
} from "./state.ts";

/**
 * Makes the next block of the waiting transactions, and yields each contract that has to run. The caller supplies the
 * runs: from the engine when the block is made, from the journal when the ledger restarts.
 * @param time milliseconds since 1970; a block is always younger than the one before
 */
export function* makeJavaTronBlock(state: JavaTronState, time: number): AskingForRuns<JavaTronState> {
  const head = latestJavaTronBlock(state);
  const context = {
    prices: state.prices,
    number: head.number + 1,
    time: Math.max(time, head.time + 1),
    headTime: head.time,
  };
  let { books } = state;
  const confirmed: JavaTronConfirmed[] = [];
  const later: JavaTronWaiting[] = [];
  for (const waiting of state.waiting) {
    const { submission, notBefore } = waiting;
    if (notBefore > context.number) {
      later.push(waiting);
      continue;
    }
    if (submission.transaction.expiration <= head.time) continue;
    try {
      const applied = yield* carryOutJavaTron(books, submission, context);
      books = applied.books;
      confirmed.push({ submission, receipt: applied.receipt });
    } catch (error) {
      // not valid when its turn came: as a node does, this drops it without notice
      if (!(error instanceof JavaTronNotTaken)) throw error;
    }
  }
  const content = { ...context, parent: javaTronIdBytes(head), transactions: confirmed };
  const made: JavaTronState = {
    ...state,
    books,
    recentBooks: [...state.recentBooks, books].slice(-1 - BLOCKS_UNTIL_SOLID),
    blocks: [...state.blocks, sealJavaTronBlock(state.genesis.witness.address, content)],
  };
  return refilledJavaTron(trimmedJavaTron(made), later);
}

/** Makes a block from runs that have already happened. @param runs of its contracts, in order */
export const javaTronBlockOfRuns = (
  state: JavaTronState,
  time: number,
  runs: readonly JavaTronRun[],
): JavaTronState => {
  const making = makeJavaTronBlock(state, time);
  let step = making.next();
  for (const run of runs) {
    if (step.done === true) break;
    step = making.next(run);
  }
  if (step.done !== true) throw new RangeError("a contract of the block has not run");
  return step.value;
};
