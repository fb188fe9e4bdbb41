import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { boolean, type Codec, fixedBytes, struct } from "../codec.ts";
import { type Envelope, type EnvelopeHeader, envelopeCodec, headerCodec, isSignedBy } from "./envelope.ts";

/** A signed message without its payload: the part of a party's broadcast that an echo of it holds. */
export interface SignedHash {
  readonly header: EnvelopeHeader;
  /** SHA-256 of the payload */
  readonly payloadHash: Uint8Array;
  /** Ed25519 by `header.from` */
  readonly signature: Uint8Array;
}

/**
 * A signed message that shows a fault.
 *
 * A third party with the roster can check alone: equivocation (two signatures for one round, kind and receiver), an
 * oversize or malformed payload, a lying echo, and every failed check whose inputs are broadcasts of any party or plain
 * messages of the accused; where a round has an echo, the echo of the accused shows that it had the same broadcasts. A
 * third party cannot check a sealed message: only the receiver knows whether it opens, and what it contains. There the
 * evidence shows that the accused sent that message; its content rests on the word of the accuser.
 */
export type Evidence = Envelope | SignedHash;

const isEnvelope = (evidence: Evidence): evidence is Envelope => "payload" in evidence;

/** Reduces evidence to what its signature covers. */
export const signedHash = (evidence: Evidence): SignedHash => {
  if (!isEnvelope(evidence)) return evidence;
  const { session, round, kind, from, to, payload, signature } = evidence;
  return { header: { session, round, kind, from, to }, payloadHash: sha256(payload), signature };
};

const sameHeader = (a: EnvelopeHeader, b: EnvelopeHeader): boolean =>
  equalBytes(a.session, b.session) &&
  a.round === b.round &&
  a.kind === b.kind &&
  a.from === b.from &&
  a.to === b.to;

/**
 * Whether two pieces of evidence prove, to anybody who knows the identity key, that its holder signed two different
 * payloads under one header (P12).
 *
 * @param identity the accused's Ed25519 public key, from the roster
 */
export const provesEquivocation = (first: Evidence, second: Evidence, identity: Uint8Array): boolean => {
  const [a, b] = [signedHash(first), signedHash(second)];
  const isSigned = ({ header, payloadHash, signature }: SignedHash): boolean =>
    isSignedBy(identity, header, payloadHash, signature);
  return (
    sameHeader(a.header, b.header) && !equalBytes(a.payloadHash, b.payloadHash) && isSigned(a) && isSigned(b)
  );
};

const signedHashCodec: Codec<SignedHash> = struct<SignedHash>({
  header: headerCodec,
  payloadHash: fixedBytes(32),
  signature: fixedBytes(64),
});

/** Evidence as bytes, for stores and for third parties. */
export const evidenceCodec: Codec<Evidence> = {
  write: (sink, evidence) => {
    boolean.write(sink, isEnvelope(evidence));
    if (isEnvelope(evidence)) envelopeCodec.write(sink, evidence);
    else signedHashCodec.write(sink, evidence);
  },
  read: (source) => (boolean.read(source) ? envelopeCodec.read(source) : signedHashCodec.read(source)),
};
