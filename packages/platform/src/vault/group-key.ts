import { randomBytes } from "node:crypto";
import { Secret } from "@conclave/threshold";
import { sealValue, unsealValue } from "./sealing.ts";

const KEY_BYTES = 32;

/** The name to which a group's encrypted key is bound. */
const sealedName = (group: string): string => `vault/1/group/${group}`;

/** A new key for a group of records: destroying it destroys the content of the records. */
export const freshGroupKey = (): Secret<Uint8Array> => new Secret(new Uint8Array(randomBytes(KEY_BYTES)));

/** Encrypts the keys of groups under the master key, each bound to its group. */
export const sealGroupKeys = (
  master: Secret<Uint8Array>,
  keys: ReadonlyMap<string, Secret<Uint8Array>>,
): ReadonlyMap<string, Uint8Array> =>
  new Map([...keys].map(([group, key]) => [group, sealValue(master, sealedName(group), key)]));

/** Decrypts the key of a group. @returns undefined if it was altered, or belongs to another group */
export const unsealGroupKey = (
  master: Secret<Uint8Array>,
  group: string,
  sealed: Uint8Array,
): Secret<Uint8Array> | undefined => unsealValue(master, sealedName(group), sealed);
