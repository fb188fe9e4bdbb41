import type { Secret } from "@conclave/threshold";
import { unsealValue } from "./sealing.ts";

/** Prefix of all records, so that no record's name collides with the vault's own entries. */
export const RECORD_NAMES = "record/";
/**
 * Begins the bound names of this version, whose stores list their entries; no record's name contains its second
 * character.
 */
const WHOLE = "2\u{0}";

const olderName = (record: string, group: string | undefined): string =>
  group === undefined ? RECORD_NAMES + record : `${RECORD_NAMES}${record}\u{0}${group}`;

/**
 * The name to which a record is bound. It contains the group, so that a record that is moved to another epoch cannot be
 * decrypted. It differs from the name in an older store, so that no record of such a store passes for one of this
 * version.
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

/** Whether this version, and not an older one, sealed a record without a group. */
export const isOfWholeStore = (key: Secret<Uint8Array>, record: string, bytes: Uint8Array): boolean =>
  unsealValue(key, boundName(record, undefined), bytes) !== undefined;
