import { fateOfSubmission, type SubmissionFaults } from "../submission-faults.ts";
import type { AgaveAddress } from "./address.ts";
import type { AgaveEngine } from "./engine/engine.ts";
import { agaveFaucetPayment } from "./faucet.ts";
import { mineAgaveBlock } from "./mine.ts";
import { AGAVE_CODES, type AgaveRefusal } from "./refusal.ts";
import { reorganisedAgave } from "./reorganise.ts";
import { type AgaveState, latestAgaveBlock } from "./state.ts";
import { type AgaveSubmission, submitAgave } from "./submission.ts";
import type { AgaveWaiting } from "./waiting.ts";
import { agaveSignatureOf } from "./wire/transaction.ts";

/** The events of a ledger. Time is part of an event; there is no randomness. */
export type AgaveEvent =
  | ({ readonly kind: "submit" } & AgaveSubmission)
  /** @param time seconds since 1970 */
  | { readonly kind: "mine"; readonly time: number }
  | { readonly kind: "fund"; readonly address: AgaveAddress; readonly lamports: bigint }
  /** drops a waiting transaction; without an id, all that wait */
  | { readonly kind: "drop"; readonly id: string | undefined }
  /** keeps a transaction, or without an id all that wait, out of the next blocks */
  | { readonly kind: "delay"; readonly id: string | undefined; readonly blocks: number }
  | { readonly kind: "reorg"; readonly depth: number }
  /** @param unitPriceFloor micro-lamports: a transaction that offers less per compute unit waits */
  | { readonly kind: "set-fees"; readonly unitPriceFloor: bigint }
  | { readonly kind: "set-faults"; readonly faults: SubmissionFaults };

export type AgaveEffect =
  /** the transaction waits for a block */
  | { readonly kind: "taken"; readonly signature: string; readonly replyIsLost: boolean }
  | { readonly kind: "refused"; readonly refusal: AgaveRefusal; readonly replyIsLost: boolean }
  | { readonly kind: "mined"; readonly slot: number };

export interface AgaveStep {
  readonly state: AgaveState;
  readonly effects: readonly AgaveEffect[];
}

/** The lag that an unhealthy node reports. Its value is arbitrary, for clients that print it. */
const SLOTS_BEHIND = 200;

const refusedStep = (state: AgaveState, refusal: AgaveRefusal, replyIsLost = false): AgaveStep => ({
  state,
  effects: [{ kind: "refused", refusal, replyIsLost }],
});

const taken = (
  engine: AgaveEngine,
  state: AgaveState,
  submission: AgaveSubmission,
  replyIsLost: boolean,
): AgaveStep => {
  const admitted = submitAgave(engine, state, submission);
  return admitted.ok
    ? { state: admitted.state, effects: [{ kind: "taken", signature: admitted.signature, replyIsLost }] }
    : refusedStep(state, admitted.refusal, replyIsLost);
};

/** An arranged refusal; that of an unhealthy node includes its lag. */
const arrangedRefusal = ({ status: code, message }: { status: number; message: string }): AgaveRefusal =>
  code === AGAVE_CODES.unhealthy
    ? { code, message, data: { numSlotsBehind: SLOTS_BEHIND } }
    : { code, message };

const submitted = (engine: AgaveEngine, state: AgaveState, submission: AgaveSubmission): AgaveStep => {
  const { refusal, replyIsLost, faults } = fateOfSubmission(state.faults);
  const next =
    faults.lostReplies === state.faults.lostReplies && refusal === undefined ? state : { ...state, faults };
  return refusal === undefined
    ? taken(engine, next, submission, replyIsLost)
    : refusedStep(next, arrangedRefusal(refusal), replyIsLost);
};

const changedWaiting = (
  state: AgaveState,
  id: string | undefined,
  change: (waiting: AgaveWaiting) => readonly AgaveWaiting[],
): AgaveStep => {
  const isMeant = ({ transaction }: AgaveWaiting): boolean =>
    id === undefined || agaveSignatureOf(transaction) === id;
  if (id !== undefined && !state.waiting.some(isMeant)) {
    return refusedStep(state, {
      code: AGAVE_CODES.invalidParams,
      message: `the transaction ${id} does not wait`,
    });
  }
  const waiting = state.waiting.flatMap((each) => (isMeant(each) ? change(each) : [each]));
  return { state: { ...state, waiting }, effects: [] };
};

const reorganised = (state: AgaveState, depth: number): AgaveStep => {
  const next = reorganisedAgave(state, depth);
  if (next !== undefined) return { state: next, effects: [] };
  const message = "a block of these is final: a fork undoes none that is";
  return refusedStep(state, { code: AGAVE_CODES.invalidParams, message });
};

const funded = (
  engine: AgaveEngine,
  state: AgaveState,
  address: AgaveAddress,
  lamports: bigint,
): AgaveStep => {
  const bytes = agaveFaucetPayment(state, address, lamports);
  const submission = { bytes, skipPreflight: false, commitment: "processed" } as const;
  return taken(engine, { ...state, fundings: state.fundings + 1 }, submission, false);
};

/**
 * The ledger's transition function. Equal states and events give equal states and effects. @param engine keeps no state
 * between steps
 */
export const advanceSolana = (engine: AgaveEngine, state: AgaveState, event: AgaveEvent): AgaveStep => {
  switch (event.kind) {
    case "submit":
      return submitted(engine, state, event);
    case "mine": {
      const mined = mineAgaveBlock(engine, state, event.time);
      return { state: mined, effects: [{ kind: "mined", slot: latestAgaveBlock(mined).slot }] };
    }
    case "fund":
      return funded(engine, state, event.address, event.lamports);
    case "drop":
      return changedWaiting(state, event.id, () => []);
    case "delay": {
      const notBefore = latestAgaveBlock(state).height + 1 + event.blocks;
      return changedWaiting(state, event.id, (waiting) => [{ ...waiting, notBefore }]);
    }
    case "reorg":
      return reorganised(state, event.depth);
    case "set-fees":
      return { state: { ...state, unitPriceFloor: event.unitPriceFloor }, effects: [] };
    case "set-faults":
      return { state: { ...state, faults: event.faults }, effects: [] };
  }
};
