import { inCurrentFormat, type PartyIndex, partyIndex, Secret } from "@conclave/threshold";
import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { KEY_EPOCH_FIRST } from "../key-generation/key-epoch.ts";

/** A record as the shell reads it at start: its name, and its value unsealed. */
export interface StoredRecord {
  readonly record: string;
  readonly value: Secret<Uint8Array>;
}

const hex = z.string().regex(/^([0-9a-f]{2})*$/);
const bytes = z.codec(hex, z.custom<Uint8Array>(), { decode: hexToBytes, encode: bytesToHex });
const secretBytes = z.codec(hex, z.custom<Secret<Uint8Array>>(), {
  decode: (digits) => new Secret<Uint8Array>(hexToBytes(digits)),
  encode: (secret) => bytesToHex(secret.reveal()),
});
/** keyShareCodec of the key's scheme; a share of version 0.1 is converted to the current format. */
const shareBytes = z.codec(hex, z.custom<Secret<Uint8Array>>(), {
  decode: (digits) => new Secret(inCurrentFormat(hexToBytes(digits))),
  encode: (secret) => bytesToHex(secret.reveal()),
});
const party = z.custom<PartyIndex>((index) => typeof index === "number" && partyIndex(index) !== undefined);
const version = z.literal(1);

/** A session id that may not begin again before `forgetAtMs`, Unix milliseconds. */
const sessionRecord = z.strictObject({ version, forgetAtMs: z.int() });
/** INV-2: the session's presignature is spent on this digest alone, whatever happens next. */
const tombstoneRecord = z.strictObject({
  version: z.literal(2),
  digest: bytes,
  keyId: z.string(),
  requestId: z.string(),
  forgetAtMs: z.int(),
});
/** INV-4: transactions that were signed for a request and have the same exclusion and deadline. */
const boundTransaction = z.strictObject({
  /** in the encoding of the network's family; opaque to all other code */
  exclusion: bytes,
  /** Unix milliseconds: when none of them can land any more; absent where their bytes have no deadline */
  deadlineMs: z.int().optional(),
  /** SHA-256 of the unsigned bytes of each; empty when they are unknown: then no statement can name them all */
  digests: z.array(hex).readonly(),
});
/** INV-4: what was signed for a request, which every further transaction of it must exclude. */
const requestRecord = z.strictObject({
  version: z.literal(2),
  /** absent in a record that an older version wrote */
  network: z.string().optional(),
  transactions: z.array(boundTransaction).readonly(),
  forgetAtMs: z.int(),
});
/**
 * The unsigned bytes of transactions that were signed for a request and those that replace it, for an orchestrator
 * whose database lost them.
 */
const signedBytesRecord = z.strictObject({
  version,
  /** the latest last, within BOUND_BYTES_MAX; both fields in hex, which is not validated in `unsigned`, as it may be long */
  transactions: z.array(z.strictObject({ digest: hex, unsigned: z.string() })).readonly(),
  forgetAtMs: z.int(),
});
/** INV-2: a presignature of the pool is spent on this digest and session alone, whatever happens next. */
const spentRecord = z.strictObject({
  version: z.literal(2),
  digest: bytes,
  session: z.string(),
  keyId: z.string(),
  requestId: z.string(),
  spentAtMs: z.int(),
  forgetAtMs: z.int(),
});
/**
 * A presignature as earlier versions stored it: ready, or reserved with the tombstone that was about to be written.
 * This version writes none, and never uses one that it finds.
 */
