import {
  type AuthorisedAct,
  type AuthorisedKey,
  type AuthorisedKeyChange,
  type AuthorisedMessage,
  type AuthorisedSignature,
  type AuthorisedTransfer,
  authorisedAuxiliarySchema,
  authorisedKeyChangeSchema,
  authorisedKeyDiscardSchema,
  authorisedKeySchema,
  authorisedMessageSchema,
  authorisedSignatureSchema,
  authorisedTransactionSchema,
  authorisedTransferSchema,
  type DeadTransactions,
  deadTransactionsSchema,
  fail,
  ok,
  type Signable,
  type SignatureContent,
  type SignedAuthorisation,
  type SigningReader,
  type SigningScheme,
} from "@conclave/custody";
import {
  auxiliaryInfoCodec,
  CGGMP24,
  encode,
  importDecryptionKeyOf,
  importEncryptionKeyOf,
  keyShareCodec,
  type PartyIndex,
  Secret,
} from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryInfo,
  insecureKeyShares,
  insecurePartySecrets,
  insecurePeerKeys,
  testParties,
} from "@conclave/threshold/testing";
import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { auxiliaryDigest } from "../compute/auxiliary/auxiliary-digest.ts";
import type { RosterMember } from "../control/roster-member.ts";
import type { SignerConfig } from "../signer/config.ts";
import { KEY_EPOCH_FIRST } from "../signer/key-generation/key-epoch.ts";
import { AUXILIARY_ID, RECORDS } from "../signer/records/record.ts";
import { latestBoundRecord } from "../signer/signing/recent-bindings.ts";

/** 2026-11-20, Unix milliseconds: the start of virtual time. */
export const START_MS = 1_795_000_000_000;
const DATE = new Date(START_MS).toISOString();
const AUTHORITY_SECRET = sha256(utf8ToBytes("insecure test authority"));
const AUTHORITY_KEY: Uint8Array = ed25519.getPublicKey(AUTHORITY_SECRET);

/** Ids in the form of package custody, from a prefix and a number. */
const id = (prefix: string, number: number): string =>
  `${prefix}-aaaaa-bbbbb-${String(number).padStart(16, "0")}`;
export const keyIdOf = (number: number): string => id("key", number);
export const requestIdOf = (number: number): string => id("xfr", number);
export const transactionIdOf = (number: number): string => id("tx", number);
export const KEY_ID: string = keyIdOf(1);

export const sign = (payload: Uint8Array): SignedAuthorisation => ({
  payload,
  signature: ed25519.sign(payload, AUTHORITY_SECRET),
});

const json = (value: unknown): Uint8Array => utf8ToBytes(JSON.stringify(value));

/** The same authorisation, renewed at another time, as the gateway does. */
export const authorisedAnew = ({ payload }: SignedAuthorisation, atMs: number): SignedAuthorisation => {
  const before: unknown = JSON.parse(bytesToUtf8(payload));
  if (typeof before !== "object" || before === null) throw new Error("an authorisation is an object");
  return sign(json({ ...before, dateAuthorised: new Date(atMs).toISOString() }));
};

/** The same authorisation, naming a cluster, as an authority of that cluster signs it. */
export const authorisedFor = ({ payload }: SignedAuthorisation, cluster: string): SignedAuthorisation => {
  const unnamed: unknown = JSON.parse(bytesToUtf8(payload));
  if (typeof unnamed !== "object" || unnamed === null) throw new Error("an authorisation is an object");
  return sign(json({ ...unnamed, cluster }));
};
const POLICY = { outcome: "Allowed", policies: [], date: DATE };

export const authorisedTransferOf = (
  number: number,
  keyId = KEY_ID,
  date = DATE,
  cosigners: readonly string[] = [],
): AuthorisedTransfer =>
  authorisedTransferSchema.parse({
    version: 2,
    kind: "transfer",
    requestId: requestIdOf(number),
    orgId: id("or", 1),
    walletId: id("wa", 1),
    keyId,
    cosigners,
    network: "EthereumSepolia",
    transfer: { kind: "Native", to: `0x${"11".repeat(20)}`, amount: "1000" },
    policy: POLICY,
    dateRequested: date,
  });

