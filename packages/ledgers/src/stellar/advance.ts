import type { Ruling } from "../ruling.ts";
import { fateOfSubmission, type SubmissionFaults } from "../submission-faults.ts";
import type { HorizonAddress } from "./address.ts";
import { closeLedger } from "./close.ts";
import { faucetEnvelope, issueEnvelope } from "./faucet.ts";
import { type QueuedTransaction, receivedInto } from "./queue.ts";
import { type HorizonState, latestLedger, sceneOfNextLedger } from "./state.ts";
import type { HorizonFees } from "./transaction/fees.ts";
import { readSubmission } from "./transaction/submission.ts";
import type { HorizonResult } from "./xdr/result.ts";

/** The events of a ledger. Time is part of what happens, in seconds since 1970; there is no chance in it.
 */
export type HorizonEvent =
  | { readonly kind: "submit"; readonly bytes: Uint8Array; readonly time: bigint }
  | { readonly kind: "mine"; readonly time: bigint }
  | {
      readonly kind: "fund";
      readonly address: HorizonAddress;
      readonly amount: bigint;
      readonly time: bigint;
    }
  | {
      readonly kind: "issue";
      readonly address: HorizonAddress;
      readonly code: string;
      readonly amount: bigint;
      readonly time: bigint;
    }
  /** forgets a transaction that waits; all that wait, if none is named */
  | { readonly kind: "drop"; readonly id: string | undefined }
  /** keeps a transaction, or all that wait, out of so many further ledgers */
  | { readonly kind: "delay"; readonly id: string | undefined; readonly ledgers: number }
  | { readonly kind: "set-fees"; readonly fees: HorizonFees }
  | { readonly kind: "set-faults"; readonly faults: SubmissionFaults };

/** A node's answer to a submission that it could read. */
export type HorizonReply =
  | { readonly status: "PENDING" | "DUPLICATE" | "TRY_AGAIN_LATER" }
  | { readonly status: "ERROR"; readonly result: HorizonResult };

export type HorizonEffect =
  | {
      readonly kind: "submitted";
      readonly id: string;
      readonly reply: HorizonReply;
      readonly replyIsLost: boolean;
    }
  /** bytes that are no transaction, or one that this ledger does not carry out */
  | { readonly kind: "unreadable"; readonly message: string; readonly replyIsLost: boolean }
  /** an operator wanted it so */
  | {
      readonly kind: "refused";
      readonly message: string;
      readonly status: number;
      readonly replyIsLost: boolean;
    }
  | { readonly kind: "mined"; readonly ledger: number };

export interface HorizonStep {
  readonly state: HorizonState;
  readonly effects: readonly HorizonEffect[];
}

const taken = (state: HorizonState, bytes: Uint8Array, time: bigint, replyIsLost: boolean): HorizonStep => {
  const read = readSubmission(bytes, state.genesis.networkId);
  if (!read.ok) return { state, effects: [{ kind: "unreadable", message: read.message, replyIsLost }] };
  const { id } = read.value;
  const reception = receivedInto(state.queue, read.value, sceneOfNextLedger(state, time));
  const submitted = (reply: HorizonReply): HorizonEffect => ({ kind: "submitted", id, reply, replyIsLost });
  return reception.status === "PENDING"
    ? { state: { ...state, queue: reception.queue }, effects: [submitted({ status: "PENDING" })] }
    : { state, effects: [submitted(reception)] };
};

const submitted = (state: HorizonState, bytes: Uint8Array, time: bigint): HorizonStep => {
  const { refusal, replyIsLost, faults } = fateOfSubmission(state.faults);
  const next = { ...state, faults };
  return refusal === undefined
    ? taken(next, bytes, time, replyIsLost)
    : { state: next, effects: [{ kind: "refused", ...refusal, replyIsLost }] };
};

const notDone = (state: HorizonState, message: string, status: number): HorizonStep => ({
  state,
  effects: [{ kind: "refused", message, status, replyIsLost: false }],
});

const paidOut = (state: HorizonState, envelope: Ruling<Uint8Array>, time: bigint): HorizonStep =>
  envelope.ok ? taken(state, envelope.value, time, false) : notDone(state, envelope.message, 400);

const changedQueue = (
  state: HorizonState,
  id: string | undefined,
  change: (queued: QueuedTransaction) => readonly QueuedTransaction[],
): HorizonStep => {
  const { queue } = state;
  const isMeant = ({ submission }: QueuedTransaction): boolean => id === undefined || submission.id === id;
  if (id !== undefined && !queue.waiting.some(isMeant)) {
    return notDone(state, `the transaction ${id} does not wait in the queue`, 404);
  }
  const waiting = queue.waiting.flatMap((queued) => (isMeant(queued) ? change(queued) : [queued]));
  return { state: { ...state, queue: { ...queue, waiting } }, effects: [] };
};

/** The ledger's one step. Equal states and events give equal states and effects. */
export const advanceStellar = (state: HorizonState, event: HorizonEvent): HorizonStep => {
  switch (event.kind) {
    case "submit":
      return submitted(state, event.bytes, event.time);
    case "mine": {
      const closed = closeLedger(state, event.time);
      return { state: closed, effects: [{ kind: "mined", ledger: latestLedger(closed).header.sequence }] };
    }
    case "fund":
      return paidOut(state, faucetEnvelope(state, event.address, event.amount), event.time);
    case "issue":
      return paidOut(state, issueEnvelope(state, event.address, event.code, event.amount), event.time);
    case "drop":
      return changedQueue(state, event.id, () => []);
    case "delay": {
      const notBefore = latestLedger(state).header.sequence + 1 + event.ledgers;
      return changedQueue(state, event.id, (queued) => [{ ...queued, notBefore }]);
    }
    case "set-fees":
      return { state: { ...state, fees: event.fees }, effects: [] };
    case "set-faults":
      return { state: { ...state, faults: event.faults }, effects: [] };
  }
};
