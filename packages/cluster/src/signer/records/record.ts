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
/** keyShareCodec of the key's scheme; what version 0.1 stored is brought into its form. */
const shareBytes = z.codec(hex, z.custom<Secret<Uint8Array>>(), {
  decode: (digits) => new Secret(inCurrentFormat(hexToBytes(digits))),
  encode: (secret) => bytesToHex(secret.reveal()),
});
const party = z.custom<PartyIndex>((index) => typeof index === "number" && partyIndex(index) !== undefined);
const version = z.literal(1);

/** A session id that may not begin again before `forgetAtMs`, Unix milliseconds. */
const sessionRecord = z.strictObject({ version, forgetAtMs: z.int() });
/** INV-2: the session's presignature is spent on this digest, whatever happens next. */
const tombstoneRecord = z.strictObject({
  version: z.literal(2),
  digest: bytes,
  keyId: z.string(),
  requestId: z.string(),
  forgetAtMs: z.int(),
});
/** INV-4: transactions that were signed for a request and that exclude others alike. */
const boundTransaction = z.strictObject({
  /** as the network's family writes it; nobody else reads it */
  exclusion: bytes,
  /** when none of them can land any more, Unix milliseconds; absent where their bytes hold no time */
  deadlineMs: z.int().optional(),
  /** SHA-256 of the unsigned bytes of each; none when they are not known: then no statement can name them all */
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
/** The bytes of what was signed for a request and those that replace it, for an orchestrator whose database lost them. */
const signedBytesRecord = z.strictObject({
  version,
  /** the latest last, as many as BOUND_BYTES_MAX holds; both in hex, and of the bytes, which may be many, nothing is checked */
  transactions: z.array(z.strictObject({ digest: hex, unsigned: z.string() })).readonly(),
  forgetAtMs: z.int(),
});
/** INV-2: a presignature of the pool is spent on this digest for this session, whatever happens next. */
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
 * A presignature as versions before stored it: ready, or reserved with the tombstone that was about to be written. This version writes
 * none, and uses none that it finds.
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
/** How many presignatures were spent: ours, or as a peer said; it never goes back. */
const spendingRecord = z.discriminatedUnion("version", [
  // of before counts were signed: it burns nothing
  z.strictObject({ version, count: spendingCount }),
  // the signature is that of the signer that spends (signed-count.ts)
  z.strictObject({ version: z.literal(2), count: spendingCount, signature: bytes }),
]);
const scheme = z.enum(["CGGMP24", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"]);
/** A share left for a client, whatever happens next: written before it does. */
const exportEntry = z.strictObject({
  requestId: z.string(),
  /** the client's, in hex */
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
 * INV-4: what holders of before said that they signed, each by itself. A request has no other signature of theirs when as many as `needed` clear
 * it: it was asked for since their time, and they name no other transaction for it.
 */
const pastHolders = z.strictObject({
  needed: z.int().nonnegative(),
  heard: z
    .array(
      z.strictObject({
        /** Unix milliseconds */
        sinceMs: z.int(),
        /** `boundRequestName` of each, in hex */
        requests: z.array(hex).readonly(),
      }),
    )
    .readonly(),
});
/** how often this signer's store had turned out to be an older copy when it got the share; absent where it never had (older-store/key-in-doubt.ts) */
const alarms = z.int().positive().optional();
const keyRecord = z.strictObject({
  version,
  /** records of before there was another are of ECDSA keys */
  scheme: scheme.default("CGGMP24"),
  state: z.enum(["pending", "active"]),
  /** records of before keys could be refreshed are of the first epoch */
  epoch: z.int().positive().default(KEY_EPOCH_FIRST),
  /** as the scheme writes it */
  publicKey: bytes,
  chainCode: bytes,
  share: shareBytes,
  /** a client brought it, and so knows the key for ever */
  imported: z.literal(true).optional(),
  /**
   * the organisation for which the authority asked for the key, and when; absent where this signer took no part when it came to
   * be, or a version before wrote it
   */
  made: madeKey.optional(),
  /** the requests for which it was handed out, oldest first */
  exports: z.array(exportEntry).readonly().optional(),
  /** by which this epoch became active, as control/epoch-certificate.ts writes it; none in the first epoch */
  certificate: bytes.optional(),
  /** that made this epoch, as it was given, in hex; none in the first epoch, and in what older versions activated */
  session: hex.optional(),
  /** as the version before wrote `joined`: Unix milliseconds, and no request is known */
  knownSinceMs: z.int().optional(),
  /**
   * reports that this signer got when it came to the key, or got a share again that it had lost: of earlier requests it signs for cleared
   * ones alone. One that lost its share signs replacements as it always did: it once knew of the replaced requests
   */
  joined: pastHolders.extend({ isLost: z.literal(true).optional() }).optional(),
  /** the same of the last change of the holders that it stayed in; it counts while fewer than `least` sign together */
  earlier: pastHolders.extend({ least: z.int() }).optional(),
  /** of changes before: while fewer than `least` sign together, no request that was asked for before is cleared */
  longBefore: z.strictObject({ sinceMs: z.int(), least: z.int() }).optional(),
  /** nothing is known here of what other signers signed with the key before, Unix milliseconds: its holders changed. Absent where they never did */
  heldSinceMs: z.int().optional(),
  /** INV-4: this signer said that it signs nothing with an epoch before this one, and the certificate for which it did */
  handedOver: z.strictObject({ to: z.int().positive(), certificate: bytes }).optional(),
  alarms,
});
/** The part of a key that may be shown, in a record without its share. */
const keyFactsRecord = z.strictObject({
  version,
  state: z.enum(["pending", "active"]),
  epoch: z.int().positive(),
  publicKey: bytes,
  imported: z.literal(true).optional(),
  exported: z.literal(true).optional(),
});
/** Its name says which key is pending. */
const pendingKeyRecord = z.strictObject({ version });
/** How many keys there are: each has its facts. */
const keyTallyRecord = z.strictObject({
  version,
  keys: z.int().nonnegative(),
  /** how many of them are in doubt (older-store/key-in-doubt.ts); absent before the first alarm */
  toRefresh: z.int().nonnegative().optional(),
});
/** A share of an epoch after a key's: durable, and of no use until its certificate comes. */
const nextRecord = z.strictObject({
  version,
  /** the session id as it was given, in hex */
  session: z.string(),
  scheme,
  /** the epoch that it was made from; records of before it could be another one are of the one before */
  from: z.int().nonnegative().optional(),
  epoch: z.int().positive(),
  publicKey: bytes,
  chainCode: bytes,
  /** of all that is public of the epoch */
  digest: bytes,
  /** keyShareCodec of the scheme */
  share: secretBytes,
  /** as the version before wrote it: this signer comes to the key */
  comes: z.literal(true).optional(),
  /** the holders of the epoch that it was made from; absent where they stay the same, and in what the version before wrote */
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
  /** by which this epoch became active, as control/epoch-certificate.ts writes it */
  certificate: bytes.optional(),
  /** that made this epoch, as it was given, in hex; none in what older versions activated */
  session: hex.optional(),
});
/** Auxiliary info of an epoch that waits for its certificate beside the one that is used. */
const pendingAuxiliaryRecord = z.strictObject({
  version,
  parameters: z.string(),
  /** the session id as it was given, in hex */
  session: z.string(),
  /** the epoch that it is to replace; 0 where there is none */
  from: z.int().nonnegative(),
  epoch: z.int().positive(),
  digest: bytes,
  /** auxiliaryInfoCodec */
  info: secretBytes,
  /** the signers of the session; absent in what an older version wrote, whose roster never changed */
  parties: z.array(party).readonly().optional(),
});

/** An attempt at an epoch of which this signer never holds anything again, by its session. */
const waiverRecord = z.strictObject({
  version,
  /** a key's id, or AUXILIARY_SUBJECT */
  subject: z.string(),
  /** whether it held nothing of it, and says so; otherwise it erased what it held */
  isWaiver: z.boolean(),
});
/** The age from which requests may have been forgotten: no request that old is signed, whatever the clock says later. */
const forgottenRecord = z.discriminatedUnion("version", [
  z.strictObject({
    version,
    /** Unix milliseconds */
    toMs: z.int(),
  }),
  // an operator mended it (session/forgotten.ts)
  z.strictObject({ version: z.literal(2), toMs: z.int(), requestedToMs: z.int(), mendedMs: z.int() }),
  // the store was an older copy (older-store/spending.ts)
  z.strictObject({
    version: z.literal(3),
    toMs: z.int(),
    requestedToMs: z.int(),
    mendedMs: z.int(),
    olderMs: z.int(),
    /** absent in records of the version that did not count them: there was one, or more */
    alarms: z.int().positive().default(1),
  }),
]);
/** A version before wrote it: no deadline of a session that leaves no record was accepted beyond this. Nothing reads it any more. */
const acceptedRecord = z.strictObject({
  version,
  /** Unix milliseconds */
  toMs: z.int(),
});

/** INV-4: no request was bound here that was asked for later (recent-bindings.ts). */
const latestBoundRecord = z.strictObject({
  version,
  /** Unix milliseconds */
  requestedAtMs: z.int(),
});

/** P15: why nothing is signed with a peer; its name says with which. */
const quarantineRecord = z.strictObject({
  version,
  /** that the peer failed, such as "presign/2 Πaff-g of D" */
  check: z.string(),
  /** SHA-256 of the evidence, as evidenceCodec writes it */
  evidence: hex.length(64),
  /** of the auxiliary information that was in use; 0 for none */
  auxiliaryEpoch: z.int().nonnegative(),
  /** Unix milliseconds, by this signer's clock; for people alone */
  provenAtMs: z.int(),
});

/** INV-11: an envelope that was taken for one key id, and is refused under every other. */
const envelopeRecord = z.strictObject({
  version,
  keyId: z.string(),
  /** the client's, in hex; absent when the envelope has none, and opens for nobody */
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

/** The store is ours, so a record that is not what this version writes is no input: a newer version wrote it, it is damaged, or there is a defect. */
export class UnreadableRecord extends Error {
  override readonly name = "UnreadableRecord";
  readonly record: string;
  /** whether the record says itself that a newer version wrote it */
  readonly saysNewer: boolean;

  constructor(record: string, message: string, saysNewer = false) {
    super(message);
    this.record = record;
    this.saysNewer = saysNewer;
  }
}

/** One kind of records: they are named `kind/id`. */
export interface RecordFormat<T> {
  readonly name: (id: string) => string;
  /** the highest version of such a record that this version of Conclave knows */
  readonly newest: number;
  /** the id in a record's name, undefined for another kind */
  readonly idOf: (record: string) => string | undefined;
  readonly write: (value: T) => Secret<Uint8Array>;
  /** @throws UnreadableRecord when a record is not what this version writes */
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

/** @param newest the highest version of this kind of record that is known here */
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
 * A record as it is about to be written, read again.
 *
 * @throws when it is not among those that are written, or not readable
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
  /** by the index of the signer that spends */
  spending: format("spending", spendingRecord, 2),
  key: format("key", keyRecord),
  keyFacts: format("key-facts", keyFactsRecord),
  pendingKey: format("pending-key", pendingKeyRecord),
  keyTally: format("key-tally", keyTallyRecord),
  /** by the key's id and the epoch (`nextIdOf`); those of before there could be several, by the key's id alone */
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
  /** by the session, as it was given, in hex */
  waiver: format("waiver", waiverRecord),
} as const;

/** The one record of how many keys there are. */
export const KEY_TALLY_ID = "all";

/** The one record of auxiliary info: a new epoch takes the old one's place in one write. */
export const AUXILIARY_ID = "current";

/** The one record of what may have been forgotten. */
export const FORGOTTEN_ID = "requests";

/** The one record of the latest date of a request that was bound. */
export const LATEST_BOUND_ID = "requests";

/** The id of the record of a key's share of a next epoch. */
export const nextIdOf = (keyId: string, epoch: number): string => `${keyId}/${epoch}`;

/** The key in the id of a record of a next share. */
export const keyIdOfNext = (id: string): string => id.split("/")[0] ?? id;

/**
 * Whether a record holds a share or auxiliary secrets, which an epoch ends. The contents of such a record before a write must
 * not be readable after it, in no copy of the disk.
 */
export const isEpochSecret = (record: string): boolean =>
  [RECORDS.key, RECORDS.next, RECORDS.auxiliary, RECORDS.pendingAuxiliary].some(
    ({ idOf }) => idOf(record) !== undefined,
  );
