import { partyIndex } from "@conclave/threshold";
import { pendingAuxiliaryOf, withPendingAuxiliary } from "../auxiliary/keep-auxiliary.ts";
import type { SignerEffect } from "../effect.ts";
import { pendingShareOf, withPendingShare } from "../key-change/next-share.ts";
import { envelopeNames } from "../key-import/taken-envelopes.ts";
import { recallSpending } from "../older-store/spending.ts";
import { foundStored } from "../presigning/pool.ts";
import { liftQuarantines } from "../quarantine/quarantine.ts";
import { forgottenOf } from "../session/forgotten-mark.ts";
import { mendMarks } from "../session/mended-marks.ts";
import { afterLatest, latestBoundRecord } from "../signing/recent-bindings.ts";
import { andThen, type SignerState, type SignerStep, unchanged } from "../state.ts";
import { type FiledRecord, filed } from "./history.ts";
import { isDerived, tallying } from "./key-records.ts";
import { mapOf } from "./persistent-map.ts";
import {
  type KeyRecord,
  type KeyTallyRecord,
  keyIdOfNext,
  type PresignatureRecord,
  RECORDS,
  type StoredRecord,
  UnreadableRecord,
  type WaiverRecord,
} from "./record.ts";
import { upgradeRecord } from "./version-1.ts";

/** Records that are upgraded in one write at the start. */
const UPGRADES_PER_BATCH = 1_000;

/**
 * Restores a signer's state from its records at its start. Presignatures that an older version stored are destroyed:
 * the effects must be carried out before any event.
 *
 * @throws UnreadableRecord when this version cannot read a record; an Error when one is of another security level than
 * the roster's
 */
export const recallAll = (empty: SignerState, records: Iterable<StoredRecord>): SignerStep => {
  let state = empty;
  const upgraded: StoredRecord[] = [];
  const many: Many = { tallied: undefined, keys: new Map(), envelopes: [], waived: [], presignatures: [] };
  for (const found of records) {
    const { reader } = empty.config;
    if (isDerived(found) || filed(found, reader) !== undefined) continue; // it is readable, and is read again when it is named
    const newer = upgradeRecord(found, reader);
    if (newer !== undefined) upgraded.push(newer);
    const stored = newer ?? found;
    if (!collect(many, stored)) state = recall(state, stored);
  }
  const { state: counted, puts } = tallying(state, many.tallied, many.keys);
  const envelopes = mapOf(many.envelopes);
  const waived = mapOf(many.waived);
  const isFirst = counted.keyCount === 0 && state.recentBindings.completeFromMs === undefined;
  const recentBindings = isFirst ? afterLatest(0) : state.recentBindings;
  const rewritten: SignerStep = {
    state: { ...counted, envelopes, waived, recentBindings },
    effects: rewriting([...upgraded, ...puts, ...(isFirst ? [latestBoundRecord(0)] : [])]),
  };
  const marked = andThen(andThen(rewritten, mendMarks), liftQuarantines);
  return andThen(marked, (next) => destroyStored(next, many.presignatures));
};

/** Kinds with possibly many records, whose maps are built at once. */
interface Many {
  tallied: KeyTallyRecord | undefined;
  readonly keys: Map<string, KeyRecord>;
  readonly envelopes: (readonly [string, string])[];
  readonly waived: (readonly [string, WaiverRecord])[];
  readonly presignatures: (readonly [string, PresignatureRecord])[];
}

/** @returns whether the record is of one of these kinds */
const collect = (many: Many, stored: StoredRecord): boolean => {
  const { keys, envelopes, waived, presignatures } = many;
  const { record } = stored;
  const presignature = RECORDS.presignature.idOf(record);
  const key = RECORDS.key.idOf(record);
  const waiver = RECORDS.waiver.idOf(record);
  const envelope = RECORDS.envelope.idOf(record);
  if (presignature !== undefined) presignatures.push([presignature, RECORDS.presignature.read(stored)]);
  else if (key !== undefined) keys.set(key, RECORDS.key.read(stored));
  else if (RECORDS.keyTally.idOf(record) !== undefined) many.tallied = RECORDS.keyTally.read(stored);
  else if (waiver !== undefined) waived.push([waiver, RECORDS.waiver.read(stored)]);
  else if (envelope !== undefined) {
    const { keyId, ephemeralKey } = RECORDS.envelope.read(stored);
    for (const name of envelopeNames({ digest: envelope, ephemeralKey })) envelopes.push([name, keyId]);
  } else return false;
  return true;
};

