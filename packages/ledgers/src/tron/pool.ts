import { type JavaTronContext, JavaTronNotTaken } from "./rules/applied.ts";
import { tryOutJavaTron } from "./rules/carry-out.ts";
import { checkJavaTronValidity, type JavaTronPast } from "./rules/validity.ts";
import { type JavaTronState, type JavaTronWaiting, latestJavaTronBlock, referenceHashIn } from "./state.ts";
import { checkJavaTronSignature } from "./transaction/signature.ts";
import type { JavaTronSubmission } from "./transaction/transaction.ts";

/** Maximum number of waiting transactions: java-tron's maxTransactionPendingSize. */
const MOST_WAITING = 2_000;

/**
 * Time until the next block: a transaction that expires before that is refused. @source
 * TransactionCapsule.checkExpiration
 */
const SLOT_MS = 3_000;

/** The earlier blocks and transactions against which the next transaction is checked. */
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
 * Adds a transaction to the waiting ones, after a node's checks of a broadcast.
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

/** Replaces the waiting transactions. As at a node, those that are no longer valid are dropped. */
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