export const authoriseTransfer = (number: number, keyId = KEY_ID, date = DATE): SignedAuthorisation =>
  sign(json(authorisedTransferOf(number, keyId, date)));

/** Authorises a transaction of `transactionOf`; `replaces` are the requests that it replaces, the newest first. */
export const authoriseTransaction = (number: number, replaces?: readonly string[]): SignedAuthorisation =>
  sign(
    json(
      authorisedTransactionSchema.parse({
        version: 2,
        kind: "transaction",
        requestId: transactionIdOf(number),
        orgId: id("or", 1),
        walletId: id("wa", 1),
        keyId: KEY_ID,
        cosigners: [],
        network: "EthereumSepolia",
        transaction: { kind: "Call", to: `0x${"11".repeat(20)}`, value: "1000", data: "" },
        ...(replaces === undefined ? {} : { replaces }),
        policy: POLICY,
        dateRequested: DATE,
      }),
    ),
  );

export const authoriseKey = (
  keyId: string,
  threshold = 3,
  scheme: AuthorisedKey["scheme"] = "ECDSA",
): SignedAuthorisation =>
  sign(
    json(
      authorisedKeySchema.parse({
        version: 1,
        kind: "key",
        orgId: id("or", 1),
        walletId: id("wa", 1),
        keyId,
        curve: scheme === "FROST-Ed25519" ? "ed25519" : "secp256k1",
        scheme,
        threshold,
        policy: POLICY,
        dateRequested: DATE,
      }),
    ),
  );

/** A request for a signature that is not sent anywhere. */
export const authoriseSignature = (
  number: number,
  content: SignatureContent,
  keyId: string = KEY_ID,
  scheme: AuthorisedSignature["scheme"] = "ECDSA",
): SignedAuthorisation =>
  sign(
    json(
      authorisedSignatureSchema.parse({
        version: 2,
        kind: "signature",
        requestId: id("sig", number),
        orgId: id("or", 1),
        keyId,
        scheme,
        content,
        policy: POLICY,
        dateRequested: DATE,
      }),
    ),
  );

/** The name of a transaction in the authority's statements. */
export const nameOf = (unsigned: Uint8Array): string => bytesToHex(sha256(unsigned));

/** The authority's statement that transactions of a request, a transfer by its number, can no longer land. */
export const deadOf = (
  request: number | string,
  transactions: readonly Uint8Array[],
  { network = "EthereumSepolia", date = DATE }: { readonly network?: string; readonly date?: string } = {},
): DeadTransactions =>
  deadTransactionsSchema.parse({
    version: 1,
    kind: "dead-transactions",
    requestId: typeof request === "number" ? requestIdOf(request) : request,
    network,
    transactions: transactions.map(nameOf),
    dateRequested: date,
  });

export const authoriseDead = (...statement: Parameters<typeof deadOf>): SignedAuthorisation =>
  sign(json(deadOf(...statement)));

export const authoriseMessage = (
  message: Uint8Array,
  { keyId, scheme }: { readonly keyId: string; readonly scheme: AuthorisedMessage["scheme"] },
  date = DATE,
  merkleRoot?: Uint8Array,
): SignedAuthorisation =>
  sign(
    json(
      authorisedMessageSchema.parse({
        version: 1,
        kind: "message",
        requestId: id("sig", 1),
        orgId: id("or", 1),
        keyId,
        scheme,
        message: bytesToHex(message),
        ...(merkleRoot === undefined ? {} : { merkleRoot: bytesToHex(merkleRoot) }),
        policy: POLICY,
        dateRequested: date,
      }),
    ),
  );

/** The fields of an authorised key change that tests choose. */
export interface KeyChangeWish {
  readonly kind: AuthorisedKeyChange["kind"];
  readonly keyId?: string;
  readonly publicKey: string;
  readonly epoch: number;
  readonly nextEpoch?: number;
  readonly threshold: number;
  readonly parties: readonly number[];
}

