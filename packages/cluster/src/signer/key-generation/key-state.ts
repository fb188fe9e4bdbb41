import { problem } from "@conclave/custody";
import type { SessionReport } from "../../control/report.ts";
import type { CallId } from "../../control/session-key.ts";
import type { SignerEffect } from "../effect.ts";
import type { SignerEvent } from "../event.ts";
import { sharesPending, stopChange } from "../key-change/next-share.ts";
import { droppingKey, keepingKey, storedKey } from "../records/key-records.ts";
import type { KeyRecord } from "../records/record.ts";
import { authorisedKeyDiscard } from "../session/authorise.ts";
import { refuse } from "../session/begin.ts";
import { andThen, endWith, type SignerState, type SignerStep, unchanged } from "../state.ts";
import { isNewKey } from "./new-key-purpose.ts";

type Activate = Extract<SignerEvent, { readonly kind: "activate-key" }>;
type Discard = Extract<SignerEvent, { readonly kind: "discard-key" }>;

const answer = (call: CallId, keyId: string, key: KeyRecord | undefined): SignerEffect => {
  const { state, epoch } = key ?? ({ state: "absent", epoch: 0 } as const);
  const report: SessionReport = { kind: "key-state", keyId, state, epoch };
  return { kind: "report", call, report };
};

/** @param key after the step */
const answering = (step: SignerStep, call: CallId, keyId: string, key: KeyRecord | undefined): SignerStep =>
  andThen(step, (state) => ({ state, effects: [answer(call, keyId, key)] }));

/**
 * Activates a pending share of a new key, durably before the answer, so that nobody relies on a lost share. A share
 * that is not pending stays unchanged, and the answer shows its state. A share of a next epoch needs a certificate.
 */
export const activateKey = (state: SignerState, { call, keyId, epoch }: Activate): SignerStep => {
  if (sharesPending(state, keyId).some((share) => share.epoch === epoch)) {
    return refuse(state, call, problem("EpochUncertified", { keyId }));
  }
  const key = storedKey(state, keyId);
  const isAsked = epoch === undefined || key?.epoch === epoch;
  if (key?.state !== "pending" || !isAsked) return answering(unchanged(state), call, keyId, key);
  const active: KeyRecord = { ...key, state: "active" };
  const { state: kept, puts, erases } = keepingKey(state, keyId, active);
  const stored: SignerStep = { state: kept, effects: [{ kind: "batch", puts, erases, sync: true }] };
  return answering(stored, call, keyId, active);
};

/**
 * Deletes a pending share, and ends the session that makes it if that is still under way. An active share is never
 * deleted. A session that makes a next share ends only when the authority asks for that; a share that it already made
 * stays.
 */
export const discardKey = (state: SignerState, event: Discard, nowMs: number): SignerStep => {
  const { call, keyId, authorisation } = event;
  if (authorisation !== undefined) {
    const authorised = authorisedKeyDiscard(state.config, authorisation, nowMs);
    if (!authorised.ok) return refuse(state, call, authorised.problem);
    const { keyId: permitted, session } = authorised.value.value;
    if (permitted !== keyId) return refuse(state, call, problem("AuthorisationInvalid"));
    if (sharesPending(state, keyId).some((share) => share.session === session)) {
      return refuse(state, call, problem("EpochReceipted", { keyId }));
    }
    return answering(stopChange(state, keyId, session), call, keyId, storedKey(state, keyId));
  }
  const key = storedKey(state, keyId);
  if (key?.state === "active") {
    return refuse(state, call, problem("KeyExists", { keyId }, "An active key is not discarded."));
  }
  const stopped = stopGeneration(state, keyId);
  const discarded = key === undefined ? stopped : andThen(stopped, (next) => forgetKey(next, keyId));
  return answering(discarded, call, keyId, undefined);
};

const forgetKey = (before: SignerState, keyId: string): SignerStep => {
  const { state, puts, erases } = droppingKey(before, keyId);
  return { state, effects: [{ kind: "batch", puts, erases, sync: true }] };
};

const stopGeneration = (state: SignerState, keyId: string): SignerStep => {
  const session = [...state.sessions.values()].find(
    ({ purpose }) => isNewKey(purpose) && purpose.keyId === keyId,
  );
  if (session === undefined) return unchanged(state);
  return endWith(state, session, { kind: "failure", reason: "the key was discarded", silent: [] });
};
