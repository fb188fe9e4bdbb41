import type { SigningReader } from "@conclave/custody";
import type { Secret } from "@conclave/threshold";
import { RECORDS, type RecordFormat, type StoredRecord } from "./record.ts";
import { upgradeRecord } from "./version-1.ts";

/**
 * Reads one record of the store, as it is once all effects so far are carried out; undefined when there is none. The shell
 * hands it in. Records of the past are read with it when an event names them: there may be many millions of them, and
 * neither a start nor the memory may grow with them.
 *
 * @throws when the record is damaged
 */
export type ReadRecord = (record: string) => Secret<Uint8Array> | undefined;

/** Records that are kept only until their time is up, and read only when they are named. */
const HISTORY = [
  RECORDS.request,
  RECORDS.session,
  RECORDS.signedBytes,
  RECORDS.spent,
  RECORDS.tombstone,
] as const;

/** Prefixes of the names of records of the past, ascending; no other record's name begins so. A start reads none of them. */
export const HISTORY_PREFIXES: readonly string[] = HISTORY.map(({ name }) => name(""));

/** A record of the past as it is written: it may be forgotten at `forgetAtMs`, Unix milliseconds. */
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
 * A record of the past that an older version wrote, as this one writes it; undefined for any other record.
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
