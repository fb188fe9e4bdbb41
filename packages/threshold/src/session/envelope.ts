import { sha256 } from "@noble/hashes/sha2.js";
import { type Codec, fixedBytes, struct, uint, variableBytes } from "../codec.ts";
import { signEd25519, verifyEd25519 } from "../ed25519.ts";
import { encodeField } from "../transcript.ts";

/** 32 bytes, unique to one run of one protocol among named parties. */
export type SessionId = Uint8Array;

/** The length of a session id. */
export const SESSION_ID_BYTES = 32;
/** The largest payload of any round: auxiliary-info proofs of 3072-bit moduli are some 200 KB. */
export const PAYLOAD_BYTES_MAX = 512 * 1024;

/** The kind of an envelope: to all parties, to one, or an echo of the received broadcasts. */
export const ENVELOPE_KIND = { broadcast: 1, direct: 2, echo: 3 } as const;
export type EnvelopeKind = (typeof ENVELOPE_KIND)[keyof typeof ENVELOPE_KIND];

/**
 * A signed message between parties, which is also the evidence of a fault. The signature covers the hash of the payload, so
 * a third party can check a claimed hash without the payload (echo.ts).
 */
export interface Envelope {
  readonly session: SessionId;
  readonly round: number;
  readonly kind: number;
  readonly from: number;
  /** 0 for broadcast and echo */
  readonly to: number;
  readonly payload: Uint8Array;
  /** Ed25519 by `from` */
  readonly signature: Uint8Array;
}

/** Encodes an envelope; a payload longer than PAYLOAD_BYTES_MAX is not read (P13). */
export const envelopeCodec: Codec<Envelope> = struct<Envelope>({
  session: fixedBytes(SESSION_ID_BYTES),
  round: uint(1),
  kind: uint(1),
  from: uint(2),
  to: uint(2),
  payload: variableBytes(PAYLOAD_BYTES_MAX),
  signature: fixedBytes(64),
});

/** The addressing fields of an envelope. */
export type EnvelopeHeader = Pick<Envelope, "session" | "round" | "kind" | "from" | "to">;

export const headerCodec: Codec<EnvelopeHeader> = struct<EnvelopeHeader>({
  session: fixedBytes(SESSION_ID_BYTES),
  round: uint(1),
  kind: uint(1),
  from: uint(2),
  to: uint(2),
});

/** The bytes that the sender signs. */
export const signedBytes = (header: EnvelopeHeader, payloadHash: Uint8Array): Uint8Array =>
  encodeField([
    "conclave/v1/envelope",
    header.session,
    header.round,
    header.kind,
    header.from,
    header.to,
    payloadHash,
  ]);

/** Signs a payload for a header. @param identitySecret Ed25519 secret key of the sender, 32 bytes */
export const signEnvelope = (
  header: EnvelopeHeader,
  payload: Uint8Array,
  identitySecret: Uint8Array,
): Envelope => ({
  ...header,
  payload,
  signature: signEd25519(signedBytes(header, sha256(payload)), identitySecret),
});

/**
 * Whether the signature over this header and payload hash verifies under the identity key. Never throws.
 *
 * @param identity Ed25519 public key, 32 bytes
 * @param payloadHash SHA-256 of the payload
 */
export const isSignedBy = (
  identity: Uint8Array,
  header: EnvelopeHeader,
  payloadHash: Uint8Array,
  signature: Uint8Array,
): boolean => verifyEd25519(signature, signedBytes(header, payloadHash), identity);
