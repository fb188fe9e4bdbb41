import {
  type AuthorisedSigning,
  type DeadTransactions,
  EXCLUSION_BYTES_MAX,
  fail,
  ok,
  type Result,
  SIGNABLES_MAX,
  SIGNABLES_PER_SESSION_MAX,
  type Signable,
  type TransactionClaim,
} from "@conclave/custody";
import { FROST_MESSAGE_BYTES_MAX } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { SigningDigest } from "../../compute/signing/observed-digest.ts";
import type { SignablePart } from "../../control/command.ts";
import type { SignerConfig } from "../config.ts";
import type { Asked } from "../event.ts";
import { DEADLINE_AHEAD_MS_MAX, TRANSACTION_BYTES_MAX } from "../limits.ts";
import { whyLost } from "../older-store/lost-time.ts";
import { storedKey } from "../records/key-records.ts";
import type { KeyRecord } from "../records/record.ts";
import { authorisedDeadTransactions, authorisedSigning } from "../session/authorise.ts";
import { whyRequestForgotten } from "../session/forgotten.ts";
import type { SignerState } from "../state.ts";
import { whyUnknown } from "./earlier-holders.ts";
import { bindingConflict } from "./request-binding.ts";
import type { ClaimedTransaction, RequestClaim } from "./request-claim.ts";
import type { SignableWithKey } from "./signing-call.ts";
import { whyNotSignWith } from "./signing-material.ts";

/** A signer's reading of a command to sign. */
export interface Understood {
  readonly request: RequestClaim;
  /** when the authority signed, Unix milliseconds */
  readonly signedAtMs: number;
  /** Unix milliseconds: from then on the authorisation is too old */
  readonly lapsesAtMs: number;
  readonly dead: DeadTransactions | undefined;
  /** the signables that this session signs: 1 to SIGNABLES_PER_SESSION_MAX */
  readonly signables: readonly SignableWithKey[];
  /** the part of all signables that these are; undefined when they are all */
  readonly part: UnderstoodPart | undefined;
}

/** A part of the signables, and a digest of all of them. */
export interface UnderstoodPart extends SignablePart {
  readonly whole: Uint8Array;
}

interface Reading {
  readonly signables: readonly Signable[];
  readonly transaction: ClaimedTransaction | undefined;
  readonly source: SigningDigest["from"];
}

/**
 * Reads the signed authorisation, and the whole transaction where it is separate, and derives what to sign. Digests are
 * this signer's own; a digest that the authority authorised as a bare hash is marked as such, and no presignature of
 * the pool signs it (P7).
 */
export const understand = (
  state: SignerState,
  asked: Asked<"signing">,
  nowMs: number,
): Result<Understood> => {
  const authorised = authorisedSigning(state.config, asked.authorisation, nowMs);
  if (!authorised.ok) return authorised;
  const { value: authorisation, requestedAtMs, signedAtMs, forgetAtMs, lapsesAtMs } = authorised.value;
  const forgotten = whyRequestForgotten(state, authorised.value);
  if (forgotten !== undefined) return { ok: false, problem: forgotten };
  if (authorisation.keyId !== asked.keyId) {
    return fail("AuthorisationInvalid", {}, "The authorisation is for another key.");
  }
  const reading = read(state.config, authorisation, asked.unsigned);
  if (!reading.ok) return reading;
  const part = partOf(asked, reading.value);
  if (!part.ok) return part;
  const signables = withKeys(state, authorisation, inPart(reading.value, part.value));
  if (!signables.ok) return signables;
  const deadline = judgeDeadline(authorisation, reading.value, nowMs);
  if (!deadline.ok) return deadline;
  const dead = deadOf(state.config, asked, nowMs);
  if (!dead.ok) return dead;
  const { transaction } = reading.value;
  const { requestId } = authorisation;
  const [replaces, keyIds] = [replacedBy(authorisation), keyIdsOf(authorisation)];
  const request = { requestId, replaces, transaction, keyIds, requestedAtMs, forgetAtMs };
  const unknown = whyLost(state, request) ?? whyUnknown(state, request, signables.value);
  if (unknown !== undefined) return { ok: false, problem: unknown };
  const conflict = bindingConflict({ state, dead: dead.value, nowMs }, request);
  return conflict === undefined
    ? ok({ request, signedAtMs, lapsesAtMs, dead: dead.value, signables: signables.value, part: part.value })
    : { ok: false, problem: conflict };
};

