import type { SigningReader } from "@conclave/custody";
import type { Secret } from "@conclave/threshold";
import { RECORDS, type RecordFormat, type StoredRecord } from "./record.ts";
import { upgradeRecord } from "./version-1.ts";

/**
 * Reads one record of the store as of all effects so far; undefined when there is none. The shell provides it. Records
 * of the past are read through it when an event names them: there may be many millions of them, so neither a start nor
 * the memory may grow with them.
 *
 * @throws when the record is damaged
 */
export type ReadRecord = (record: string) => Secret<Uint8Array> | undefined;

/** Records of the past: they are kept until they may be forgotten, and read only when they are named. */
const HISTORY = [
  RECORDS.request,
  RECORDS.session,
  RECORDS.signedBytes,
  RECORDS.spent,
  RECORDS.tombstone,
] as const;

/** Prefixes of the names of records of the past, ascending; no other record has such a prefix. A start reads none of them. */
export const HISTORY_PREFIXES: readonly string[] = HISTORY.map(({ name }) => name(""));

/** A record of the past with the time from which it may be forgotten, `forgetAtMs`, Unix milliseconds. */
export interface FiledRecord extends StoredRecord {
  readonly forgetAtMs: number;
}

/** A record of the store, by its id; undefined when there is none. */
export const recallPast = <T>(history: ReadRecord, format: RecordFormat<T>, id: string): T | undefined => {
  const record = format.name(id);
  const value = history(record);
  return value === undefined ? undefined : format.read({ record, value });
};

/**
 * A record of the past in the form of this version, which an older version may have written; undefined for any other
 * record.
 *
 * @throws when no version wrote it
 */
export const filed = (
  found: StoredRecord,
  reader: Pick<SigningReader, "exclusionOfNonce">,
): FiledRecord | undefined => {
  const format = HISTORY.find(({ idOf }) => idOf(found.record) !== undefined);
  if (format === undefined) return undefined;
  const stored = upgradeRecord(found, reader) ?? found;
  return { ...stored, forgetAtMs: format.read(stored).forgetAtMs };
};