export const authoriseKeyChange = (change: KeyChangeWish): SignedAuthorisation =>
  sign(
    json(
      authorisedKeyChangeSchema.parse({
        version: 1,
        requestId: id("kch", 1),
        keyId: KEY_ID,
        dateRequested: DATE,
        ...change,
      }),
    ),
  );

export const authoriseAuxiliary = (
  from: number,
  epoch: number,
  parties: readonly number[],
  date = DATE,
): SignedAuthorisation =>
  sign(
    json(
      authorisedAuxiliarySchema.parse({
        version: 1,
        kind: "auxiliary",
        requestId: id("kch", 1),
        from,
        epoch,
        parties,
        dateRequested: date,
      }),
    ),
  );

export const authoriseKeyDiscard = (session: string, keyId = KEY_ID): SignedAuthorisation =>
  sign(
    json(
      authorisedKeyDiscardSchema.parse({
        version: 1,
        kind: "key-discard",
        requestId: id("kch", 1),
        keyId,
        session,
        dateRequested: DATE,
      }),
    ),
  );

/** A signable in a transaction of these tests: its text, or for ECDSA the text's SHA-256. */
export interface Part {
  readonly scheme: SigningScheme;
  readonly text: string;
}

/**
 * A transaction of no real chain: JSON with receiver, amount, nonce, deadline, and its signables, unless it has just
 * one ECDSA signable.
 */
const transactionSchema = z.strictObject({
  to: z.string(),
  amount: z.string(),
  nonce: z.int(),
  deadlineMs: z.int().optional(),
  parts: z
    .array(
      z.strictObject({
        scheme: z.enum(["CGGMP24", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"]),
        text: z.string(),
      }),
    )
    .optional(),
});

export const transactionOf = (nonce: number, amount = "1000", deadlineMs?: number): Uint8Array =>
  json({ to: `0x${"11".repeat(20)}`, amount, nonce, ...(deadlineMs === undefined ? {} : { deadlineMs }) });

/** A transaction with any number of signables. */
export const severalOf = (nonce: number, parts: readonly Part[]): Uint8Array =>
  json({ to: `0x${"11".repeat(20)}`, amount: "1000", nonce, parts });

/** The bytes of a part that are signed. */
export const signableOf = ({ scheme, text }: Part): Signable => {
  const bytes = utf8ToBytes(text);
  return { scheme, bytes: scheme === "CGGMP24" ? sha256(bytes) : bytes };
};

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(bytesToUtf8(bytes));
  } catch {
    return undefined;
  }
};

const NO_EFFECTS = { movements: [], unknown: undefined };

/**
 * The exclusion of a transaction: it excludes every other transaction with its nonce. A negative nonce is for a chain on
 * which transactions exclude no others.
 */
const exclusionOf = (nonce: number): Uint8Array => utf8ToBytes(String(nonce));

/** Reads the transactions of these tests. */
export const reader: SigningReader = {
  read: (_network, unsigned, act) => {
    const parsed = transactionSchema.safeParse(parseJson(unsigned));
    if (!parsed.success) return fail("TransactionUnreadable");
    const { to, amount, nonce, deadlineMs, parts } = parsed.data;
    const wanted = wantedOf(act);
    if (to !== wanted["to"] || amount !== wanted["amount"]) return fail("TransactionMismatch");
    const whole: Signable = { scheme: "CGGMP24", bytes: sha256(unsigned) };
    const signables = parts?.map(signableOf) ?? [whole];
    return ok({ signables, exclusion: exclusionOf(nonce), deadlineMs, fee: 0n, effects: NO_EFFECTS });
  },
  readContent: ({ family, content }) => {
    const signables: Signable[] = [
      family === "Algorand"
        ? { scheme: "FROST-Ed25519", bytes: json(content) }
        : { scheme: "CGGMP24", bytes: sha256(json(content)) },
    ];
    if (content.kind !== "transaction") return ok({ signables, transaction: undefined });
    const unsigned = hexToBytes(String(content["transaction"]));
    const exclusion = exclusionOf(unsigned[0] ?? 0);
    const transaction = { network: String(content["network"]), unsigned, exclusion, deadlineMs: undefined };
    return ok({ signables, transaction });
  },
  judgeMessage: (message) =>
    bytesToUtf8(message.slice(0, 2)) === "TX" ? fail("TransactionUnreadable") : ok(undefined),
  excludes: (_network, earlier, later) =>
    bytesToHex(earlier) === bytesToHex(later) && !bytesToUtf8(earlier).startsWith("-"),
  exclusionOfNonce: (nonce) => exclusionOf(Number(nonce)),
};