/** Rewrites records of an older version in the form of this one, in batches; the last batch makes all of them durable. */
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
  const next = RECORDS.next.idOf(record);
  if (next !== undefined) {
    const keyId = keyIdOfNext(next);
    const share = pendingShareOf(state, keyId, RECORDS.next.read(stored), next === keyId);
    return withPendingShare(state, keyId, share);
  }
  if (RECORDS.forgotten.idOf(record) !== undefined) {
    return { ...state, forgotten: forgottenOf(RECORDS.forgotten.read(stored)) };
  }
  if (RECORDS.latestBound.idOf(record) !== undefined) {
    return { ...state, recentBindings: afterLatest(RECORDS.latestBound.read(stored).requestedAtMs) };
  }
  if (RECORDS.accepted.idOf(record) !== undefined) {
    return state; // an earlier version wrote it; sessions of that time name lives that have ended
  }
  return recallQuarantine(state, stored) ?? recallSpending(state, stored) ?? recallAuxiliary(state, stored);
};

/** Restores a quarantine; undefined when the record is of another kind. */
const recallQuarantine = (state: SignerState, stored: StoredRecord): SignerState | undefined => {
  const culprit = partyIndex(Number(RECORDS.quarantine.idOf(stored.record)));
  if (culprit === undefined) return undefined;
  const quarantine = new Map(state.quarantine).set(culprit, RECORDS.quarantine.read(stored));
  return { ...state, quarantine };
};

const recallAuxiliary = (state: SignerState, stored: StoredRecord): SignerState => {
  const { record } = stored;
  if (RECORDS.pendingAuxiliary.idOf(record) !== undefined) {
    const pending = RECORDS.pendingAuxiliary.read(stored);
    requireLevel(state, pending.parameters);
    return withPendingAuxiliary(state, pendingAuxiliaryOf(state, pending));
  }
  if (RECORDS.auxiliary.idOf(record) === undefined)
    throw new UnreadableRecord(record, `the store holds a strange record ${record}`);
  const auxiliary = RECORDS.auxiliary.read(stored);
  requireLevel(state, auxiliary.parameters);
  return { ...state, auxiliary };
};

const requireLevel = ({ config: { parameters } }: SignerState, level: string): void => {
  if (level === parameters) return;
  throw new Error(`the stored moduli are of level ${level}, the roster says ${parameters}`);
};

/**
 * Destroys the presignatures that an older version stored, and the keys of their groups: the store may be a copy, and
 * another life may have spent them (P6). A reserved one gets its tombstone.
 */
const destroyStored = (
  before: SignerState,
  presignatures: readonly (readonly [string, PresignatureRecord])[],
): SignerStep => {
  if (presignatures.length === 0) return unchanged(before);
  const puts: FiledRecord[] = [];
  const groups = new Set<string>();
  for (const [id, record] of presignatures) {
    if (record.state === "ready") groups.add(groupOf(record));
    else if (before.history(RECORDS.spent.name(id)) === undefined) {
      const { tombstone } = record;
      const value = RECORDS.spent.write(tombstone);
      puts.push({ record: RECORDS.spent.name(id), value, forgetAtMs: tombstone.forgetAtMs });
    }
  }
  const erases = presignatures.map(([id]) => RECORDS.presignature.name(id));
  return {
    state: { ...before, pool: foundStored(before.pool, presignatures.length) },
    effects: [{ kind: "batch", puts, erases, shreds: [...groups], sync: true }],
  };
};

/**
 * The group of records that older versions sealed with one key: presignatures of a key, in one epoch of its shares and
 * of the auxiliary info.
 */
const groupOf = ({
  keyId,
  epoch,
  auxiliaryEpoch,
}: Extract<PresignatureRecord, { readonly state: "ready" }>): string => `${keyId}/${epoch}/${auxiliaryEpoch}`;
