import {
  type RippledAccount,
  type RippledBooks,
  rippledAccountIn,
  rippledBooksUpon,
  withRippledAccount,
} from "../books.ts";
import { isOfALedger, type RippledEngineResult } from "../engine-result.ts";
import type { RippledTransaction } from "../transaction/transaction.ts";
import { blocksOthers } from "./account-set.ts";
import type { RippledContext } from "./context.ts";
import { checkTurn, preclaimWithoutTurn } from "./preclaim.ts";

/** rippled's defaults. @source rippled, src/xrpld/app/misc/TxQ.h: Setup */
const MOST_OF_AN_ACCOUNT = 10;
const LEDGERS_TO_LIVE_MIN = 2;
const MOST_QUEUED = 1_000;
const REPLACEMENT_PERCENT = 125n;

/** The part of the open ledger that the queue's rules need. */
interface Queue {
  readonly waiting: readonly {
    readonly transaction: RippledTransaction;
    readonly place: "open" | "queued" | "held";
  }[];
  readonly books: RippledBooks;
}

/** Whether two transactions use the same sequence number or ticket, of which a ledger can hold only one. */
export const sameTurn = (one: RippledTransaction, other: RippledTransaction): boolean =>
  one.account === other.account && one.turn.kind === other.turn.kind && one.turn.value === other.turn.value;

/** Whether a transaction changes what the account's next transactions need, so that it must be alone in the queue. */
const isBlocker = ({ act }: RippledTransaction): boolean =>
  act.kind === "SetRegularKey" || (act.kind === "AccountSet" && blocksOthers(act));

/** How many sequence numbers a transaction consumes. */
const numbersOf = ({ act, turn }: RippledTransaction): number =>
  (turn.kind === "sequence" ? 1 : 0) + (act.kind === "TicketCreate" ? act.count : 0);

const spentBy = ({ act, fee }: RippledTransaction): bigint =>
  fee + (act.kind === "Payment" ? act.amount : 0n);

/**
 * The next free sequence number behind the waiting transactions.
 * @param sequence the account's next sequence number in the open ledger
 * @param queued the waiting transactions of the account
 */
export const nextNumber = (sequence: number, queued: readonly RippledTransaction[]): number => {
  const next = queued.find(({ turn }) => turn.kind === "sequence" && turn.value === sequence);
  return next === undefined ? sequence : nextNumber(sequence + numbersOf(next), queued);
};

/** Whether the queue may accept a transaction. */
const canBeHeld = (
  { lastLedgerSequence, accountTxnId }: RippledTransaction,
  failHard: boolean,
  { ledgerIndex }: RippledContext,
): boolean =>
  !failHard &&
  accountTxnId === undefined &&
  (lastLedgerSequence === undefined || lastLedgerSequence >= ledgerIndex + LEDGERS_TO_LIVE_MIN);

const checkNeighbours = (
  transaction: RippledTransaction,
  account: RippledAccount,
  queued: readonly RippledTransaction[],
): RippledEngineResult | undefined => {
  const replaced = queued.find((each) => sameTurn(each, transaction));
  const others = queued.filter((each) => each !== replaced);
  if (others.length > 0 && isBlocker(transaction)) return "telCAN_NOT_QUEUE_BLOCKS";
  if (others.some(isBlocker)) return "telCAN_NOT_QUEUE_BLOCKED";
  if (replaced !== undefined) {
    const isDearer = transaction.fee * 100n > replaced.fee * REPLACEMENT_PERCENT;
    return isDearer ? undefined : "telCAN_NOT_QUEUE_FEE";
  }
  const { turn } = transaction;
  if (turn.kind === "ticket") return checkTurn(transaction, account);
  if (turn.value < account.sequence) return "tefPAST_SEQ";
  const expected = nextNumber(account.sequence, queued);
  if (turn.value === expected) return undefined;
  return expected === account.sequence ? "terPRE_SEQ" : "telCAN_NOT_QUEUE";
};

/** The books as they would be once the account's queued transactions have paid. */
const booksBehind = (
  books: RippledBooks,
  transaction: RippledTransaction,
  account: RippledAccount,
  before: readonly RippledTransaction[],
): RippledBooks => {
  const spent = before.reduce((sum, each) => sum + spentBy(each), 0n);
  const balance = spent < account.balance ? account.balance - spent : 0n;
  return withRippledAccount(rippledBooksUpon(books), transaction.account, { ...account, balance });
};

/**
 * Whether a transaction that does not go into the open ledger can wait in the queue.
 * @returns terQUEUED, or why not
 * @source rippled, src/xrpld/app/misc/detail/TxQ.cpp: apply
 */
export const judgeForQueue = (
  queue: Queue,
  { transaction, failHard }: { readonly transaction: RippledTransaction; readonly failHard: boolean },
  context: RippledContext,
): RippledEngineResult => {
  const account = rippledAccountIn(queue.books, transaction.account);
  if (account === undefined) return "terNO_ACCOUNT";
  const all = queue.waiting.filter(({ place }) => place === "queued").map((each) => each.transaction);
  const queued = all.filter((each) => each.account === transaction.account);
  const refusal = checkNeighbours(transaction, account, queued);
  if (refusal !== undefined) return refusal;
  const before = queued.filter((each) => !sameTurn(each, transaction));
  const fees = before.reduce((sum, { fee }) => sum + fee, 0n);
  if (before.length > 0 && (fees >= account.balance || fees >= context.fees.reserveBase)) {
    return "telCAN_NOT_QUEUE_BALANCE";
  }
  const books = booksBehind(queue.books, transaction, account, before);
  const likely = preclaimWithoutTurn(books, transaction, context);
  if (likely !== undefined && !isOfALedger(likely)) return likely;
  if (!canBeHeld(transaction, failHard, context)) return "telCAN_NOT_QUEUE";
  if (before.length >= MOST_OF_AN_ACCOUNT || all.length >= MOST_QUEUED) return "telCAN_NOT_QUEUE_FULL";
  return "terQUEUED";
};
