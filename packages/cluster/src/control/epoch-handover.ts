import {
  type Codec,
  countedList,
  decode,
  encode,
  fixedBytes,
  type IdentityRoster,
  type KeyHolders,
  type PartyIndex,
  struct,
  uint,
  verifyEd25519,
} from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { partyCodec } from "../compute/wire-parts.ts";
import { clusterOf } from "./cluster-name.ts";

/** What one signer bound requests to with a key, as far as it remembers it in memory. */
export interface KnownRequests {
  /** every request that was asked for at this time or later, and that the signer signed for, is among them; Unix milliseconds */
  readonly sinceMs: number;
  /** no request that was asked for later is bound at the signer, with any key; Unix milliseconds */
  readonly latestMs: number;
  /** `requestName` of each */
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
const SIGNATURE_BYTES = 64;
const TIME_BYTES = 6;
/** Requests that one signer names: those before are covered by its sinceMs. */
export const HANDOVER_REQUESTS_MAX = 64;

export const handoverCodec: Codec<EpochHandover> = struct<EpochHandover>({
  signer: partyCodec,
  sinceMs: uint(TIME_BYTES),
  latestMs: uint(TIME_BYTES),
  requests: countedList(fixedBytes(REQUEST_NAME_BYTES), HANDOVER_REQUESTS_MAX),
  signature: fixedBytes(SIGNATURE_BYTES),
});

/** One handover as it travels. */
export const writeHandover = (handover: EpochHandover): Uint8Array => encode(handoverCodec, handover);

/** @returns undefined when it is malformed */
export const readHandover = (bytes: Uint8Array): EpochHandover | undefined => {
  const decoded = decode(handoverCodec, bytes);
  return decoded.ok ? decoded.value : undefined;
};

/** A request as a handover names it: the first 16 bytes of the SHA-256 of its id. */
export const requestName = (requestId: string): Uint8Array =>
  sha256(utf8ToBytes(requestId)).slice(0, REQUEST_NAME_BYTES);

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

/**
 * How many holders must have handed a key over before those of the next epoch sign with it (INV-4): so many that the others cannot sign
 * together any more. None where the signers that sign with the next epoch are enough of them by themselves: nobody comes, and t does not
 * fall below it. With 2t ≤ n two quorums need not meet anyway; then it is t.
 *
 * @param before the holders of the epoch that ends
 * @param after those of the next one
 */
export const handoversNeeded = (before: KeyHolders, after: KeyHolders): number => {
  const meeting = meetingNumber(before);
  const isFewer = after.threshold < meeting;
  return hasNewcomer(before, after) || (isFewer && isOther(before, after))
    ? Math.min(meeting, before.threshold)
    : 0;
};

/** How many holders have a signer in common with every quorum: n - t + 1. */
export const meetingNumber = ({ parties, threshold }: KeyHolders): number => parties.length - threshold + 1;

const hasNewcomer = (before: KeyHolders, after: KeyHolders): boolean =>
  after.parties.some((party) => !before.parties.includes(party));

/** Whether the holders, or how many of them sign together, change. */
export const isOther = (before: KeyHolders, after: KeyHolders): boolean =>
  before.threshold !== after.threshold || String(before.parties) !== String(after.parties);
