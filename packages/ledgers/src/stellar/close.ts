import { changesIn, flattened, type HorizonBooks, layeredUpon } from "./books.ts";
import {
  BASE_RESERVE,
  type HorizonRecord,
  MOST_OPERATIONS_IN_LEDGER,
  makeLedger,
  recordOf,
} from "./ledger.ts";
import { type QueuedTransaction, shiftedQueue } from "./queue.ts";
import { type HorizonState, keptLedgers, latestLedger } from "./state.ts";
import { applyTransaction, chargeFee } from "./transaction/apply.ts";
import { chargedOperations, feeToCharge, inclusionBidOf, priceOf } from "./transaction/fees.ts";
import type { HorizonSubmission } from "./transaction/submission.ts";
import { checkSubmission, type HorizonScene, isResultOfSuccess, resultOf } from "./transaction/validity.ts";
import type { HorizonChanges } from "./xdr/meta.ts";

interface Chosen {
  /** the transactions that the ledger will hold */
  readonly taken: readonly HorizonSubmission[];
  /** the transactions that are no longer valid in any ledger */
  readonly dead: readonly HorizonSubmission[];
}

/** Chooses the waiting transactions that pay enough and are still valid, in order, up to the ledger's size. */
const choose = (waiting: readonly QueuedTransaction[], scene: HorizonScene, price: bigint): Chosen => {
  const [taken, dead]: [HorizonSubmission[], HorizonSubmission[]] = [[], []];
  let room = BigInt(MOST_OPERATIONS_IN_LEDGER);
  for (const { submission, notBefore } of waiting) {
    if (notBefore > scene.moment.ledger) continue;
    const count = chargedOperations(submission);
    // a transaction that offers too little keeps waiting until it is too old
    if (inclusionBidOf(submission) < price * count || count > room) continue;
    if (isResultOfSuccess(checkSubmission(submission, scene))) {
      taken.push(submission);
      room -= count;
    } else dead.push(submission);
  }
  return { taken, dead };
};

interface Charged {
  readonly submission: HorizonSubmission;
  readonly charged: bigint;
  readonly fees: HorizonChanges;
}

interface FeesTaken {
  readonly books: HorizonBooks;
  readonly all: readonly Charged[];
}

/** Charges all fees before any transaction is carried out. */
const takeFees = (books: HorizonBooks, taken: readonly HorizonSubmission[], price: bigint): FeesTaken => {
  const all: Charged[] = [];
  let now = books;
  for (const submission of taken) {
    const paid = chargeFee(layeredUpon(now), submission, feeToCharge(submission, price));
    all.push({ submission, charged: paid.charged, fees: changesIn(paid.books) });
    now = flattened(paid.books);
  }
  return { books: now, all };
};

interface Done {
  readonly books: HorizonBooks;
  readonly records: readonly HorizonRecord[];
}

const carryOut = ({ books, all }: FeesTaken, scene: HorizonScene): Done => {
  const records: HorizonRecord[] = [];
  let now = books;
  for (const { submission, charged, fees } of all) {
    const applied = applyTransaction(submission, { ...scene, books: now });
    now = applied.books;
    const made = {
      submission,
      ledger: scene.moment.ledger,
      closedAt: scene.moment.closedAt,
      order: records.length + 1,
      result: resultOf(submission, charged - applied.refund, applied.outcome),
    };
    records.push(recordOf(made, fees, applied.meta));
  }
  return { books: now, records };
};

/**
 * Closes the next ledger with waiting transactions. A closed ledger is final: Stellar has no reorganisations.
 * @param time seconds since 1970; a ledger is never older than the one before
 */
export const closeLedger = (state: HorizonState, time: bigint): HorizonState => {
  const latest = latestLedger(state);
  const { sequence, value, feePool } = latest.header;
  const closedAt = time > value.closedAt ? time : value.closedAt;
  const ledger = sequence + 1;
  const price = priceOf(state.fees);
  const scene: HorizonScene = {
    books: state.books,
    moment: { ledger, closedAt, closesBy: closedAt },
    minimumFee: state.fees.minimum,
    baseReserve: BASE_RESERVE,
    networkId: state.genesis.networkId,
  };
  const { taken, dead } = choose(state.queue.waiting, scene, price);
  const charged = takeFees(layeredUpon(state.books, ledger), taken, price);
  const done = carryOut(charged, scene);
  const closed = makeLedger({
    sequence: ledger,
    closedAt,
    previous: latest.hash,
    feePool: feePool + done.records.reduce((sum, { result }) => sum + result.feeCharged, 0n),
    baseFee: state.fees.minimum,
    price,
    transactions: done.records,
  });
  return {
    ...state,
    books: flattened(done.books),
    ledgers: keptLedgers([...state.ledgers, closed]),
    queue: shiftedQueue(state.queue, [...taken, ...dead], ledger),
  };
};