/**
 * Limits the deadline of a transfer, which the orchestrator chooses; the deadline in bytes that a caller built is the
 * caller's choice.
 */
const judgeDeadline = (
  { kind }: AuthorisedSigning,
  { transaction }: Reading,
  nowMs: number,
): Result<void> => {
  const deadlineMs = transaction?.deadlineMs;
  if (kind !== "transfer" || deadlineMs === undefined) return ok(undefined);
  return deadlineMs <= nowMs + DEADLINE_AHEAD_MS_MAX
    ? ok(undefined)
    : fail(
        "TransactionMismatch",
        { field: "deadline" },
        "The transaction is valid for longer than a day: until then no other could be signed for the request.",
      );
};

const replacedBy = (authorisation: AuthorisedSigning): readonly string[] =>
  authorisation.kind === "transaction" ? (authorisation.replaces ?? []) : [];

const deadOf = (
  config: SignerConfig,
  { dead }: Asked<"signing">,
  nowMs: number,
): Result<DeadTransactions | undefined> => {
  if (dead === undefined) return ok(undefined);
  const authorised = authorisedDeadTransactions(config, dead, nowMs);
  return authorised.ok ? ok(authorised.value.value) : authorised;
};

const read = (
  config: SignerConfig,
  authorisation: AuthorisedSigning,
  unsigned: Uint8Array,
): Result<Reading> => {
  switch (authorisation.kind) {
    case "transfer":
    case "transaction": {
      if (unsigned.length > TRANSACTION_BYTES_MAX) return fail("TransactionUnreadable");
      const { network } = authorisation;
      const transaction = config.reader.read(network, unsigned, authorisation);
      if (!transaction.ok) return transaction;
      const { signables } = transaction.value;
      return ok({
        signables,
        transaction: { ...claimed(network, unsigned, transaction.value), unsigned },
        source: "transaction",
      });
    }
    case "signature":
    case "message":
      return unsigned.length > 0
        ? fail("AuthorisationInvalid", {}, "What is signed stands in the authorisation, and nowhere else.")
        : readWithin(config, authorisation);
  }
};

/** Reads content that the authorisation itself holds. */
const readWithin = (
  config: SignerConfig,
  authorisation: Extract<AuthorisedSigning, { readonly kind: "signature" | "message" }>,
): Result<Reading> => {
  if (authorisation.kind === "message") {
    const { scheme, merkleRoot } = authorisation;
    const bytes = hexToBytes(authorisation.message);
    const message = scheme === "FROST-Ed25519" ? config.reader.judgeMessage(bytes) : ok(undefined);
    if (!message.ok) return message;
    const tweak = merkleRoot === undefined ? {} : { merkleRoot: hexToBytes(merkleRoot) };
    return ok({
      signables: [{ scheme, bytes, ...tweak }],
      transaction: undefined,
      source: "content",
    });
  }
  const { content } = authorisation;
  if (content.kind === "hash") {
    const signable: Signable = { scheme: "CGGMP24", bytes: hexToBytes(content.hash) };
    return ok({ signables: [signable], transaction: undefined, source: "caller" });
  }
  const reading = config.reader.readContent(content);
  if (!reading.ok) return reading;
  const { signables, transaction } = reading.value;
  if (transaction === undefined) return ok({ signables, transaction: undefined, source: "content" });
  const { network, unsigned } = transaction;
  return ok({ signables, transaction: claimed(network, unsigned, transaction), source: "content" });
};

