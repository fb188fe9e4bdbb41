import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { bytesToHex, concatBytes } from "@noble/curves/utils.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type X25519Key, x25519PrivateKey, x25519PublicKey, x25519Shared } from "../arithmetic/openssl.ts";
import { encode } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import { encodeField } from "../transcript.ts";
import { type EnvelopeHeader, headerCodec } from "./envelope.ts";

const EPHEMERAL_BYTES = 32;
const KEY_BYTES = 32;
const NONCE_BYTES = 24;
const TAG_BYTES = 16;

/** The difference in length between a sealed payload and its plaintext. */
export const SEAL_BYTES: number = EPHEMERAL_BYTES + TAG_BYTES;

interface ReceiverKey {
  readonly secret: X25519Key;
  readonly publicKey: Uint8Array;
}

const receiverKeys = new WeakMap<Uint8Array, ReceiverKey>();

/** A party's own key, by which it opens every message to it: OpenSSL's form, and the public key. Cached. */
const receiverKeyOf = (bytes: Uint8Array): ReceiverKey => {
  const known = receiverKeys.get(bytes);
  if (known !== undefined) return known;
  const secret = x25519PrivateKey(bytesToHex(bytes));
  const made: ReceiverKey = { secret, publicKey: x25519PublicKey(secret) };
  receiverKeys.set(bytes, made);
  return made;
};

/** The key and nonce of one message. The ephemeral key is used once, so these are too. */
const deriveKey = (
  shared: Uint8Array,
  ephemeral: Uint8Array,
  receiver: Uint8Array,
  header: EnvelopeHeader,
): { readonly key: Uint8Array; readonly nonce: Uint8Array } => {
  const info = encodeField(["conclave/v1/seal", ephemeral, receiver, encode(headerCodec, header)]);
  const derived = hkdf(sha256, shared, undefined, info, KEY_BYTES + NONCE_BYTES);
  return { key: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES) };
};

/**
 * Encrypts a payload to one receiver: X25519 with an ephemeral key, HKDF-SHA256, XChaCha20-Poly1305 with the
 * header as associated data. It does not authenticate the sender; the signature of the envelope does.
 *
 * @param receiver the receiver's X25519 public key, 32 bytes
 * @param header of the payload's envelope
 */
export const seal = (
  payload: Uint8Array,
  receiver: Uint8Array,
  header: EnvelopeHeader,
  entropy: Entropy,
): Uint8Array => {
  const secret = x25519PrivateKey(bytesToHex(entropy(EPHEMERAL_BYTES)));
  const ephemeral = x25519PublicKey(secret);
  const shared = x25519Shared(secret, bytesToHex(receiver));
  const { key, nonce } = deriveKey(shared, ephemeral, receiver, header);
  const cipher = xchacha20poly1305(key, nonce, encode(headerCodec, header));
  return concatBytes(ephemeral, cipher.encrypt(payload));
};

/**
 * Decrypts a sealed payload; undefined when it does not open under this key and header. Never throws.
 *
 * @param receiverSecret 32 bytes; a cache is keyed by this array, so its content must not change
 */
export const unseal = (
  sealed: Uint8Array,
  receiverSecret: Uint8Array,
  header: EnvelopeHeader,
): Uint8Array | undefined => {
  if (sealed.length < SEAL_BYTES) return undefined;
  try {
    const ephemeral = sealed.subarray(0, EPHEMERAL_BYTES);
    const own = receiverKeyOf(receiverSecret);
    const shared = x25519Shared(own.secret, bytesToHex(ephemeral)); // throws on points of low order
    const { key, nonce } = deriveKey(shared, ephemeral, own.publicKey, header);
    return xchacha20poly1305(key, nonce, encode(headerCodec, header)).decrypt(
      sealed.subarray(EPHEMERAL_BYTES),
    );
  } catch {
    return undefined;
  }
};
