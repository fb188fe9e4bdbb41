import { holdersOfShare } from "@conclave/threshold";
import type { ComputeResult } from "../../compute/task.ts";
import type { SignerEffect } from "../effect.ts";
import type { PendingShare } from "../epoch/pending.ts";
import { receiptFor } from "../epoch/receipt.ts";
import { alarmsNow } from "../older-store/key-in-doubt.ts";
import { burnWhere } from "../presigning/burn.ts";
import { keepingKey, storedKey } from "../records/key-records.ts";
import { lookUp, put, remove } from "../records/persistent-map.ts";
import { type KeyRecord, type NextRecord, nextIdOf, RECORDS, recallPut } from "../records/record.ts";
import { isSoundShare, UNSOUND } from "../records/sound-share.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  unchanged,
} from "../state.ts";
import { isKeyChange } from "./key-change-purpose.ts";
import type { PastOfKey } from "./past-of-key.ts";

type Changed = Extract<ComputeResult, { readonly kind: "key-changed" }>;
type Batch = Extract<SignerEffect, { readonly kind: "batch" }>;

/**
 * A stored share of a next epoch, with its receipt, which is always the same for the same share.
 *
 * @param isOlder whether the record has the name that older versions gave it
 */
export const pendingShareOf = (
  { config }: Pick<SignerState, "config">,
  keyId: string,
  record: NextRecord,
  isOlder = false,
): PendingShare => {
  const { parties: holders } = holdersOfShare(record.scheme, record.share.reveal());
  const pending = { ...record, from: record.from ?? record.epoch - 1, isOlder, holders };
  return { ...pending, receipt: receiptFor(config, keyId, pending) };
};

/** The pending shares of a key, ascending by epoch. */
export const sharesPending = ({ next }: Pick<SignerState, "next">, keyId: string): readonly PendingShare[] =>
  lookUp(next, keyId) ?? [];

/** Adds a pending share of a key. */
export const withPendingShare = (state: SignerState, keyId: string, share: PendingShare): SignerState => {
  const others = sharesPending(state, keyId).filter(({ epoch }) => epoch !== share.epoch);
  const shares = [...others, share].sort((one, other) => one.epoch - other.epoch);
  return { ...state, next: put(state.next, keyId, shares) };
};

/** Replaces the pending shares of a key by these. */
export const keepOnly = (
  state: SignerState,
  keyId: string,
  shares: readonly PendingShare[],
): SignerState => ({
  ...state,
  next: shares.length === 0 ? remove(state.next, keyId) : put(state.next, keyId, shares),
});

/** The names of a share's records; an older version used the key's id alone. */
export const namesOf = (keyId: string, { epoch, isOlder }: PendingShare): readonly string[] => [
  RECORDS.next.name(nextIdOf(keyId, epoch)),
  ...(isOlder ? [RECORDS.next.name(keyId)] : []),
];

/**
 * Stores the share of a key's next epoch beside the active share, durably before its receipt is sent, so that a
 * certificate can rely on it. If the bytes are not sound, they are not stored and no receipt is signed. The share stays
 * until a later epoch is active.
 *
 * @param sends the last report of the session
 */
export const keepNext = (
  state: SignerState,
  session: OpenSession,
  { keyId, epoch, publicKey, chainCode, digest, share }: Changed,
  sends: readonly SignerEffect[],
): SignerStep => {
  const { purpose, given } = session;
  if (!isKeyChange(purpose) || purpose.keyId !== keyId || purpose.nextEpoch !== epoch) {
    throw new Error("a session makes the next epoch of its own key");
  }
  const { scheme, epoch: from } = purpose;
  const before = purpose.before === undefined ? {} : { before: purpose.before };
  const alarms = alarmsNow(state);
  const made = {
    session: given,
    scheme,
    from,
    epoch,
    publicKey,
    chainCode,
    digest,
    share,
    ...before,
    ...alarms,
  };
  const record: NextRecord = { version: 1, ...made };
  const id = nextIdOf(keyId, epoch);
  const write = { record: RECORDS.next.name(id), value: RECORDS.next.write(record) };
  const { share: stored } = recallPut([write], RECORDS.next, id);
  const isSound = isSoundShare(scheme, state.config.self, stored, { keyId, ...made });
  if (!isSound) return endWith(state, session, UNSOUND);
  const pending = pendingShareOf(state, keyId, record);
  const { receipt } = pending;
  const effects: SignerEffect[] = [{ kind: "store", ...write }, ...sends];
  return andThen({ state: withPendingShare(state, keyId, pending), effects }, (next) =>
    endWith(next, session, { kind: "key-changed", keyId, from, epoch, digest, receipt }),
  );
};

/**
 * Replaces the active share by the next one in one synced write, which also removes the old share, all presignatures of
 * its epoch, and the shares of earlier attempts. Sessions that use the old share end first in memory, so old and new
 * shares never meet here. The share of a later attempt stays: it may have a certificate too, and then wins.
 *
 * @param certificate which was verified
 * @param past knowledge of the earlier holders (`pastAfter`)
 */
export const adoptNext = (
  state: SignerState,
  keyId: string,
  next: PendingShare,
  certificate: Uint8Array,
  past: PastOfKey,
): SignerStep => {
  const { epoch, scheme, publicKey, chainCode, share, session, alarms } = next;
  // a client that once had the key still knows it; a handover to a later epoch remains valid
  const { imported, exports, made: asked, handedOver } = storedKey(state, keyId) ?? {};
  const promise = handedOver !== undefined && handedOver.to > epoch ? { handedOver } : {};
  const made = { epoch, scheme, publicKey, chainCode, share, alarms };
  const known = { imported, made: asked, exports, certificate, session, ...promise, ...past };
  const key: KeyRecord = { version: 1, state: "active", ...made, ...known };
  const kept = keepingKey(state, keyId, key);
  const burnt = burnWhere(kept.state, (presignature) => presignature.keyId === keyId);
  const shares = sharesPending(state, keyId);
  const over = shares.filter((each) => each.epoch <= epoch);
  const later = shares.filter((each) => each.epoch > epoch);
  const swap: Batch = {
    kind: "batch",
    puts: kept.puts,
    erases: [...kept.erases, ...new Set(over.flatMap((each) => namesOf(keyId, each)))],
    sync: true,
  };
  const adopted: SignerStep = {
    state: keepOnly(burnt, keyId, later),
    effects: [swap],
  };
  return andThen(adopted, (after) => endUses(after, keyId));
};

/** Ends every session that uses the old share: it could not succeed, as others are in the new epoch already. */
export const endUses = (state: SignerState, keyId: string): SignerStep => {
  const reason = "the key moved on to a new epoch";
  let step = unchanged(state);
  for (const session of state.sessions.values()) {
    const { purpose } = session;
    if (!("keyId" in purpose) || purpose.keyId !== keyId) continue;
    step = andThen(step, (next) =>
      next.sessions.has(session.run) // ending one session of a signing call ends the others too
        ? endWith(next, session, { kind: "failure", reason, silent: [] })
        : unchanged(next),
    );
  }
  return step;
};

/**
 * Ends the session that makes a next share. A share that is already made stays: its receipt may be part of a
 * certificate.
 *
 * @param given the session id as this signer received it, in hex
 */
export const stopChange = (state: SignerState, keyId: string, given: string): SignerStep => {
  const session = [...state.sessions.values()].find(
    (open) => open.given === given && isKeyChange(open.purpose) && open.purpose.keyId === keyId,
  );
  const reason = "the key's new shares were discarded";
  return session === undefined
    ? unchanged(state)
    : endWith(state, session, { kind: "failure", reason, silent: [] });
};
