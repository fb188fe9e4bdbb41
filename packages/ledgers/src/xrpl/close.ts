import type { RippledAddress } from "./address.ts";
import {
  mergedRippledBooks,
  type RippledAccount,
  type RippledBooks,
  rippledAccountIn,
  rippledBooksUpon,
} from "./books.ts";
import { makeRippledLedger, type RippledValidated } from "./closed-ledger.ts";
import { rippledMetadataOf } from "./metadata.ts";
import { type RippledWaiting, reopened } from "./open-ledger.ts";
import { carryOutRippled } from "./rules/carry-out.ts";
import type { RippledContext } from "./rules/context.ts";
import {
  contextOfOpenLedger,
  firstIndex,
  keptRippledLedgers,
  latestRippledLedger,
  type RippledState,
} from "./state.ts";

interface Closing {
  readonly books: RippledBooks;
  readonly validated: readonly RippledValidated[];
  /** transactions that stay: delayed, or not valid in this ledger */
  readonly left: readonly RippledWaiting[];
}

const withTransaction = (closing: Closing, waiting: RippledWaiting, context: RippledContext): Closing => {
  const { transaction, place, notBefore } = waiting;
  const stays = { ...closing, left: [...closing.left, waiting] };
  if (place !== "open" || notBefore > context.ledgerIndex) return stays;
  const { result, books } = carryOutRippled(closing.books, transaction, context);
  if (books === undefined) return stays;
  const index = closing.validated.length;
  const validated = {
    transaction,
    result,
    index,
    metadata: rippledMetadataOf({ transaction, result, before: closing.books, after: books, index }),
    affected: new Set(books.accounts.keys()),
  };
  return { ...closing, books: mergedRippledBooks(books), validated: [...closing.validated, validated] };
};

const beforeOf = (
  closed: RippledBooks,
  changed: RippledBooks,
): ReadonlyMap<RippledAddress, RippledAccount | undefined> =>
  new Map([...changed.accounts.keys()].map((address) => [address, rippledAccountIn(closed, address)]));

/**
 * Closes the open ledger. It is validated at once, and never undone.
 * @param time seconds since 2000; a ledger closes at least a second after the one before
 */
export const closeRippledLedger = (state: RippledState, time: number): RippledState => {
  const latest = latestRippledLedger(state);
  const context = { ...contextOfOpenLedger(state), isOpen: false };
  const start: Closing = { books: rippledBooksUpon(state.books), validated: [], left: [] };
  const made = state.open.waiting.reduce((closing, each) => withTransaction(closing, each, context), start);
  const ledger = makeRippledLedger({
    index: context.ledgerIndex,
    parentHash: latest.hash,
    closeTime: Math.max(time, latest.closeTime + 1),
    parentCloseTime: latest.closeTime,
    totalDrops: made.books.totalDrops,
    transactions: new Map(made.validated.map((each) => [each.transaction.hash, each])),
    before: beforeOf(state.books, made.books),
  });
  const books = mergedRippledBooks(made.books);
  const closed = { ...state, books, ledgers: keptRippledLedgers([...state.ledgers, ledger]) };
  return {
    ...closed,
    forgotten: state.forgotten.filter(({ to }) => to >= firstIndex(closed)),
    open: reopened(made.left, books, contextOfOpenLedger(closed)),
  };
};
