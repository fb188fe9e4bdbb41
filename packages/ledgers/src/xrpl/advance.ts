import { fateOfSubmission, type SubmissionFaults } from "../submission-faults.ts";
import type { RippledAddress } from "./address.ts";
import { closeRippledLedger } from "./close.ts";
import type { RippledLedger } from "./closed-ledger.ts";
import { isRippledResult, type RippledEngineResult, rippledResultWords } from "./engine-result.ts";
import { rippledFaucetPayment } from "./faucet.ts";
import { type RippledPlace, type RippledWaiting, reopened, submitTo } from "./open-ledger.ts";
import type { RippledFees } from "./rules/fees.ts";
import { contextOfOpenLedger, latestRippledLedger, type RippledRange, type RippledState } from "./state.ts";
import { rippledTransactionHash } from "./transaction/identity.ts";
import { readRippledTransaction } from "./transaction/read.ts";
import type { RippledTransaction } from "./transaction/transaction.ts";

/** The events of a ledger. Time is part of an event; there is no randomness. */
export type RippledEvent =
  | {
      readonly kind: "submit";
      readonly blob: Uint8Array;
      /** drop the transaction unless it succeeds in the open ledger at once */
      readonly failHard: boolean;
    }
  /** @param time seconds since 2000 */
  | { readonly kind: "close"; readonly time: number }
  | { readonly kind: "fund"; readonly address: RippledAddress; readonly amount: bigint }
  /** drops a waiting transaction; without a hash, all that wait */
  | { readonly kind: "drop"; readonly hash: string | undefined }
  /** keeps a transaction, or without a hash all that wait, out of the next ledgers */
  | { readonly kind: "delay"; readonly hash: string | undefined; readonly ledgers: number }
  | { readonly kind: "set-fees"; readonly fees: RippledFees }
  | { readonly kind: "set-faults"; readonly faults: SubmissionFaults }
  /** makes the node pretend that it lacks these ledgers; undefined: it has all ledgers again */
  | { readonly kind: "forget"; readonly range: RippledRange | undefined };

export type RippledEffect =
  /** the engine's result for a submission, and where the transaction waits */
  | {
      readonly kind: "judged";
      readonly hash: string;
      readonly result: RippledEngineResult;
      readonly words: string;
      /** undefined if the submission was refused unread */
      readonly transaction: RippledTransaction | undefined;
      readonly place: RippledPlace | undefined;
      readonly replyIsLost: boolean;
    }
  /** a submission that did not reach the engine: undecodable, or with an invalid signature */
  | { readonly kind: "invalid"; readonly message: string; readonly replyIsLost: boolean }
  | {
      readonly kind: "refused";
      readonly message: string;
      readonly status: number;
      readonly replyIsLost: boolean;
    }
  | { readonly kind: "closed"; readonly ledger: RippledLedger };

export interface RippledStep {
  readonly state: RippledState;
  readonly effects: readonly RippledEffect[];
}

const MOST_FORGOTTEN_RANGES = 100;

interface Submission {
  readonly blob: Uint8Array;
  readonly failHard: boolean;
  readonly replyIsLost: boolean;
}

const taken = (state: RippledState, { blob, failHard, replyIsLost }: Submission): RippledStep => {
  const read = readRippledTransaction(blob);
  if (!read.ok) return { state, effects: [{ kind: "invalid", message: read.message, replyIsLost }] };
  if (read.value.kind === "not-simulated") {
    const { hash, what } = read.value;
    const words = `this simulated ledger does not carry out ${what}`;
    const judged = { kind: "judged", hash, result: "temDISABLED", words, replyIsLost } as const;
    return { state, effects: [{ ...judged, transaction: undefined, place: undefined }] };
  }
  const { transaction } = read.value;
  const { open, result, place } = submitTo(state.open, transaction, contextOfOpenLedger(state), failHard);
  const words = rippledResultWords(result);
  return {
    state: { ...state, open },
    effects: [{ kind: "judged", hash: transaction.hash, result, words, transaction, place, replyIsLost }],
  };
};

const submitted = (state: RippledState, blob: Uint8Array, failHard: boolean): RippledStep => {
  const { refusal, replyIsLost, faults } = fateOfSubmission(state.faults);
  const next = { ...state, faults };
  if (refusal === undefined) return taken(next, { blob, failHard, replyIsLost });
  const { message } = refusal;
  if (!isRippledResult(message)) {
    return { state: next, effects: [{ kind: "refused", ...refusal, replyIsLost }] };
  }
  const judged = {
    kind: "judged",
    hash: rippledTransactionHash(blob),
    result: message,
    replyIsLost,
  } as const;
  const words = rippledResultWords(message);
  return { state: next, effects: [{ ...judged, words, transaction: undefined, place: undefined }] };
};

const notDone = (state: RippledState, message: string, status: number): RippledStep => ({
  state,
  effects: [{ kind: "refused", message, status, replyIsLost: false }],
});

const changedWaiting = (
  state: RippledState,
  hash: string | undefined,
  change: (waiting: RippledWaiting) => readonly RippledWaiting[],
): RippledStep => {
  const { waiting } = state.open;
  const isMeant = ({ transaction }: RippledWaiting): boolean =>
    hash === undefined || transaction.hash === hash;
  if (hash !== undefined && !waiting.some(isMeant)) {
    return notDone(state, `the transaction ${hash} does not wait`, 404);
  }
  const changed = waiting.flatMap((each) => (isMeant(each) ? change(each) : [each]));
  const open = reopened(changed, state.books, contextOfOpenLedger(state));
  return { state: { ...state, open }, effects: [] };
};

const forgetting = (state: RippledState, range: RippledRange | undefined): RippledStep => {
  if (range === undefined) return { state: { ...state, forgotten: [] }, effects: [] };
  const { index } = latestRippledLedger(state);
  if (range.from > range.to || range.to >= index) {
    return notDone(
      state,
      `ledgers up to ${index - 1} can be forgotten, from the lower to the higher one`,
      400,
    );
  }
  if (state.forgotten.length >= MOST_FORGOTTEN_RANGES) {
    return notDone(state, `${MOST_FORGOTTEN_RANGES} ranges are forgotten already; remember them first`, 400);
  }
  return { state: { ...state, forgotten: [...state.forgotten, range] }, effects: [] };
};

/** The ledger's transition function. Equal states and events give equal states and effects. */
export const advanceXrpl = (state: RippledState, event: RippledEvent): RippledStep => {
  switch (event.kind) {
    case "submit":
      return submitted(state, event.blob, event.failHard);
    case "close": {
      const closed = closeRippledLedger(state, event.time);
      return { state: closed, effects: [{ kind: "closed", ledger: latestRippledLedger(closed) }] };
    }
    case "fund": {
      const blob = rippledFaucetPayment(state, event.address, event.amount);
      return taken(state, { blob, failHard: true, replyIsLost: false });
    }
    case "drop":
      return changedWaiting(state, event.hash, () => []);
    case "delay": {
      const notBefore = latestRippledLedger(state).index + 1 + event.ledgers;
      return changedWaiting(state, event.hash, (waiting) => [{ ...waiting, notBefore }]);
    }
    case "set-fees":
      return { state: { ...state, fees: event.fees }, effects: [] };
    case "set-faults":
      return { state: { ...state, faults: event.faults }, effects: [] };
    case "forget":
      return forgetting(state, event.range);
  }
};
