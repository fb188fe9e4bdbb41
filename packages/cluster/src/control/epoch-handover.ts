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

/** The requests that one signer has bound to transactions of a key, as far as it keeps them in memory. */
export interface KnownRequests {
  /** Unix milliseconds: the list has every request from this time on that the signer signed for */
  readonly sinceMs: number;
  /** Unix milliseconds: the signer has bound no request of a later time, with any key */
  readonly latestMs: number;
  /** `boundRequestName` of each request and each transaction to which it was bound */
  readonly requests: readonly Uint8Array[];
}

/**
 * A holder's signed statement that it signs no more with any earlier epoch of the key, and which requests it signed for
 * lately. It stays true for ever: the signer stored it durably before.
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
  /** id of the session that made it, as its signers received it, 32 bytes */
  readonly session: Uint8Array;
}

const REQUEST_NAME_BYTES = 16;
const TRANSACTION_BYTES = 32;
const SIGNATURE_BYTES = 64;
const TIME_BYTES = 6;
/** Limit on the requests that one signer names; its sinceMs covers earlier ones. */
export const HANDOVER_REQUESTS_MAX = 64;

export const handoverCodec: Codec<EpochHandover> = struct<EpochHandover>({
  signer: partyCodec,
  sinceMs: uint(TIME_BYTES),
  latestMs: uint(TIME_BYTES),
  requests: countedList(fixedBytes(REQUEST_NAME_BYTES + TRANSACTION_BYTES), HANDOVER_REQUESTS_MAX),
  signature: fixedBytes(SIGNATURE_BYTES),
});

/** Encodes one handover. */
export const writeHandover = (handover: EpochHandover): Uint8Array => encode(handoverCodec, handover);

/** @returns undefined when it is malformed */
export const readHandover = (bytes: Uint8Array): EpochHandover | undefined => {
  const decoded = decode(handoverCodec, bytes);
  return decoded.ok ? decoded.value : undefined;
};

/** The 16 bytes by which a handover names a request. */
const requestName = (requestId: string): Uint8Array =>
  sha256(utf8ToBytes(requestId)).slice(0, REQUEST_NAME_BYTES);

/**
 * Names a request and a transaction to which it was bound: the first 16 bytes of the SHA-256 of the request's id, and
 * the SHA-256 of the unsigned bytes.
 *
 * @param digest of the transaction, in hex
 */
export const boundRequestName = (requestId: string, digest: string): Uint8Array =>
  concatBytes(requestName(requestId), hexToBytes(digest));

/**
 * The transactions to which a request is bound, according to the handovers of holders.
 *
 * @param named `boundRequestName` of each, in hex
 * @returns the SHA-256 of the unsigned bytes of each, in hex
 */
export const transactionsNamed = (named: readonly string[], requestId: string): readonly string[] => {
  const name = bytesToHex(requestName(requestId));
  return named.filter((each) => each.startsWith(name)).map((each) => each.slice(name.length));
};

/** The bytes of a handover that a signer's identity key signs: JSON text, as in `receiptBytes`, with a kind of its own. */
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

/** The number of holders of whom every quorum contains at least one: n - t + 1. */
export const meetingNumber = ({ parties, threshold }: KeyHolders): number => parties.length - threshold + 1;

/** Whether the holders or the threshold change. */
export const isOther = (before: KeyHolders, after: KeyHolders): boolean =>
  before.threshold !== after.threshold || String(before.parties) !== String(after.parties);
