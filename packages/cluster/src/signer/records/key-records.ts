import { isInDoubt } from "../older-store/key-in-doubt.ts";
import type { SignerState } from "../state.ts";
import { HISTORY_PREFIXES, type ReadRecord, recallPast } from "./history.ts";
import {
  KEY_TALLY_ID,
  type KeyFacts,
  type KeyRecord,
  type KeyTallyRecord,
  RECORDS,
  type StoredRecord,
} from "./record.ts";

/**
 * Keys are in the store alone, and are read when they are named: neither a start nor the memory grows with them. Beside
 * the record of a key, which holds the share, the same write has
 * - its facts: the public ones, so that pages of keys read no share,
 * - a mark while it is pending, so that pending keys can be listed,
 * - the tally of all keys, when their number changes.
 */
const KEY_PREFIXES = [RECORDS.key, RECORDS.keyFacts, RECORDS.pendingKey].map(({ name }) => name(""));

/** Prefixes of the names of records that can be derived from the records of keys. */
const DERIVED_PREFIXES = [RECORDS.keyFacts, RECORDS.pendingKey].map(({ name }) => name(""));

/** Whether a record is derived from the records of keys: a start skips it. */
export const isDerived = ({ record }: StoredRecord): boolean =>
  DERIVED_PREFIXES.some((prefix) => record.startsWith(prefix));

const MARK = RECORDS.pendingKey.write({ version: 1 });

/**
 * Prefixes of the names of records that a start leaves in the store, ascending. From a store that an older version
 * wrote, without facts and tally, it reads all keys once.
 */
export const leftInStore = (stored: ReadRecord): readonly string[] => {
  const isTallied = recallPast(stored, RECORDS.keyTally, KEY_TALLY_ID) !== undefined;
  const keys = isTallied ? KEY_PREFIXES : DERIVED_PREFIXES;
  return [...keys, ...HISTORY_PREFIXES].sort();
};

/** A key in the store as of all effects of earlier steps; undefined when there is none. */
export const storedKey = ({ history }: Pick<SignerState, "history">, keyId: string): KeyRecord | undefined =>
  recallPast(history, RECORDS.key, keyId);

/** The public facts of a key; undefined when there is none. */
export const keyFactsOf = ({ history }: Pick<SignerState, "history">, keyId: string): KeyFacts | undefined =>
  recallPast(history, RECORDS.keyFacts, keyId);

/** Whether this signer promised to sign nothing more with a key's active epoch. */
export const isHandedOver = ({ epoch, handedOver }: Pick<KeyRecord, "epoch" | "handedOver">): boolean =>
  handedOver !== undefined && epoch < handedOver.to;

export const factsOfKey = ({ state, epoch, publicKey, imported, exports = [] }: KeyRecord): KeyFacts => ({
  version: 1,
  state,
  epoch,
  publicKey,
  ...(imported === undefined ? {} : { imported }),
  ...(exports.length === 0 ? {} : { exported: true }),
});

/** The writes of a change of a key, for one batch. */
interface KeyWrites {
  readonly state: SignerState;
  readonly puts: readonly StoredRecord[];
  readonly erases: readonly string[];
}

/** The number of keys, and how many of them are in doubt. */
type KeyTally = Pick<SignerState, "keyCount" | "keysToRefresh" | "forgotten">;

const tallyOf = ({ keyCount, keysToRefresh, forgotten }: KeyTally): StoredRecord => ({
  record: RECORDS.keyTally.name(KEY_TALLY_ID),
  value: RECORDS.keyTally.write({
    version: 1,
    keys: keyCount,
    ...(forgotten.alarms === 0 ? {} : { toRefresh: keysToRefresh }),
  }),
});

/** The state after one key replaced another, or none, and the write of the tally if that changes it. */
const counted = (state: SignerState, before: KeyRecord | undefined, after: KeyRecord | undefined) => {
  const change = (counts: (key: KeyRecord) => boolean): number =>
    Number(after !== undefined && counts(after)) - Number(before !== undefined && counts(before));
  const more = change(() => true);
  const doubted = change((key) => isInDoubt(state, key));
  const keyCount = state.keyCount + more;
  const keysToRefresh = state.keysToRefresh + doubted;
  const next = { ...state, keyCount, keysToRefresh };
  return { state: next, tally: more === 0 && doubted === 0 ? [] : [tallyOf(next)] };
};

/** Puts all keys in doubt. */
export const doubtingAll = (before: SignerState): KeyWrites => {
  const state = { ...before, keysToRefresh: before.keyCount };
  return { state, puts: before.keyCount === 0 ? [] : [tallyOf(state)], erases: [] };
};

/** Writes a key, in place of its earlier record if there is one. */
export const keepingKey = (before: SignerState, keyId: string, key: KeyRecord): KeyWrites => {
  const known = storedKey(before, keyId);
  const { state, tally } = counted(before, known, key);
  const isPending = key.state === "pending";
  const mark = RECORDS.pendingKey.name(keyId);
  return {
    state,
    puts: [
      { record: RECORDS.key.name(keyId), value: RECORDS.key.write(key) },
      { record: RECORDS.keyFacts.name(keyId), value: RECORDS.keyFacts.write(factsOfKey(key)) },
      ...(isPending ? [{ record: mark, value: MARK }] : []),
      ...tally,
    ],
    erases: known?.state === "pending" && !isPending ? [mark] : [],
  };
};

/** Removes a key. */
export const droppingKey = (before: SignerState, keyId: string): KeyWrites => {
  const { state, tally } = counted(before, storedKey(before, keyId), undefined);
  const formats = [RECORDS.key, RECORDS.keyFacts, RECORDS.pendingKey];
  return { state, puts: tally, erases: formats.map(({ name }) => name(keyId)) };
};

/**
 * Restores the tally of keys, and writes the records that a store of an older version lacks.
 *
 * @param tallied the stored tally; undefined where there is none
 * @param found every key, by its id, where there is no tally
 */
export const tallying = (
  state: SignerState,
  tallied: KeyTallyRecord | undefined,
  found: ReadonlyMap<string, KeyRecord>,
): KeyWrites => {
  if (tallied !== undefined) {
    const { keys: keyCount, toRefresh: keysToRefresh = state.forgotten.alarms === 0 ? 0 : keyCount } =
      tallied;
    return { state: { ...state, keyCount, keysToRefresh }, puts: [], erases: [] };
  }
  const keysToRefresh = [...found.values()].filter((key) => isInDoubt(state, key)).length;
  const next = { ...state, keyCount: found.size, keysToRefresh };
  const puts = [...found].flatMap(([keyId, key]) => [
    { record: RECORDS.keyFacts.name(keyId), value: RECORDS.keyFacts.write(factsOfKey(key)) },
    ...(key.state === "pending" ? [{ record: RECORDS.pendingKey.name(keyId), value: MARK }] : []),
  ]);
  return { state: next, puts: found.size === 0 ? [] : [...puts, tallyOf(next)], erases: [] };
};
