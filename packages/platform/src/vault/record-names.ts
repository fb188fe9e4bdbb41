import type { Secret } from "@conclave/threshold";
import { unsealValue } from "./sealing.ts";

/** Prefix of all records, so that no record's name collides with the vault's own entries. */
export const RECORD_NAMES = "record/";
/** Of records that a store wrote that knows its entries; no record's name holds its second character. */
const WHOLE = "2\u{0}";

const olderName = (record: string, group: string | undefined): string =>
  group === undefined ? RECORD_NAMES + record : `${RECORD_NAMES}${record}\u{0}${group}`;

/**
 * The name that a record is bound to. It contains the group, so that a record that is moved to another epoch cannot be
 * decrypted. It is another one than in a store that does not know its entries: nobody can pass the one off as the other.
 */
export const boundName = (record: string, group: string | undefined): string =>
  WHOLE + olderName(record, group);

/** @returns the value of a record of this version or an older one; undefined if it was altered */
export const openSealed = (
  key: Secret<Uint8Array>,
  record: string,
  group: string | undefined,
  bytes: Uint8Array,
): Secret<Uint8Array> | undefined =>
  unsealValue(key, boundName(record, group), bytes) ?? unsealValue(key, olderName(record, group), bytes);

/** Whether a store that knows its entries sealed a record of no group. */
export const isOfWholeStore = (key: Secret<Uint8Array>, record: string, bytes: Uint8Array): boolean =>
  unsealValue(key, boundName(record, undefined), bytes) !== undefined;