const presignatureRecord = z.discriminatedUnion("state", [
  z.strictObject({
    version,
    state: z.literal("ready"),
    keyId: z.string(),
    epoch: z.int(),
    auxiliaryEpoch: z.int(),
    /** ascending, self included */
    signers: z.array(party).readonly(),
    createdAtMs: z.int(),
    expiresAtMs: z.int(),
    /** presignatureCodec */
    secret: secretBytes,
  }),
  z.strictObject({ version, state: z.literal("reserved"), tombstone: spentRecord }),
]);
const spendingCount = z.int().nonnegative();
/** A count of releases: ours, or one that a peer reported; it never decreases. */
const spendingRecord = z.discriminatedUnion("version", [
  // from a version without signed counts: it is no proof, so it burns nothing
  z.strictObject({ version, count: spendingCount }),
  // the signature is by the signer that counts (signed-count.ts)
  z.strictObject({ version: z.literal(2), count: spendingCount, signature: bytes }),
]);
const scheme = z.enum(["CGGMP24", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"]);
/** An export of this signer's share to a client: written before the share is sent. */
const exportEntry = z.strictObject({
  requestId: z.string(),
  /** the client's key, in hex */
  encryptionKey: hex,
  exportedAtMs: z.int(),
});
const madeKey = z.strictObject({
  orgId: z.string(),
  /** ISO 8601 UTC */
  date: z.string(),
});
const holders = z.strictObject({ threshold: z.int(), parties: z.array(party).readonly() });
/**
 * INV-4: what each of the earlier holders stated about the requests that it signed for. A request is cleared, so that
 * they signed no other transaction for it, when at least `needed` of them name no other transaction for it and their
 * statements cover its date.
 */
const pastHolders = z.strictObject({
  needed: z.int().nonnegative(),
  heard: z
    .array(
      z.strictObject({
        /** Unix milliseconds: the statement covers requests from this date on */
        sinceMs: z.int(),
        /** `boundRequestName` of each, in hex */
        requests: z.array(hex).readonly(),
      }),
    )
    .readonly(),
});
/**
 * how often this signer's store had turned out to be an older copy when it got the share; absent for never
 * (older-store/key-in-doubt.ts)
 */
const alarms = z.int().positive().optional();
const keyRecord = z.strictObject({
  version,
  /** records from before there were other schemes are of ECDSA keys */
  scheme: scheme.default("CGGMP24"),
  state: z.enum(["pending", "active"]),
  /** records from before keys could be refreshed are of the first epoch */
  epoch: z.int().positive().default(KEY_EPOCH_FIRST),
  /** in the encoding of the scheme */
  publicKey: bytes,
  chainCode: bytes,
  share: shareBytes,
  /** a client imported the key, and so knows it for ever */
  imported: z.literal(true).optional(),
  /**
   * the organisation for which the authority requested the key, and the date; absent if this signer took no part in
   * making the key, or an earlier version wrote the record
   */
  made: madeKey.optional(),
  /** exports of this share, oldest first */
  exports: z.array(exportEntry).readonly().optional(),
  /** the certificate of this epoch (control/epoch-certificate.ts); absent in the first epoch */
  certificate: bytes.optional(),
  /**
   * id of the session that made this epoch, as this signer received it, in hex; absent in the first epoch, and for
   * epochs that older versions activated
   */
  session: hex.optional(),
  /** the previous version's form of `joined`: Unix milliseconds, without any requests */
  knownSinceMs: z.int().optional(),
  /**
   * the statements that this signer received when it joined the key, or got a lost share again: of earlier requests it
   * signs only for cleared ones. A signer that had lost its share still signs replacements of cleared requests of any
   * age: it once knew the replaced requests
   */
  joined: pastHolders.extend({ isLost: z.literal(true).optional() }).optional(),
  /**
   * such statements from the last change of the holders in which it stayed; they count while fewer than `least` sign
   * together
   */
  earlier: pastHolders.extend({ least: z.int() }).optional(),
  /** of earlier changes: while fewer than `least` sign together, no request dated before `sinceMs` is cleared */
  longBefore: z.strictObject({ sinceMs: z.int(), least: z.int() }).optional(),
  /**
   * Unix milliseconds: the signer does not know what others signed with the key before, as its holders changed. Absent
   * if they never did
   */
  heldSinceMs: z.int().optional(),
  /** INV-4: the promise of this signer to sign nothing with an epoch below `to`, and the certificate for which it was given */
  handedOver: z.strictObject({ to: z.int().positive(), certificate: bytes }).optional(),
  alarms,
});
/** The public facts of a key, in a record without its share. */
const keyFactsRecord = z.strictObject({
  version,
  state: z.enum(["pending", "active"]),
  epoch: z.int().positive(),
  publicKey: bytes,
  imported: z.literal(true).optional(),
  exported: z.literal(true).optional(),
});
/** A mark of a pending key, whose id is in the record's name. */
const pendingKeyRecord = z.strictObject({ version });
/** The number of keys that have facts. */
const keyTallyRecord = z.strictObject({
  version,
  keys: z.int().nonnegative(),
  /** how many of them are in doubt (older-store/key-in-doubt.ts); absent before the first alarm */
  toRefresh: z.int().nonnegative().optional(),
});
/** A share of a key's next epoch: durable, and unused until its certificate comes. */
const nextRecord = z.strictObject({
  version,
  /** the session id as this signer received it, in hex */
  session: z.string(),
  scheme,
  /** the epoch before; absent in records of earlier versions, where it is always `epoch` minus one */
  from: z.int().nonnegative().optional(),
  epoch: z.int().positive(),
  publicKey: bytes,
  chainCode: bytes,
  /** digest of all public data of the epoch */
  digest: bytes,
  /** keyShareCodec of the scheme */
  share: secretBytes,
  /** written by the previous version: this signer is a new holder of the key */
  comes: z.literal(true).optional(),
  /** the holders of the epoch before; absent where they stay the same, and in records of the previous version */
  before: holders.optional(),
  alarms,
});
const auxiliaryRecord = z.strictObject({
  version,
  parameters: z.string(),
  epoch: z.int(),
  digest: bytes,
  /** auxiliaryInfoCodec */
  info: secretBytes,
  /** the certificate of this epoch (control/epoch-certificate.ts) */
  certificate: bytes.optional(),
  /**
   * id of the session that made this epoch, as this signer received it, in hex; absent in epochs that older versions
   * activated
   */
  session: hex.optional(),
});
/** Pending auxiliary info: it waits for its certificate beside the active one. */
const pendingAuxiliaryRecord = z.strictObject({
  version,
  parameters: z.string(),
  /** the session id as this signer received it, in hex */
  session: z.string(),
  /** the epoch to replace; 0 where there is none */
  from: z.int().nonnegative(),
  epoch: z.int().positive(),
  digest: bytes,
  /** auxiliaryInfoCodec */
  info: secretBytes,
  /** the signers of the session; absent in records of an older version, whose roster never changed */
  parties: z.array(party).readonly().optional(),
});

/** A discarded attempt at an epoch, by its session: this signer never holds anything of it again. */
const waiverRecord = z.strictObject({
  version,
  /** a key's id, or AUXILIARY_SUBJECT */
  subject: z.string(),
  /** true if it held nothing of the attempt, and signed a waiver; false if it erased what it held */
  isWaiver: z.boolean(),
});
/**
 * The mark of forgetting: requests up to this age may have been forgotten, so none of them is signed, whatever the
 * clock shows later.
 */
const forgottenRecord = z.discriminatedUnion("version", [
  z.strictObject({
    version,
    /** Unix milliseconds */
    toMs: z.int(),
  }),
  // an operator corrected it (session/mended-marks.ts)
  z.strictObject({ version: z.literal(2), toMs: z.int(), requestedToMs: z.int(), mendedMs: z.int() }),
  // the store was an older copy (older-store/spending.ts)
  z.strictObject({
    version: z.literal(3),
    toMs: z.int(),
    requestedToMs: z.int(),
    mendedMs: z.int(),
    olderMs: z.int(),
    /** absent in records of the version without this count: then at least one */
    alarms: z.int().positive().default(1),
  }),
]);
/** An earlier version wrote it: the farthest deadline that it accepted for a session without a record. No longer read. */
const acceptedRecord = z.strictObject({
  version,
  /** Unix milliseconds */
  toMs: z.int(),
});

/** INV-4: this signer has bound no request of a later date (recent-bindings.ts). */
const latestBoundRecord = z.strictObject({
  version,
  /** Unix milliseconds */
  requestedAtMs: z.int(),
});

/** P15: the reason to sign nothing with the peer that the record's name has. */
const quarantineRecord = z.strictObject({
  version,
  /** the failed check, such as "presign/2 Πaff-g of D" */
  check: z.string(),
  /** SHA-256 of the evidence, encoded by evidenceCodec */
  evidence: hex.length(64),
  /** epoch of the auxiliary information that was active; 0 for none */
  auxiliaryEpoch: z.int().nonnegative(),
  /** Unix milliseconds, by this signer's clock; for operators alone */
  provenAtMs: z.int(),
});

/** INV-11: an envelope that was taken for one key id, and is refused for every other. */
const envelopeRecord = z.strictObject({
  version,
  keyId: z.string(),
  /** the client's ephemeral key, in hex; absent when the envelope has none, and so cannot be opened */
  ephemeralKey: hex.optional(),
});

export type KeyProvenance = z.output<typeof madeKey>;
export type TombstoneRecord = z.output<typeof tombstoneRecord>;
export type BoundTransaction = z.output<typeof boundTransaction>;
export type RequestRecord = z.output<typeof requestRecord>;
export type SignedBytesRecord = z.output<typeof signedBytesRecord>;
export type SpentRecord = z.output<typeof spentRecord>;
export type PresignatureRecord = z.output<typeof presignatureRecord>;
export type ForgottenRecord = z.output<typeof forgottenRecord>;
export type KeyRecord = z.output<typeof keyRecord>;
export type PastHolders = z.output<typeof pastHolders>;
export type KeyFacts = z.output<typeof keyFactsRecord>;
export type KeyTallyRecord = z.output<typeof keyTallyRecord>;
export type NextRecord = z.output<typeof nextRecord>;
export type AuxiliaryRecord = z.output<typeof auxiliaryRecord>;
export type WaiverRecord = z.output<typeof waiverRecord>;
export type QuarantineRecord = z.output<typeof quarantineRecord>;
export type PendingAuxiliaryRecord = z.output<typeof pendingAuxiliaryRecord>;

/**
 * A record that this version cannot read. As the store is ours, the record is not bad input: a newer version wrote it,
 * it is damaged, or there is a defect.
 */
export class UnreadableRecord extends Error {
  override readonly name = "UnreadableRecord";
  readonly record: string;
  /** whether the record names a newer version */
  readonly saysNewer: boolean;

  constructor(record: string, message: string, saysNewer = false) {
    super(message);
    this.record = record;
    this.saysNewer = saysNewer;
  }
}

/** The format of one kind of records, which are named `kind/id`. */
export interface RecordFormat<T> {
  readonly name: (id: string) => string;
  /** the highest version of this kind that this version of Conclave knows */
  readonly newest: number;
  /** the id in a record's name, undefined for another kind */
  readonly idOf: (record: string) => string | undefined;
  readonly write: (value: T) => Secret<Uint8Array>;
  /** @throws UnreadableRecord when this version cannot read the record */
  readonly read: (stored: StoredRecord) => T;
}

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const versionSchema = z.looseObject({ version: z.int() });

/** @param newest the highest version of this kind that is known */
const format = <T>(kind: string, schema: z.ZodType<T>, newest = 1): RecordFormat<T> => ({
  newest,
  name: (id) => `${kind}/${id}`,
  idOf: (record) => (record.startsWith(`${kind}/`) ? record.slice(kind.length + 1) : undefined),
  write: (value) => new Secret(utf8ToBytes(JSON.stringify(z.encode(schema, value)))),
  read: ({ record, value }) => {
    const json = parsedJson(bytesToUtf8(value.reveal()));
    const parsed = schema.safeParse(json);
    if (!parsed.success) {
      const said = versionSchema.safeParse(json);
      throw new UnreadableRecord(
        record,
        `the stored record ${record} is not readable by this version`,
        said.success && said.data.version > newest,
      );
    }
    return parsed.data;
  },
});

/**
 * Reads a record from a list of writes.
 *
 * @throws when it is not among them, or not readable
 */
export const recallPut = <T>(
  puts: readonly StoredRecord[],
  { name, read }: RecordFormat<T>,
  id: string,
): T => {
  const put = puts.find(({ record }) => record === name(id));
  if (put === undefined) throw new Error(`${name(id)} is not about to be written`);
  return read(put);
};

export const RECORDS = {
  session: format("session", sessionRecord),
  tombstone: format("tombstone", tombstoneRecord, 2),
  request: format("request", requestRecord, 2),
  /** by the request's id */
  signedBytes: format("signed-bytes", signedBytesRecord),
  presignature: format("presignature", presignatureRecord),
  spent: format("spent", spentRecord, 2),
  /** by the index of the signer that counts */
  spending: format("spending", spendingRecord, 2),
  key: format("key", keyRecord),
  keyFacts: format("key-facts", keyFactsRecord),
  pendingKey: format("pending-key", pendingKeyRecord),
  keyTally: format("key-tally", keyTallyRecord),
  /** by the key's id and the epoch (`nextIdOf`); earlier versions used the key's id alone */
  next: format("next", nextRecord),
  auxiliary: format("auxiliary", auxiliaryRecord),
  /** by the SHA-256 of the envelope, in hex */
  envelope: format("envelope", envelopeRecord),
  /** by the epoch */
  pendingAuxiliary: format("pending-auxiliary", pendingAuxiliaryRecord),
  /** by the index of the peer */
  quarantine: format("quarantine", quarantineRecord),
  forgotten: format("forgotten", forgottenRecord, 3),
  accepted: format("accepted", acceptedRecord),
  latestBound: format("latest-bound", latestBoundRecord),
  /** by the session id as this signer received it, in hex */
  waiver: format("waiver", waiverRecord),
} as const;

/** The id of the only record with the number of keys. */
export const KEY_TALLY_ID = "all";

/** The id of the only record of active auxiliary info, which a new epoch replaces in one write. */
export const AUXILIARY_ID = "current";

/** The id of the only record of the mark of forgetting. */
export const FORGOTTEN_ID = "requests";

/** The id of the only record of the latest date of a bound request. */
export const LATEST_BOUND_ID = "requests";

/** The id of the record of a key's share of a next epoch. */
export const nextIdOf = (keyId: string, epoch: number): string => `${keyId}/${epoch}`;

/** The key's id, from the id of a record of a next share. */
export const keyIdOfNext = (id: string): string => id.split("/")[0] ?? id;

/**
 * Whether a record holds a share or auxiliary secrets, which a new epoch replaces. No copy of the disk after the write
 * may allow its earlier contents to be read.
 */
export const isEpochSecret = (record: string): boolean =>
  [RECORDS.key, RECORDS.next, RECORDS.auxiliary, RECORDS.pendingAuxiliary].some(
    ({ idOf }) => idOf(record) !== undefined,
  );
