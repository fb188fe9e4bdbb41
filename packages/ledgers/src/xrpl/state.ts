import { NO_FAULTS, type SubmissionFaults } from "../submission-faults.ts";
import type { RippledAddress } from "./address.ts";
import { type RippledAccount, type RippledBooks, rippledAccountIn } from "./books.ts";
import {
  makeRippledLedger,
  NO_LEDGER_HASH,
  type RippledLedger,
  type RippledValidated,
} from "./closed-ledger.ts";
import { type RippledGenesis, rippledOpeningBooks } from "./genesis.ts";
import { emptyRippledOpenLedger, type RippledOpenLedger } from "./open-ledger.ts";
import type { RippledContext } from "./rules/context.ts";
import { type RippledFees, USUAL_FEES } from "./rules/fees.ts";

/** How many ledgers are kept; older ones are forgotten. */
const MOST_LEDGERS_KEPT = 20_000;
const MOST_TRANSACTIONS_KEPT = 20_000;
/** a real node keeps at least this many */
const LEDGERS_KEPT_MIN = 256;
const FIRST_INDEX = 1;

/** A range of ledger indexes, both ends included. */
export interface RippledRange {
  readonly from: number;
  readonly to: number;
}

export interface RippledState {
  readonly genesis: RippledGenesis;
  readonly fees: RippledFees;
  readonly faults: SubmissionFaults;
  /** after the latest ledger */
  readonly books: RippledBooks;
  /** latest last */
  readonly ledgers: readonly RippledLedger[];
  /** ledgers that an operator made the node forget */
  readonly forgotten: readonly RippledRange[];
  readonly open: RippledOpenLedger;
}

/** A ledger whose first ledger closed at a time. @param time seconds since 2000 */
export const openXrpLedger = (genesis: RippledGenesis, time: number): RippledState => {
  const books = rippledOpeningBooks(genesis);
  const first = makeRippledLedger({
    index: FIRST_INDEX,
    parentHash: NO_LEDGER_HASH,
    closeTime: time,
    parentCloseTime: 0,
    totalDrops: books.totalDrops,
    transactions: new Map(),
    before: new Map(),
  });
  return {
    genesis,
    fees: USUAL_FEES,
    faults: NO_FAULTS,
    books,
    ledgers: [first],
    forgotten: [],
    open: emptyRippledOpenLedger(books),
  };
};

export const latestRippledLedger = ({ ledgers }: RippledState): RippledLedger => {
  const ledger = ledgers.at(-1);
  if (ledger === undefined) throw new RangeError("a ledger has its first one");
  return ledger;
};

export const firstIndex = ({ ledgers }: RippledState): number => ledgers[0]?.index ?? FIRST_INDEX;

const isForgotten = ({ forgotten }: RippledState, index: number): boolean =>
  forgotten.some(({ from, to }) => from <= index && index <= to);

/** @returns undefined for a ledger that does not exist yet, is too old, or was forgotten */
export const ledgerOfIndex = (state: RippledState, index: number): RippledLedger | undefined => {
  const place = index - firstIndex(state);
  return place < 0 || isForgotten(state, index) ? undefined : state.ledgers[place];
};

/** The ledgers that the node has, latest last. */
export const rememberedLedgers = (state: RippledState): readonly RippledLedger[] =>
  state.forgotten.length === 0
    ? state.ledgers
    : state.ledgers.filter(({ index }) => !isForgotten(state, index));

/** The contiguous ranges of ledgers that the node has, oldest first. */
export const completeRanges = (state: RippledState): readonly RippledRange[] => {
  const ranges: RippledRange[] = [];
  let from = firstIndex(state);
  for (const gap of [...state.forgotten].sort((one, other) => one.from - other.from)) {
    if (gap.from > from) ranges.push({ from, to: gap.from - 1 });
    from = Math.max(from, gap.to + 1);
  }
  const { index } = latestRippledLedger(state);
  return from <= index ? [...ranges, { from, to: index }] : ranges;
};

/** The ledgers within the limits, latest last. */
export const keptRippledLedgers = (ledgers: readonly RippledLedger[]): readonly RippledLedger[] => {
  let transactions = 0;
  for (let age = 1; age <= ledgers.length; age += 1) {
    transactions += ledgers.at(-age)?.transactions.size ?? 0;
    const isTooMuch = age > MOST_LEDGERS_KEPT || transactions > MOST_TRANSACTIONS_KEPT;
    if (isTooMuch && age > LEDGERS_KEPT_MIN) return ledgers.slice(1 - age);
  }
  return ledgers;
};

export interface RippledFound {
  readonly ledger: RippledLedger;
  readonly validated: RippledValidated;
}

export const validatedIn = (state: RippledState, hash: string): RippledFound | undefined => {
  const ledger = rememberedLedgers(state).findLast(({ transactions }) => transactions.has(hash));
  const validated = ledger?.transactions.get(hash);
  return ledger === undefined || validated === undefined ? undefined : { ledger, validated };
};

/** An account as it was after a ledger. @param index of a ledger that is kept */
export const accountAfter = (
  state: RippledState,
  address: RippledAddress,
  index: number,
): RippledAccount | undefined => {
  const changed = state.ledgers
    .slice(index + 1 - firstIndex(state))
    .find(({ before }) => before.has(address));
  return changed === undefined ? rippledAccountIn(state.books, address) : changed.before.get(address);
};

/** The context in which a transaction for the open ledger is checked. */
export const contextOfOpenLedger = (state: RippledState): RippledContext => ({
  networkId: state.genesis.networkId,
  fees: state.fees,
  ledgerIndex: latestRippledLedger(state).index + 1,
  isOpen: true,
});
