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
 * Keys are in the store alone, and are read when they are named: neither a start nor the memory grows with them. Beside the
 * record of a key, which holds the share, there are in the same write
 * - its facts: what may be shown of it, so that pages of keys take no share,
 * - a mark while it is pending, so that those that are can be listed,
 * - the tally of all keys, when there is one more or less.
 */
const KEY_PREFIXES = [RECORDS.key, RECORDS.keyFacts, RECORDS.pendingKey].map(({ name }) => name(""));

/** Prefixes of the names of those records of keys that can be derived from others. */
const DERIVED_PREFIXES = [RECORDS.keyFacts, RECORDS.pendingKey].map(({ name }) => name(""));

/** Whether a record says nothing that the records of keys themselves do not say: a start passes over it. */
export const isDerived = ({ record }: StoredRecord): boolean =>
  DERIVED_PREFIXES.some((prefix) => record.startsWith(prefix));

const MARK = RECORDS.pendingKey.write({ version: 1 });

/**
 * Prefixes of the names of records that a start leaves in the store, ascending. Of a store that an older version wrote, it
 * reads all keys once, for they have no facts and no tally.
 */
export const leftInStore = (stored: ReadRecord): readonly string[] => {
  const isTallied = recallPast(stored, RECORDS.keyTally, KEY_TALLY_ID) !== undefined;
  const keys = isTallied ? KEY_PREFIXES : DERIVED_PREFIXES;
  return [...keys, ...HISTORY_PREFIXES].sort();
};

/** A key as the store has it once all effects of earlier steps are carried out; undefined when there is none. */
export const storedKey = ({ history }: Pick<SignerState, "history">, keyId: string): KeyRecord | undefined =>
  recallPast(history, RECORDS.key, keyId);

/** The part of a key that may be shown; undefined when there is none. */
export const keyFactsOf = ({ history }: Pick<SignerState, "history">, keyId: string): KeyFacts | undefined =>
  recallPast(history, RECORDS.keyFacts, keyId);

/** Whether this signer said that it signs nothing more with a key's active epoch. */
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

/** A change of a key as it is to be written: all of it in one batch. */
interface KeyWrites {
  readonly state: SignerState;
  readonly puts: readonly StoredRecord[];
  readonly erases: readonly string[];
}

/** How many keys there are, and how many of them are in doubt. */
type KeyTally = Pick<SignerState, "keyCount" | "keysToRefresh" | "forgotten">;

const tallyOf = ({ keyCount, keysToRefresh, forgotten }: KeyTally): StoredRecord => ({
  record: RECORDS.keyTally.name(KEY_TALLY_ID),
  value: RECORDS.keyTally.write({
    version: 1,
    keys: keyCount,
    ...(forgotten.alarms === 0 ? {} : { toRefresh: keysToRefresh }),
  }),
});

/** The state with one key in the place of another, or of none, and the write that says so where that changes the tally. */
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

/** All keys that there are come to be in doubt. */
export const doubtingAll = (before: SignerState): KeyWrites => {
  const state = { ...before, keysToRefresh: before.keyCount };
  return { state, puts: before.keyCount === 0 ? [] : [tallyOf(state)], erases: [] };
};

/** Puts a key in the place of the one before, if there was one. */
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

/** Removes a key that there is. */
export const droppingKey = (before: SignerState, keyId: string): KeyWrites => {
  const { state, tally } = counted(before, storedKey(before, keyId), undefined);
  const formats = [RECORDS.key, RECORDS.keyFacts, RECORDS.pendingKey];
  return { state, puts: tally, erases: formats.map(({ name }) => name(keyId)) };
};

/**
 * How many keys there are, and what a store of an older version lacks of them.
 *
 * @param tallied their tally; undefined where there is none
 * @param found every key, by its id, where there is none
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
