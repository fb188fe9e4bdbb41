import { mergedRippledBooks, type RippledBooks, rippledAccountIn, rippledBooksUpon } from "./books.ts";
import { isRetried, type RippledEngineResult } from "./engine-result.ts";
import { carryOutRippled } from "./rules/carry-out.ts";
import type { RippledContext } from "./rules/context.ts";
import { openLedgerCost } from "./rules/fees.ts";
import { checkTurn } from "./rules/preclaim.ts";
import { rippledPreflight } from "./rules/preflight.ts";
import { judgeForQueue, sameTurn } from "./rules/queue.ts";
import type { RippledTransaction } from "./transaction/transaction.ts";

/**
 * Maximum number of waiting transactions, in all places together. A node's limits are higher; this ledger tries all of
 * them again with every ledger.
 */
const MOST_WAITING = 2_000;
const MOST_HELD = 500;

/**
 * Where a transaction waits: in the open ledger, for the next close; in the queue, until the open ledger's fee falls; or
 * held, until its sequence number is due.
 */
export type RippledPlace = "open" | "queued" | "held";

export interface RippledWaiting {
  readonly transaction: RippledTransaction;
  readonly place: RippledPlace;
  /** the first ledger that may hold it: an operator can delay it */
  readonly notBefore: number;
}

/** The waiting transactions in their order of arrival, with the books as the open ledger has them. */
export interface RippledOpenLedger {
  readonly waiting: readonly RippledWaiting[];
  readonly books: RippledBooks;
}

export interface RippledSubmitted {
  readonly open: RippledOpenLedger;
  readonly result: RippledEngineResult;
  /** where the transaction waits now; undefined if it does not */
  readonly place: RippledPlace | undefined;
}

export const emptyRippledOpenLedger = (closed: RippledBooks): RippledOpenLedger => ({
  waiting: [],
  books: rippledBooksUpon(closed),
});

export const waitingIn = ({ waiting }: RippledOpenLedger, hash: string): RippledWaiting | undefined =>
  waiting.find(({ transaction }) => transaction.hash === hash);

export const transactionsIn = (
  { waiting }: RippledOpenLedger,
  place: RippledPlace,
): readonly RippledTransaction[] =>
  waiting.filter((each) => each.place === place).map(({ transaction }) => transaction);

/** Adds a transaction, and removes those with the same sequence number or ticket. */
const placed = (open: RippledOpenLedger, added: RippledWaiting): RippledOpenLedger => ({
  ...open,
  waiting: [...open.waiting.filter((each) => !sameTurn(each.transaction, added.transaction)), added],
});

const isItsTurn = ({ books }: RippledOpenLedger, transaction: RippledTransaction): boolean => {
  const account = rippledAccountIn(books, transaction.account);
  return account !== undefined && checkTurn(transaction, account) === undefined;
};

/** Whether a transaction pays the open ledger's fee and its sequence number is due, so that it is tried there. */
const goesIntoTheOpenLedger = (
  open: RippledOpenLedger,
  transaction: RippledTransaction,
  { fees }: RippledContext,
): boolean => transaction.fee >= openLedgerCost(fees) && isItsTurn(open, transaction);

interface Submission {
  readonly transaction: RippledTransaction;
  readonly notBefore: number;
  /** drop the transaction unless it succeeds in the open ledger at once */
  readonly failHard: boolean;
}

const held = (
  open: RippledOpenLedger,
  { transaction, notBefore }: Submission,
): RippledOpenLedger | undefined => {
  const others = open.waiting.filter((each) => each.transaction.hash !== transaction.hash);
  const isFull = others.filter(({ place }) => place === "held").length >= MOST_HELD;
  return isFull || others.length >= MOST_WAITING
    ? undefined
    : { ...open, waiting: [...others, { transaction, place: "held", notBefore }] };
};

/** Places one transaction; held ones that may follow it are not tried. */
const placeOne = (
  open: RippledOpenLedger,
  submission: Submission,
  context: RippledContext,
): RippledSubmitted => {
  const { transaction, notBefore, failHard } = submission;
  const refusal = rippledPreflight(transaction, context);
  const unplaced = (result: RippledEngineResult): RippledSubmitted => ({ open, result, place: undefined });
  if (refusal !== undefined) return unplaced(refusal);
  if (waitingIn(open, transaction.hash)?.place === "open") return unplaced("tefALREADY");
  if (open.waiting.length >= MOST_WAITING) return unplaced("telCAN_NOT_QUEUE_FULL");
  const tried = goesIntoTheOpenLedger(open, transaction, context)
    ? carryOutRippled(open.books, transaction, context)
    : { result: judgeForQueue(open, submission, context), books: undefined };
  const { result } = tried;
  if (tried.books !== undefined) {
    if (failHard && result !== "tesSUCCESS") return unplaced(result);
    const applied = { ...open, books: mergedRippledBooks(tried.books) };
    return { open: placed(applied, { transaction, place: "open", notBefore }), result, place: "open" };
  }
  if (result === "terQUEUED") {
    return { open: placed(open, { transaction, place: "queued", notBefore }), result, place: "queued" };
  }
  const kept = isRetried(result) && !failHard ? held(open, submission) : undefined;
  return kept === undefined ? unplaced(result) : { open: kept, result, place: "held" };
};