const claimed = (network: string, unsigned: Uint8Array, claim: TransactionClaim): ClaimedTransaction => {
  const { exclusion, deadlineMs } = claim;
  if (exclusion.length > EXCLUSION_BYTES_MAX)
    throw new Error("a family writes a longer exclusion than it may");
  return { network, digest: bytesToHex(sha256(unsigned)), exclusion, deadlineMs, unsigned: undefined };
};

/** The keys that the authorisation names: the wallet's, and its cosigners. */
const keyIdsOf = (authorisation: AuthorisedSigning): readonly string[] =>
  authorisation.kind === "transfer" || authorisation.kind === "transaction"
    ? [authorisation.keyId, ...authorisation.cosigners]
    : [authorisation.keyId];

const TOO_MANY = `A session signs at most ${SIGNABLES_PER_SESSION_MAX} things: ask for some of them at a time.`;

/**
 * The part of the signables that this session signs. @returns TransactionUnreadable when it is empty, or more than one
 * session may sign
 */
const partOf = ({ part }: Asked<"signing">, { signables }: Reading): Result<UnderstoodPart | undefined> => {
  const { length } = signables;
  if (length === 0 || length > SIGNABLES_MAX) return fail("TransactionUnreadable");
  const { from, count } = part ?? { from: 0, count: length };
  if (count > SIGNABLES_PER_SESSION_MAX) return fail("TransactionUnreadable", {}, TOO_MANY);
  if (part === undefined) return ok(undefined);
  const isWithin = Number.isSafeInteger(from) && from >= 0 && count > 0 && from <= length - count;
  return isWithin
    ? ok({ from, count, whole: digestOfAll(signables) })
    : fail(
        "TransactionUnreadable",
        {},
        `The transaction has ${length} things to sign, and not those that are asked for.`,
      );
};

const digestOfAll = (signables: readonly Signable[]): Uint8Array =>
  sha256(utf8ToBytes(JSON.stringify(signables.map(({ scheme, bytes }) => [scheme, bytesToHex(bytes)]))));

const inPart = (reading: Reading, part: UnderstoodPart | undefined): Reading =>
  part === undefined
    ? reading
    : { ...reading, signables: reading.signables.slice(part.from, part.from + part.count) };

/** Each signable with the authorised key of its scheme, of which there is exactly one. */
const withKeys = (
  state: SignerState,
  authorisation: AuthorisedSigning,
  { signables, source }: Reading,
): Result<readonly SignableWithKey[]> => {
  const keyIds = keyIdsOf(authorisation);
  const understood: SignableWithKey[] = [];
  for (const signable of signables) {
    const key = keyFor(state, keyIds, signable);
    if (!key.ok) return key;
    const digest = digestOf(signable, source);
    if (!digest.ok) return digest;
    understood.push({ ...key.value, signable, digest: digest.value });
  }
  return ok(understood);
};

const keyFor = (
  state: SignerState,
  keyIds: readonly string[],
  { scheme }: Signable,
): Result<{ readonly keyId: string; readonly key: KeyRecord }> => {
  const held = keyIds.flatMap((keyId) => {
    const key = storedKey(state, keyId);
    return key?.state === "active" ? [{ keyId, key }] : [];
  });
  if (held.length < keyIds.length) return fail("KeyUnknown");
  for (const { key } of held) {
    const reason = whyNotSignWith(state, key);
    if (reason !== undefined) return { ok: false, problem: reason };
  }
  const [first, second] = held.filter(({ key }) => key.scheme === scheme);
  if (first === undefined) return fail("KeySchemeMismatch");
  return second === undefined
    ? ok(first)
    : fail("KeySchemeMismatch", {}, "Two of the authorised keys are of one scheme.");
};

const DIGEST_BYTES = 32;

const digestOf = (
  { scheme, bytes }: Signable,
  source: SigningDigest["from"],
): Result<SigningDigest | undefined> => {
  if (scheme !== "CGGMP24") {
    return bytes.length > FROST_MESSAGE_BYTES_MAX ? fail("TransactionUnreadable") : ok(undefined);
  }
  if (bytes.length !== DIGEST_BYTES) throw new Error("an ECDSA digest has 32 bytes");
  return ok({ from: source, bytes });
};
