import { type JavaTronContext, JavaTronNotTaken } from "./rules/applied.ts";
import { tryOutJavaTron } from "./rules/carry-out.ts";
import { checkJavaTronValidity, type JavaTronPast } from "./rules/validity.ts";
import { type JavaTronState, type JavaTronWaiting, latestJavaTronBlock, referenceHashIn } from "./state.ts";
import { checkJavaTronSignature } from "./transaction/signature.ts";
import type { JavaTronSubmission } from "./transaction/transaction.ts";

/** Transactions that wait. java-tron's maxTransactionPendingSize. */
const MOST_WAITING = 2_000;

/**
 * The next block is so much later than the last one: a transaction that is over by then is not taken. @source
 * TransactionCapsule.checkExpiration
 */
const SLOT_MS = 3_000;

/** The base of the next transaction's checks. */
const pastOf = (state: JavaTronState): JavaTronPast => ({
  referenceHash: referenceHashIn(state),
  headTime: latestJavaTronBlock(state).time,
  isKnown: (id) =>
    state.forgotten.has(id) ||
    state.waiting.some(({ submission }) => submission.id === id) ||
    state.blocks.some(({ transactions }) => transactions.has(id)),
});

const nextBlockOf = (state: JavaTronState): JavaTronContext => {
  const { number, time } = latestJavaTronBlock(state);
  return { prices: state.prices, number: number + 1, time, headTime: time };
};

/** @throws JavaTronNotTaken */
const joined = (state: JavaTronState, waiting: JavaTronWaiting): JavaTronState => {
  checkJavaTronValidity(waiting.submission, pastOf(state));
  const pendingBooks = tryOutJavaTron(state.pendingBooks, waiting.submission, nextBlockOf(state));
  return { ...state, pendingBooks, waiting: [...state.waiting, waiting] };
};

/**
 * Takes a transaction to those that wait, as a node takes one that is broadcast.
 * @source java-tron, Wallet.broadcastTransaction; Manager.pushTransaction
 * @throws JavaTronNotTaken
 */
export const pooledJavaTron = (state: JavaTronState, submission: JavaTronSubmission): JavaTronState => {
  if (state.waiting.length >= MOST_WAITING) throw new JavaTronNotTaken("SERVER_BUSY", "Server busy.");
  if (pastOf(state).isKnown(submission.id)) {
    throw new JavaTronNotTaken("DUP_TRANSACTION_ERROR", "Transaction already exists.");
  }
  if (submission.transaction.expiration < latestJavaTronBlock(state).time + SLOT_MS) {
    throw new JavaTronNotTaken("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
  }
  const signed = checkJavaTronSignature(submission);
  if (!signed.ok) throw new JavaTronNotTaken("SIGERROR", `Validate signature error: ${signed.message}`);
  return joined(state, { submission, notBefore: 0 });
};

/** The ledger with these waiting; a transaction that can stand in no block any more is forgotten, as at a node. */
export const refilledJavaTron = (
  state: JavaTronState,
  waiting: readonly JavaTronWaiting[],
): JavaTronState => {
  let filled: JavaTronState = { ...state, waiting: [], pendingBooks: state.books };
  for (const each of waiting) {
    try {
      filled = joined(filled, each);
    } catch (error) {
      if (!(error instanceof JavaTronNotTaken)) throw error;
    }
  }
  return filled;
};
