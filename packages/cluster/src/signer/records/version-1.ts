import type { SigningReader } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { RECORDS, type StoredRecord } from "./record.ts";

/**
 * Converts records of Conclave 0.1. Its only family was EVM: it bound a request to an account nonce, and named the
 * nonce in tombstones.
 */
const digits = z.string().regex(/^(0|[1-9][0-9]*)$/);
const forgetAtMs = z.int();
const requestSchema = z.strictObject({ version: z.literal(1), nonce: digits, forgetAtMs });
const tombstoneSchema = z.looseObject({ version: z.literal(1), nonce: digits.optional() });
const reservedSchema = z.looseObject({
  version: z.literal(1),
  state: z.literal("reserved"),
  tombstone: tombstoneSchema,
});

type Upgrade = (json: unknown, reader: Pick<SigningReader, "exclusionOfNonce">) => unknown;

const upgradeRequest: Upgrade = (json, reader) => {
  const old = requestSchema.safeParse(json);
  if (!old.success) return undefined;
  const exclusion = bytesToHex(reader.exclusionOfNonce(BigInt(old.data.nonce)));
  // version 0.1 did not keep which bytes were signed, so no statement can name them
  return { version: 2, transactions: [{ exclusion, digests: [] }], forgetAtMs: old.data.forgetAtMs };
};

const withoutNonce = ({ nonce: _, ...tombstone }: z.infer<typeof tombstoneSchema>) => ({
  ...tombstone,
  version: 2,
});

const upgradeTombstone: Upgrade = (json) => {
  const old = tombstoneSchema.safeParse(json);
  return old.success ? withoutNonce(old.data) : undefined;
};

const upgradeReserved: Upgrade = (json) => {
  const old = reservedSchema.safeParse(json);
  return old.success ? { ...old.data, tombstone: withoutNonce(old.data.tombstone) } : undefined;
};

const UPGRADES: readonly (readonly [(record: string) => string | undefined, Upgrade])[] = [
  [RECORDS.request.idOf, upgradeRequest],
  [RECORDS.tombstone.idOf, upgradeTombstone],
  [RECORDS.spent.idOf, upgradeTombstone],
  [RECORDS.presignature.idOf, upgradeReserved],
];

/**
 * The record in the form of this version; undefined when it has that form already, or is equal in both.
 *
 * @throws when the value is no JSON, as the store is ours
 */
export const upgradeRecord = (
  { record, value }: StoredRecord,
  reader: Pick<SigningReader, "exclusionOfNonce">,
): StoredRecord | undefined => {
  const upgrade = UPGRADES.find(([idOf]) => idOf(record) !== undefined)?.[1];
  const upgraded = upgrade?.(JSON.parse(bytesToUtf8(value.reveal())), reader);
  return upgraded === undefined
    ? undefined
    : { record, value: new Secret(utf8ToBytes(JSON.stringify(upgraded))) };
};
