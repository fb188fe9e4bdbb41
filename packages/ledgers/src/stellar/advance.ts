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

/** The events of a ledger. Time, in seconds since 1970, is part of an event; there is no randomness. */
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
  /** drops a waiting transaction; without an id, all that wait */
  | { readonly kind: "drop"; readonly id: string | undefined }
  /** keeps a transaction, or without an id all that wait, out of the next ledgers */
  | { readonly kind: "delay"; readonly id: string | undefined; readonly ledgers: number }
  | { readonly kind: "set-fees"; readonly fees: HorizonFees }
  | { readonly kind: "set-faults"; readonly faults: SubmissionFaults };

/** A node's answer to a decodable submission. */
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
  /** bytes that are not a transaction, or one that this ledger does not implement */
  | { readonly kind: "unreadable"; readonly message: string; readonly replyIsLost: boolean }
  /** refused because of an operator's fault */
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

/** The ledger's transition function. Equal states and events give equal states and effects. */
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
