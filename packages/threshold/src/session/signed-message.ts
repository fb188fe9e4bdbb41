import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { boolean, type Codec, convert, fixedBytes, struct, uint } from "../codec.ts";
import { type Envelope, type EnvelopeHeader, envelopeCodec, headerCodec, isSignedBy } from "./envelope.ts";

/** A signed message without its payload, as an echo reports a party's broadcast. */
export interface SignedHash {
  readonly header: EnvelopeHeader;
  /** SHA-256 of the payload */
  readonly payloadHash: Uint8Array;
  /** Ed25519 by `header.from` */
  readonly signature: Uint8Array;
}

/** A message that a party signed, with or without its payload. */
export type SignedMessage = Envelope | SignedHash;

export const isEnvelope = (message: SignedMessage): message is Envelope => "payload" in message;

/** Reduces a message to the parts that its signature covers. */
export const signedHash = (message: SignedMessage): SignedHash => {
  if (!isEnvelope(message)) return message;
  const { session, round, kind, from, to, payload, signature } = message;
  return { header: { session, round, kind, from, to }, payloadHash: sha256(payload), signature };
};

const sameHeader = (a: EnvelopeHeader, b: EnvelopeHeader): boolean =>
  equalBytes(a.session, b.session) &&
  a.round === b.round &&
  a.kind === b.kind &&
  a.from === b.from &&
  a.to === b.to;

/**
 * Whether two messages prove, to anybody who knows the identity key, that its holder signed two different
 * payloads under one header (P12).
 *
 * @param identity the accused's Ed25519 public key, from the roster
 */
export const provesEquivocation = (
  first: SignedMessage,
  second: SignedMessage,
  identity: Uint8Array,
): boolean => {
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

/** Encodes a signed message, for stores and third parties. */
export const signedMessageCodec: Codec<SignedMessage> = {
  write: (sink, message) => {
    boolean.write(sink, isEnvelope(message));
    if (isEnvelope(message)) envelopeCodec.write(sink, message);
    else signedHashCodec.write(sink, message);
  },
  read: (source) => (boolean.read(source) ? envelopeCodec.read(source) : signedHashCodec.read(source)),
};

/** The most messages: the broadcasts of four rounds of 64 parties, and further messages of the accused. */
export const SIGNED_MESSAGES_MAX = 320;

const countCodec: Codec<number> = convert(
  uint(2),
  (count) => (count <= SIGNED_MESSAGES_MAX ? count : undefined),
  (count) => count,
  `more than ${SIGNED_MESSAGES_MAX} messages`,
);

/** Several signed messages, at most SIGNED_MESSAGES_MAX. */
export const signedMessagesCodec: Codec<readonly SignedMessage[]> = {
  write: (sink, messages) => {
    if (messages.length > SIGNED_MESSAGES_MAX)
      throw new RangeError(`at most ${SIGNED_MESSAGES_MAX} messages`);
    countCodec.write(sink, messages.length);
    for (const message of messages) signedMessageCodec.write(sink, message);
  },
  read: (source) =>
    Array.from({ length: source.part("count", countCodec) }, (_, at) => source.part(at, signedMessageCodec)),
};
