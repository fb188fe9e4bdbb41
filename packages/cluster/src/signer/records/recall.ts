import { pendingAuxiliaryOf, withPendingAuxiliary } from "../auxiliary/keep-auxiliary.ts";
import type { SignerEffect } from "../effect.ts";
import { pendingShareOf, withPendingShare } from "../key-change/next-share.ts";
import { recallEnvelope } from "../key-import/taken-envelopes.ts";
import { burnWhere } from "../presigning/burn.ts";
import { buried, withTombstone } from "../presigning/pool.ts";
import { recallSpending } from "../presigning/spending.ts";
import { andThen, type SignerState, type SignerStep } from "../state.ts";
import { lookUp, put } from "./persistent-map.ts";
import {
  keyIdOfNext,
  type PresignatureRecord,
  RECORDS,
  type ReadyRecord,
  type StoredRecord,
} from "./record.ts";
import { upgradeRecord } from "./version-1.ts";

/** Records that one write at the start upgrades. */
const UPGRADES_PER_BATCH = 1_000;

/**
 * What a signer stored, taken up again at its start. Presignatures that were reserved are buried, and those that no
 * longer fit their key or the auxiliary info are burnt: the effects are to be carried out before any event.
 *
 * @throws when a record is not readable by this version, or of another security level than the roster's
 */
export const recallAll = (empty: SignerState, records: Iterable<StoredRecord>): SignerStep => {
  let state = empty;
  const upgraded: StoredRecord[] = [];
  const presignatures: (readonly [string, PresignatureRecord])[] = [];
  for (const found of records) {
    const newer = upgradeRecord(found, empty.config.reader);
    if (newer !== undefined) upgraded.push(newer);
    const stored = newer ?? found;
    const id = RECORDS.presignature.idOf(stored.record);
    if (id === undefined) state = recall(state, stored);
    else presignatures.push([id, RECORDS.presignature.read(stored)]);
  }
  const rewritten: SignerStep = { state, effects: rewriting(upgraded) };
  const recalled = andThen(rewritten, (next) => recallPool(next, presignatures));
  return andThen(recalled, (next) => burnWhere(next, (record) => !isCurrent(next, record)));
};

/** Writes what an older version stored in the form of this one, in batches; the last makes all of them durable. */
const rewriting = (upgraded: readonly StoredRecord[]): readonly SignerEffect[] => {
  const effects: SignerEffect[] = [];
  for (let from = 0; from < upgraded.length; from += UPGRADES_PER_BATCH) {
    const to = from + UPGRADES_PER_BATCH;
    const puts = upgraded.slice(from, to);
    effects.push({ kind: "batch", puts, erases: [], sync: to >= upgraded.length });
  }
  return effects;
};

const recall = (state: SignerState, stored: StoredRecord): SignerState => {
  const { record } = stored;
  const key = RECORDS.key.idOf(record);
  if (key !== undefined) return { ...state, keys: put(state.keys, key, RECORDS.key.read(stored)) };
  const next = RECORDS.next.idOf(record);
  if (next !== undefined) {
    const keyId = keyIdOfNext(next);
    const share = pendingShareOf(state, keyId, RECORDS.next.read(stored), next === keyId);
    return withPendingShare(state, keyId, share);
  }
  const request = RECORDS.request.idOf(record);
  if (request !== undefined) {
    return { ...state, requests: put(state.requests, request, RECORDS.request.read(stored)) };
  }
  const session = RECORDS.session.idOf(record) ?? RECORDS.tombstone.idOf(record);
  if (session !== undefined) {
    const format = RECORDS.session.idOf(record) === undefined ? RECORDS.tombstone : RECORDS.session;
    return { ...state, remembered: put(state.remembered, session, format.read(stored).forgetAtMs) };
  }
  const spent = RECORDS.spent.idOf(record);
  if (spent !== undefined) {
    return { ...state, pool: withTombstone(state.pool, spent, RECORDS.spent.read(stored)) };
  }
  const waived = RECORDS.waiver.idOf(record);
  if (waived !== undefined) {
    return { ...state, waived: put(state.waived, waived, RECORDS.waiver.read(stored)) };
  }
  const recalled = recallSpending(state, stored) ?? recallEnvelope(state, stored);
  if (recalled !== undefined) return recalled;
  return recallAuxiliary(state, stored);
};

const recallAuxiliary = (state: SignerState, stored: StoredRecord): SignerState => {
  const { record } = stored;
  if (RECORDS.pendingAuxiliary.idOf(record) !== undefined) {
    const pending = RECORDS.pendingAuxiliary.read(stored);
    requireLevel(state, pending.parameters);
    return withPendingAuxiliary(state, pendingAuxiliaryOf(state, pending));
  }
  if (RECORDS.auxiliary.idOf(record) === undefined)
    throw new Error(`the store holds a strange record ${record}`);
  const auxiliary = RECORDS.auxiliary.read(stored);
  requireLevel(state, auxiliary.parameters);
  return { ...state, auxiliary };
};

const requireLevel = ({ config: { parameters } }: SignerState, level: string): void => {
  if (level === parameters) return;
  throw new Error(`the stored moduli are of level ${level}, the roster says ${parameters}`);
};

/**
 * Ready presignatures wait again. A presignature that was reserved, or that has a tombstone beside it, is spent and
 * stays so.
 */
const recallPool = (
  before: SignerState,
  presignatures: readonly (readonly [string, PresignatureRecord])[],
): SignerStep => {
  let { pool } = before;
  const puts: { record: string; value: StoredRecord["value"] }[] = [];
  const erases: string[] = [];
  const recalled = new Set<string>();
  for (const [id, record] of presignatures) {
    const isSpent = lookUp(before.pool.spent, id) !== undefined;
    if (record.state === "ready" && !isSpent) {
      pool = { ...pool, ready: put(pool.ready, id, record) };
      recalled.add(id);
      continue;
    }
    erases.push(RECORDS.presignature.name(id));
    if (record.state === "ready" || isSpent) continue;
    puts.push({ record: RECORDS.spent.name(id), value: RECORDS.spent.write(record.tombstone) });
    pool = buried(pool, id, record.tombstone);
  }
  return {
    state: { ...before, pool, spending: { ...before.spending, recalled } },
    effects: erases.length === 0 ? [] : [{ kind: "batch", puts, erases, sync: true }],
  };
};

const isCurrent = (state: SignerState, { keyId, epoch, auxiliaryEpoch }: ReadyRecord): boolean => {
  const key = lookUp(state.keys, keyId);
  return state.auxiliary?.epoch === auxiliaryEpoch && key?.state === "active" && epoch === key.epoch;
};