const wantedOf = (act: AuthorisedAct): Readonly<Record<string, unknown>> =>
  act.kind === "transfer"
    ? act.transfer
    : { to: act.transaction["to"] ?? "none", amount: act.transaction["value"] };

export const rosterOf = (size: number): ReadonlyMap<PartyIndex, RosterMember> =>
  new Map(testParties(size).map((party) => [party, memberOf(party)]));

const members = new Map<PartyIndex, RosterMember>();

const memberOf = (party: PartyIndex): RosterMember => {
  const known = members.get(party);
  if (known !== undefined) return known;
  const secrets = new Secret(insecurePartySecrets(party));
  const importKey = importEncryptionKeyOf(importDecryptionKeyOf(secrets));
  const member = { id: `signer-${party}`, ...insecurePeerKeys(party), importKey };
  members.set(party, member);
  return member;
};

export const configOf = (self: PartyIndex, size: number, threshold: number): SignerConfig => ({
  self,
  secrets: new Secret(insecurePartySecrets(self)),
  roster: rosterOf(size),
  threshold,
  clusterId: "test",
  parameters: INSECURE_TEST_PARAMETERS.name,
  authorityKey: AUTHORITY_KEY,
  keyImport: "allowed",
  keyExport: "allowed",
  reader,
});

export type Records = ReadonlyMap<string, Secret<Uint8Array>>;

const provisioning = new Map<string, ReadonlyMap<PartyIndex, Records>>();

/** Records of signers that have auxiliary info and one active key, which are dealt, not generated, and made once. */
export const provisionedRecords = (size: number, threshold: number): ReadonlyMap<PartyIndex, Records> => {
  const known = provisioning.get(`${threshold}/${size}`) ?? provision(size, threshold);
  provisioning.set(`${threshold}/${size}`, known);
  return known;
};

const provision = (size: number, threshold: number): ReadonlyMap<PartyIndex, Records> => {
  const parties = testParties(size);
  const shares = insecureKeyShares(threshold, parties, "cluster");
  const codec = auxiliaryInfoCodec(INSECURE_TEST_PARAMETERS);
  const provisioned = new Map<PartyIndex, Records>();
  for (const [party, info] of insecureAuxiliaryInfo(parties, 1)) {
    const dealt = shares.get(party);
    if (dealt === undefined) throw new Error("every party has a share");
    const share = { ...dealt, info: { ...dealt.info, keyId: KEY_ID, epoch: KEY_EPOCH_FIRST } };
    const auxiliary = RECORDS.auxiliary.write({
      version: 1,
      parameters: INSECURE_TEST_PARAMETERS.name,
      epoch: 1,
      digest: auxiliaryDigest(info),
      info: new Secret(encode(codec, info)),
    });
    const key = RECORDS.key.write({
      version: 1,
      scheme: "CGGMP24",
      state: "active",
      epoch: KEY_EPOCH_FIRST,
      publicKey: share.info.publicKey.toBytes(true),
      chainCode: share.info.chainCode,
      share: new Secret(encode(keyShareCodec(CGGMP24), share)),
    });
    // it never bound a request
    const neverBound = latestBoundRecord(0);
    provisioned.set(
      party,
      new Map([
        [neverBound.record, neverBound.value],
        [RECORDS.auxiliary.name(AUXILIARY_ID), auxiliary],
        [RECORDS.key.name(KEY_ID), key],
      ]),
    );
  }
  return provisioned;
};
