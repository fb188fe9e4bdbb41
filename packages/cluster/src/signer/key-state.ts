import { problem } from "@conclave/custody";
import { refuse } from "./begin.ts";
import type { SessionReport, SignerEffect } from "./effect.ts";
import type { CallId } from "./event.ts";
import { lookUp, put, remove } from "./persistent-map.ts";
import { type KeyRecord, RECORDS } from "./record.ts";
import { andThen, endWith, type SignerState, type SignerStep, unchanged } from "./state.ts";

const answer = (call: CallId, keyId: string, state: KeyRecord["state"] | "absent"): SignerEffect => {
  const report: SessionReport = { kind: "key-state", keyId, state };
  return { kind: "report", call, report };
};

/** A pending key becomes active: durable before it is answered, so that a wallet never counts on a share that is lost. */
export const activateKey = (state: SignerState, call: CallId, keyId: string): SignerStep => {
  const key = lookUp(state.keys, keyId);
  if (key?.state !== "pending") return { state, effects: [answer(call, keyId, key?.state ?? "absent")] };
  const active: KeyRecord = { ...key, state: "active" };
  return {
    state: { ...state, keys: put(state.keys, keyId, active) },
    effects: [
      { kind: "store", record: RECORDS.key.name(keyId), value: RECORDS.key.write(active) },
      answer(call, keyId, "active"),
    ],
  };
};

/** A pending key is forgotten, and its generation with it when that is still under way. An active one is never. */
export const discardKey = (state: SignerState, call: CallId, keyId: string): SignerStep => {
  const key = lookUp(state.keys, keyId);
  if (key?.state === "active") {
    return refuse(state, call, problem("KeyExists", { keyId }, "An active key is not discarded."));
  }
  const stopped = stopGeneration(state, keyId);
  const erase: SignerEffect = { kind: "erase", record: RECORDS.key.name(keyId) };
  return andThen(stopped, (next) => ({
    state: { ...next, keys: remove(next.keys, keyId) },
    effects: [...(key === undefined ? [] : [erase]), answer(call, keyId, "absent")],
  }));
};

const stopGeneration = (state: SignerState, keyId: string): SignerStep => {
  const isOfKey = ({
    purpose,
  }: {
    readonly purpose: { readonly protocol: string; readonly keyId?: string };
  }) => purpose.protocol === "key" && purpose.keyId === keyId;
  const session = [...state.sessions.values()].find(isOfKey);
  if (session === undefined) return unchanged(state);
  return endWith(state, session, { kind: "failure", reason: "the key was discarded", silent: [] });
};
