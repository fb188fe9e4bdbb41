import type { ComputeResult } from "../../compute/task.ts";
import type { SignerEffect } from "../effect.ts";
import { burnWhere } from "../presigning/burn.ts";
import { droppingKey, storedKey } from "../records/key-records.ts";
import { put } from "../records/persistent-map.ts";
import { RECORDS } from "../records/record.ts";
import { andThen, endWith, type OpenSession, type SignerState, type SignerStep } from "../state.ts";
import { isKeyChange } from "./key-change-purpose.ts";
import { endUses, keepOnly, namesOf, sharesPending } from "./next-share.ts";

type Released = Extract<ComputeResult, { readonly kind: "dealer-released" }>;

/** A released dealer holds nothing of the next epoch, so its receipt is needed for no certificate. */
const NO_RECEIPT = new Uint8Array(0);

/**
 * Ends the session of a dealer that leaves: it stores nothing of the next epoch, and keeps its own share until the
 * certificate of that epoch is shown.
 *
 * @param sends the last report of the session
 */
export const releaseDealer = (
  state: SignerState,
  session: OpenSession,
  { keyId, epoch, digest }: Released,
  sends: readonly SignerEffect[],
): SignerStep => {
  const { purpose } = session;
  if (!isKeyChange(purpose) || purpose.keyId !== keyId || purpose.nextEpoch !== epoch) {
    throw new Error("a session makes the next epoch of its own key");
  }
  const { epoch: from } = purpose;
  const report = { kind: "key-changed", keyId, from, epoch, digest, receipt: NO_RECEIPT } as const;
  return andThen({ state, effects: sends }, (next) => endWith(next, session, report));
};

/**
 * Deletes the share of a signer that leaves, once every new holder has the next epoch; also everything made with it, in
 * one synced write. Sessions that use the share end first in memory.
 */
export const giveUpShare = (state: SignerState, keyId: string): SignerStep => {
  const nothing = { state, puts: [], erases: [] };
  const dropped = storedKey(state, keyId) === undefined ? nothing : droppingKey(state, keyId);
  const burnt = burnWhere(dropped.state, (presignature) => presignature.keyId === keyId);
  const pending = sharesPending(state, keyId);
  const erases = [...dropped.erases, ...pending.flatMap((each) => namesOf(keyId, each))];
  // it gave receipts for these shares, so it must never waive their sessions
  const note = { version: 1, subject: keyId, isWaiver: false } as const;
  const notes = pending.map(({ session }) => ({
    record: RECORDS.waiver.name(session),
    value: RECORDS.waiver.write(note),
  }));
  const waived = pending.reduce((all, { session }) => put(all, session, note), burnt.waived);
  const step: SignerStep = {
    state: keepOnly({ ...burnt, waived }, keyId, []),
    effects: [{ kind: "batch", puts: [...dropped.puts, ...notes], erases, sync: true }],
  };
  return andThen(step, (after) => endUses(after, keyId));
};
