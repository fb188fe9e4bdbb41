import {
  hasAccountFlag,
  ownerCountOf,
  type RippledAccount,
  type RippledBooks,
  rippledAccountIn,
  rippledBooksUpon,
  withRippledAccount,
} from "../books.ts";
import { isOfALedger, type RippledEngineResult } from "../engine-result.ts";
import type { RippledTransaction } from "../transaction/transaction.ts";
import { applyAccountSet } from "./account-set.ts";
import type { RippledApplied } from "./applied.ts";
import type { RippledContext } from "./context.ts";
import { rippledReserveOf } from "./fees.ts";
import { applyXrpPayment } from "./payment.ts";
import { rippledPreclaim } from "./preclaim.ts";
import { rippledPreflight } from "./preflight.ts";

/** The outcome of a transaction that was tried. */
export interface RippledOutcome {
  readonly result: RippledEngineResult;
  /** an overlay with its changes; undefined if it changed nothing and pays no fee */
  readonly books: RippledBooks | undefined;
}

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const withoutTurn = (account: RippledAccount, { turn }: RippledTransaction): RippledAccount =>
  turn.kind === "sequence"
    ? { ...account, sequence: turn.value + 1 }
    : { ...account, tickets: account.tickets.filter((ticket) => ticket !== turn.value) };

/** Burns the fee and uses up the sequence number or ticket, whatever the result of the act. */
const charged = (
  books: RippledBooks,
  before: RippledAccount,
  transaction: RippledTransaction,
): RippledBooks => {
  const fee = min(transaction.fee, before.balance);
  const account = withoutTurn({ ...before, balance: before.balance - fee }, transaction);
  const noted = account.accountTxnId === undefined ? undefined : transaction.hash;
  const open = withRippledAccount(rippledBooksUpon(books), transaction.account, {
    ...account,
    accountTxnId: noted,
  });
  return { ...open, totalDrops: books.totalDrops - fee };
};

const createTickets = (
  account: RippledAccount,
  before: RippledAccount,
  count: number,
  { fees }: RippledContext,
): RippledEngineResult | RippledAccount => {
  if (before.balance < rippledReserveOf(fees, ownerCountOf(account) + count))
    return "tecINSUFFICIENT_RESERVE";
  const created = Array.from({ length: count }, (_, at) => account.sequence + at);
  return { ...account, tickets: [...account.tickets, ...created], sequence: account.sequence + count };
};

/** The changes of the sender's account by its own transaction. */
const changedAccount = (
  transaction: RippledTransaction,
  account: RippledAccount,
  before: RippledAccount,
  context: RippledContext,
): RippledEngineResult | RippledAccount => {
  const { act } = transaction;
  switch (act.kind) {
    case "AccountSet":
      return applyAccountSet(transaction, act, account);
    case "SetRegularKey":
      return act.regularKey === undefined && hasAccountFlag(account, "disableMaster")
        ? "tecNO_ALTERNATIVE_KEY"
        : { ...account, regularKey: act.regularKey };
    case "TicketCreate":
      return createTickets(account, before, act.count, context);
    case "Payment":
      return "tefINTERNAL";
  }
};

const applyAct = (
  books: RippledBooks,
  transaction: RippledTransaction,
  before: RippledAccount,
  context: RippledContext,
): RippledApplied => {
  const { act } = transaction;
  if (act.kind === "Payment") return applyXrpPayment(books, transaction, act, before, context);
  const changed = changedAccount(
    transaction,
    rippledAccountIn(books, transaction.account) ?? before,
    before,
    context,
  );
  return typeof changed === "string"
    ? { result: changed, books }
    : { result: "tesSUCCESS", books: withRippledAccount(books, transaction.account, changed) };
};

/** Records the transaction in every account that it changed. */
const threaded = (books: RippledBooks, { hash }: RippledTransaction, ledgerIndex: number): RippledBooks => ({
  ...books,
  accounts: new Map(
    [...books.accounts].map(([address, account]) => [
      address,
      { ...account, previousTxnId: hash, previousTxnLedger: ledgerIndex },
    ]),
  ),
});

/**
 * Carries out a transaction: completely, or only its fee (tec), or not at all.
 * @source rippled, Transactor.cpp: operator()
 */
export const carryOutRippled = (
  books: RippledBooks,
  transaction: RippledTransaction,
  context: RippledContext,
): RippledOutcome => {
  const refusal = rippledPreflight(transaction, context) ?? rippledPreclaim(books, transaction, context);
  const before = rippledAccountIn(books, transaction.account);
  if (before === undefined) return { result: refusal ?? "terNO_ACCOUNT", books: undefined };
  if (refusal !== undefined && !isOfALedger(refusal)) return { result: refusal, books: undefined };
  const paid = charged(books, before, transaction);
  const { result, books: after } =
    refusal === undefined ? applyAct(paid, transaction, before, context) : { result: refusal, books: paid };
  if (!isOfALedger(result)) return { result, books: undefined };
  const kept = result === "tesSUCCESS" ? after : paid;
  return { result, books: threaded(kept, transaction, context.ledgerIndex) };
};
