import { NO_FAULTS, type SubmissionFaults } from "../submission-faults.ts";
import type { HorizonBooks } from "./books.ts";
import { type HorizonGenesis, horizonOpeningBooks } from "./genesis.ts";
import { BASE_RESERVE, type HorizonLedger, type HorizonRecord, makeLedger } from "./ledger.ts";
import { EMPTY_QUEUE, type HorizonQueue } from "./queue.ts";
import type { HorizonFees } from "./transaction/fees.ts";
import type { HorizonScene } from "./transaction/validity.ts";

/** How many ledgers are kept; older ones are forgotten. */
const MOST_LEDGERS_KEPT = 20_000;
const MOST_TRANSACTIONS_KEPT = 20_000;
const BASE_FEE = 100n;
/** Twice the interval between closes on the real network. A transaction that expires within this time is refused. */
const SECONDS_TO_TWO_CLOSES = 10n;

export interface HorizonState {
  readonly genesis: HorizonGenesis;
  readonly fees: HorizonFees;
  readonly faults: SubmissionFaults;
  /** after the latest ledger */
  readonly books: HorizonBooks;
  /** latest last */
  readonly ledgers: readonly HorizonLedger[];
  readonly queue: HorizonQueue;
}

/** A ledger whose first ledger closed at a time. @param time seconds since 1970 */
export const openStellarLedger = (genesis: HorizonGenesis, time: bigint): HorizonState => {
  const first = {
    sequence: 1,
    closedAt: time,
    previous: new Uint8Array(32),
    feePool: 0n,
    baseFee: BASE_FEE,
    price: BASE_FEE,
    transactions: [],
  };
  return {
    genesis,
    fees: { minimum: BASE_FEE, surge: 0n },
    faults: NO_FAULTS,
    books: horizonOpeningBooks(genesis),
    ledgers: [makeLedger(first)],
    queue: EMPTY_QUEUE,
  };
};

export const latestLedger = ({ ledgers }: HorizonState): HorizonLedger => {
  const ledger = ledgers.at(-1);
  if (ledger === undefined) throw new RangeError("a ledger has its first ledger");
  return ledger;
};

export const eldestLedger = ({ ledgers }: HorizonState): HorizonLedger => {
  const ledger = ledgers[0];
  if (ledger === undefined) throw new RangeError("a ledger has its first ledger");
  return ledger;
};

export const ledgerOf = (state: HorizonState, sequence: number): HorizonLedger | undefined => {
  const at = sequence - eldestLedger(state).header.sequence;
  return at < 0 ? undefined : state.ledgers[at];
};

/** The closed ledgers that are kept, latest last. */
export const keptLedgers = (ledgers: readonly HorizonLedger[]): readonly HorizonLedger[] => {
  let transactions = 0;
  for (let age = 1; age <= ledgers.length; age += 1) {
    transactions += ledgers.at(-age)?.transactions.length ?? 0;
    const isTooMuch = age > MOST_LEDGERS_KEPT || transactions > MOST_TRANSACTIONS_KEPT;
    if (isTooMuch && age > 1) return ledgers.slice(1 - age);
  }
  return ledgers;
};

/** All kept transactions, oldest first. */
export const recordsOf = ({ ledgers }: HorizonState): readonly HorizonRecord[] =>
  ledgers.flatMap(({ transactions }) => transactions);

/** The context in which a transaction sent now is checked. @param time seconds since 1970 */
export const sceneOfNextLedger = (state: HorizonState, time: bigint): HorizonScene => {
  const { sequence, value } = latestLedger(state).header;
  const now = time > value.closedAt ? time : value.closedAt;
  return {
    books: state.books,
    moment: {
      ledger: sequence + 1,
      closedAt: value.closedAt,
      closesBy: now + SECONDS_TO_TWO_CLOSES,
    },
    minimumFee: state.fees.minimum,
    baseReserve: BASE_RESERVE,
    networkId: state.genesis.networkId,
  };
};

/**
 * The transaction with a hash, or the fee bump whose inner transaction has it.
 * @param since search only ledgers after this one
 */
export const recordNamed = ({ ledgers }: HorizonState, id: string, since = 0): HorizonRecord | undefined => {
  for (let age = 1; age <= ledgers.length; age += 1) {
    const ledger = ledgers.at(-age);
    if (ledger === undefined || ledger.header.sequence <= since) return undefined;
    const found = ledger.transactions.find((record) => record.names.includes(id));
    if (found !== undefined) return found;
  }
  return undefined;
};
