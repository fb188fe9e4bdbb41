import type { ComputeResult } from "../../compute/task.ts";
import type { SignerEffect } from "../effect.ts";
import { burnWhere } from "../presigning/burn.ts";
import { groupOf } from "../presigning/pool.ts";
import { lookUp, put, remove } from "../records/persistent-map.ts";
import { type KeyRecord, type NextRecord, RECORDS } from "../records/record.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  unchanged,
} from "../state.ts";
import { isKeyChange } from "./key-change-purpose.ts";

type Changed = Extract<ComputeResult, { readonly kind: "key-changed" }>;
type Batch = Extract<SignerEffect, { readonly kind: "batch" }>;

/**
 * Keeps the share of a key's next epoch beside the share that signs: durable before anybody hears of it, so that an
 * activation can count on it. It stays until it is activated or discarded; nothing happens to it by itself.
 *
 * @param sends what the session says last
 */
export const keepNext = (
  state: SignerState,
  session: OpenSession,
  { keyId, epoch, publicKey, chainCode, digest, share }: Changed,
  sends: readonly SignerEffect[],
): SignerStep => {
  const { purpose, given } = session;
  if (!isKeyChange(purpose) || purpose.keyId !== keyId || purpose.epoch + 1 !== epoch) {
    throw new Error("a session makes the next epoch of its own key");
  }
  const { scheme } = purpose;
  const record: NextRecord = {
    version: 1,
    session: given,
    scheme,
    epoch,
    publicKey,
    chainCode,
    digest,
    share,
  };
  const effects: SignerEffect[] = [
    { kind: "store", record: RECORDS.next.name(keyId), value: RECORDS.next.write(record) },
    ...sends,
  ];
  return andThen({ state: { ...state, next: put(state.next, keyId, record) }, effects }, (stored) =>
    endWith(stored, session, { kind: "key-changed", keyId, epoch, digest }),
  );
};

/**
 * The next share takes the place of the one that signs, in one synced write: with it the old one is gone, and all
 * presignatures of its epoch. Sessions that use the old share end first in memory, so old and new never meet here.
 */
export const adoptNext = (state: SignerState, keyId: string, next: NextRecord): SignerStep => {
  const { epoch, scheme, publicKey, chainCode, share } = next;
  // who has known the key outside knows it still
  const { imported, exports } = lookUp(state.keys, keyId) ?? {};
  const made = { epoch, scheme, publicKey, chainCode, share };
  const key: KeyRecord = { version: 1, state: "active", ...made, imported, exports };
  const burnt = burnWhere(state, (record) => record.keyId === keyId, presignaturesOf(state, keyId));
  const swap: Batch = {
    kind: "batch",
    puts: [{ record: RECORDS.key.name(keyId), value: RECORDS.key.write(key) }],
    erases: [RECORDS.next.name(keyId)],
    sync: true,
  };
  const adopted: SignerStep = {
    state: {
      ...burnt.state,
      keys: put(state.keys, keyId, key),
      next: remove(state.next, keyId),
    },
    effects: [merged([swap, ...burnt.effects])],
  };
  return andThen(adopted, (after) => endUses(after, keyId));
};

/** The group of the presignatures that the key has as it is. */
const presignaturesOf = ({ keys, auxiliary }: SignerState, keyId: string): readonly string[] => {
  const key = lookUp(keys, keyId);
  if (key === undefined || auxiliary === undefined) return [];
  return [groupOf({ keyId, epoch: key.epoch, auxiliaryEpoch: auxiliary.epoch })];
};

/** Batches as one, so that no crash comes between. */
const merged = (effects: readonly SignerEffect[]): Batch => {
  const batches = effects.filter((effect) => effect.kind === "batch");
  if (batches.length !== effects.length) throw new Error("only batches can be one batch");
  return {
    kind: "batch",
    puts: batches.flatMap(({ puts }) => puts),
    erases: batches.flatMap(({ erases }) => erases),
    shreds: batches.flatMap(({ shreds = [] }) => shreds),
    sync: true,
  };
};

/** Ends every session that works with the old share: it could not end well, for others are in the new epoch already. */
const endUses = (state: SignerState, keyId: string): SignerStep => {
  const reason = "the key moved on to a new epoch";
  let step = unchanged(state);
  for (const session of state.sessions.values()) {
    const { purpose } = session;
    if (!("keyId" in purpose) || purpose.keyId !== keyId) continue;
    step = andThen(step, (next) =>
      next.sessions.has(session.run) // others of its family ended with the first of them
        ? endWith(next, session, { kind: "failure", reason, silent: [] })
        : unchanged(next),
    );
  }
  return step;
};

/**
 * Forgets the next share that a session made, and the session itself when it is still under way. Shares that another
 * session made stay: who discards names what it began.
 *
 * @param given the session id as it was given, in hex
 */
export const discardNext = (state: SignerState, keyId: string, given: string): SignerStep => {
  const session = [...state.sessions.values()].find(
    (open) => open.given === given && isKeyChange(open.purpose) && open.purpose.keyId === keyId,
  );
  const reason = "the key's new shares were discarded";
  const stopped =
    session === undefined
      ? unchanged(state)
      : endWith(state, session, { kind: "failure", reason, silent: [] });
  if (lookUp(state.next, keyId)?.session !== given) return stopped;
  return andThen(stopped, (left) => ({
    state: { ...left, next: remove(left.next, keyId) },
    effects: [{ kind: "erase", record: RECORDS.next.name(keyId) }],
  }));
};
