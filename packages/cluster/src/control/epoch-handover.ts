import {
  type Codec,
  countedList,
  decode,
  encode,
  fixedBytes,
  type IdentityRoster,
  type KeyHolders,
  type PartyIndex,
  partyCodec,
  struct,
  uint,
  verifyEd25519,
} from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { clusterOf } from "./cluster-name.ts";

/** One signer's bindings of requests with a key, as far as it keeps them in memory. */
export interface KnownRequests {
  /** every request that was asked for at this time or later, and that the signer signed for, is among them; Unix milliseconds */
  readonly sinceMs: number;
  /** no request that was asked for later is bound at the signer, with any key; Unix milliseconds */
  readonly latestMs: number;
  /** `boundRequestName` of each, one for each transaction that was bound */
  readonly requests: readonly Uint8Array[];
}

/**
 * A holder's word that it signs nothing any more with any epoch of the key before this one, and which requests it signed for lately. It stays
 * true for ever: the signer made it durable before.
 */
export interface EpochHandover extends KnownRequests {
  readonly signer: PartyIndex;
  /** Ed25519, over `handoverBytes` */
  readonly signature: Uint8Array;
}

/** The epoch to which a key is handed over. */
export interface Successor {
  /** the key's id */
  readonly subject: string;
  readonly to: number;
  /** the session that made it, as it was given, 32 bytes */
  readonly session: Uint8Array;
}

const REQUEST_NAME_BYTES = 16;
const TRANSACTION_BYTES = 32;
const SIGNATURE_BYTES = 64;
const TIME_BYTES = 6;
/** Requests that one signer names: those before are covered by its sinceMs. */
export const HANDOVER_REQUESTS_MAX = 64;

export const handoverCodec: Codec<EpochHandover> = struct<EpochHandover>({
  signer: partyCodec,
  sinceMs: uint(TIME_BYTES),
  latestMs: uint(TIME_BYTES),
  requests: countedList(fixedBytes(REQUEST_NAME_BYTES + TRANSACTION_BYTES), HANDOVER_REQUESTS_MAX),
  signature: fixedBytes(SIGNATURE_BYTES),
});

/** One handover as it travels. */
export const writeHandover = (handover: EpochHandover): Uint8Array => encode(handoverCodec, handover);

/** @returns undefined when it is malformed */
export const readHandover = (bytes: Uint8Array): EpochHandover | undefined => {
  const decoded = decode(handoverCodec, bytes);
  return decoded.ok ? decoded.value : undefined;
};

/** A request as a handover names it, 16 bytes. */
const requestName = (requestId: string): Uint8Array =>
  sha256(utf8ToBytes(requestId)).slice(0, REQUEST_NAME_BYTES);

/**
 * A request with a transaction that it was bound to: the first 16 bytes of the SHA-256 of its id, and the SHA-256 of the unsigned bytes.
 *
 * @param digest of the transaction, in hex
 */
export const boundRequestName = (requestId: string, digest: string): Uint8Array =>
  concatBytes(requestName(requestId), hexToBytes(digest));

/**
 * The transactions to which a request is bound by what holders named.
 *
 * @param named `boundRequestName` of each, in hex
 * @returns the SHA-256 of the unsigned bytes of each, in hex
 */
export const transactionsNamed = (named: readonly string[], requestId: string): readonly string[] => {
  const name = bytesToHex(requestName(requestId));
  return named.filter((each) => each.startsWith(name)).map((each) => each.slice(name.length));
};

/** The bytes that a signer's identity key signs: JSON text, as `receiptBytes` is, of a kind of its own. */
export const handoverBytes = (
  roster: IdentityRoster,
  signer: PartyIndex,
  { subject, to, session }: Successor,
  { sinceMs, latestMs, requests }: KnownRequests,
): Uint8Array =>
  utf8ToBytes(
    JSON.stringify({
      kind: "conclave/v1/epoch-handover",
      cluster: clusterOf(roster),
      signer,
      subject,
      to,
      session: bytesToHex(session),
      sinceMs,
      latestMs,
      requests: requests.map((each) => bytesToHex(each)),
    }),
  );

/** Whether a signer of the roster signed the handover to this epoch. */
export const isHandoverOf = (
  roster: IdentityRoster,
  successor: Successor,
  { signer, signature, ...known }: EpochHandover,
): boolean => {
  const identity = roster.get(signer)?.identity;
  if (identity === undefined) return false;
  return verifyEd25519(signature, handoverBytes(roster, signer, successor, known), identity);
};

/** How many holders have a signer in common with every quorum: n - t + 1. */
export const meetingNumber = ({ parties, threshold }: KeyHolders): number => parties.length - threshold + 1;

/** Whether the holders, or how many of them sign together, change. */
export const isOther = (before: KeyHolders, after: KeyHolders): boolean =>
  before.threshold !== after.threshold || String(before.parties) !== String(after.parties);