/** Tries the held transactions whose sequence number is due now, one after another, each once. */
const withHeldPlaced = (start: RippledOpenLedger, context: RippledContext): RippledOpenLedger => {
  const tried = new Set<string>();
  let open = start;
  const isDue = ({ place, transaction }: RippledWaiting): boolean =>
    place === "held" && !tried.has(transaction.hash) && isItsTurn(open, transaction);
  for (let next = open.waiting.find(isDue); next !== undefined; next = open.waiting.find(isDue)) {
    const due = next;
    tried.add(due.transaction.hash);
    const without = { ...open, waiting: open.waiting.filter((each) => each !== due) };
    open = placeOne(without, { ...due, failHard: false }, context).open;
  }
  return open;
};

/**
 * Puts a transaction into the open ledger or the queue, or holds it for later, as a node does.
 * @param failHard drop the transaction unless it succeeds in the open ledger at once
 * @source rippled, src/xrpld/app/misc/detail/TxQ.cpp: apply; NetworkOPs.cpp: apply
 */
export const submitTo = (
  open: RippledOpenLedger,
  transaction: RippledTransaction,
  context: RippledContext,
  failHard: boolean,
): RippledSubmitted => {
  const submitted = placeOne(open, { transaction, notBefore: 0, failHard }, context);
  return submitted.place === "open"
    ? { ...submitted, open: withHeldPlaced(submitted.open, context) }
    : submitted;
};

const isExpired = ({ lastLedgerSequence }: RippledTransaction, { ledgerIndex }: RippledContext): boolean =>
  lastLedgerSequence !== undefined && lastLedgerSequence < ledgerIndex;

/** Tries a transaction of the last open ledger again in the next one; if it is no longer valid, it is held or dropped. */
const withReapplied = (
  open: RippledOpenLedger,
  each: RippledWaiting,
  context: RippledContext,
): RippledOpenLedger => {
  const { result, books } = carryOutRippled(open.books, each.transaction, context);
  if (books !== undefined) return placed({ ...open, books: mergedRippledBooks(books) }, each);
  return isRetried(result) ? (held(open, { ...each, failHard: false }) ?? open) : open;
};

/** The transaction that leaves the queue next: of those that can go into the open ledger, the one with the highest fee. */
const nextOfQueue = (open: RippledOpenLedger, context: RippledContext): RippledWaiting | undefined =>
  open.waiting
    .filter(
      ({ place, transaction }) => place === "queued" && goesIntoTheOpenLedger(open, transaction, context),
    )
    .reduce<RippledWaiting | undefined>(
      (best, each) => (best !== undefined && best.transaction.fee >= each.transaction.fee ? best : each),
      undefined,
    );

const withQueueDrained = (start: RippledOpenLedger, context: RippledContext): RippledOpenLedger => {
  let open = start;
  for (let next = nextOfQueue(open, context); next !== undefined; next = nextOfQueue(open, context)) {
    const leaving = next;
    const without = { ...open, waiting: open.waiting.filter((each) => each !== leaving) };
    open = withReapplied(without, { ...leaving, place: "open" }, context);
  }
  return open;
};

/** Whether a waiting transaction can still become valid. */
const canStillCome = (
  books: RippledBooks,
  { transaction }: RippledWaiting,
  context: RippledContext,
): boolean => {
  const account = rippledAccountIn(books, transaction.account);
  if (isExpired(transaction, context)) return false;
  const turn = account && checkTurn(transaction, account);
  return turn === undefined || isRetried(turn);
};

/**
 * Rebuilds the open ledger after the books below it changed.
 * @param waiting the waiting transactions, in their order of arrival
 * @param closed the books of the latest closed ledger
 */
export const reopened = (
  waiting: readonly RippledWaiting[],
  closed: RippledBooks,
  context: RippledContext,
): RippledOpenLedger => {
  const wasOpen = waiting.filter(({ place }) => place === "open");
  const later = waiting.filter((each) => each.place !== "open" && canStillCome(closed, each, context));
  const start = { ...emptyRippledOpenLedger(closed), waiting: later };
  const open = wasOpen.reduce<RippledOpenLedger>((now, each) => withReapplied(now, each, context), start);
  return withHeldPlaced(withQueueDrained(open, context), context);
};
