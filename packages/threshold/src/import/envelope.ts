import { gcm } from "@noble/ciphers/aes.js";
import { concatBytes } from "@noble/curves/utils.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Decoded } from "../codec.ts";
import { multiplyGenerator, multiplySecret, type Point, SECP256K1, sampleScalarOf } from "../curve.ts";
import type { Entropy } from "../entropy.ts";
import { Secret } from "../secret.ts";
import { decryptionScalar } from "./encryption-key.ts";

const TAG_BYTES = 16;
/** The difference in length between an envelope and its plaintext: the tag and the ephemeral key. */
export const IMPORT_ENVELOPE_OVERHEAD: number = TAG_BYTES + SECP256K1.pointBytes;
/** The largest envelope that is opened (P13); an entry for 64 signers has some 11,000 bytes. */
export const IMPORT_ENVELOPE_BYTES_MAX: number = 16 * 1024;

const KEY_BYTES = 32;
const SALT = utf8ToBytes("DFNS_KEY_IMPORT");
const INFO = utf8ToBytes("ENCRYPTION_KEY");
/** Every envelope has its own key, from a fresh ephemeral key, so the nonce can be constant. */
const NONCE = new Uint8Array(12);

/** The ephemeral key at the end of an envelope; undefined when it is not a point: then nobody can open the envelope. */
const ephemeralPoint = (envelope: Uint8Array): Point | undefined =>
  SECP256K1.parsePoint(envelope.subarray(Math.max(0, envelope.length - SECP256K1.pointBytes)));

/**
 * The client's ephemeral key in an envelope, in the canonical encoding of its point. The encryption key
 * derives from it: so every envelope that opens to the same plaintext has the same ephemeral key, unless its
 * maker knew the plaintext.
 *
 * @param envelope untrusted, of any length
 * @returns 33 bytes; undefined when there is none, so that nobody can open the envelope
 */
export const importEphemeralKeyOf = (envelope: Uint8Array): Uint8Array | undefined =>
  ephemeralPoint(envelope)?.toBytes();

/** HKDF-SHA-256 over the whole compressed shared point, the sign of y included. */
const cipherOf = (shared: Point) => gcm(hkdf(sha256, shared.toBytes(), SALT, INFO, KEY_BYTES), NONCE);

/**
 * Opens the envelope in which an import client sends one signer its share (wire interface, C.5): ECIES over
 * secp256k1 with AES-256-GCM, in the order ciphertext, tag, ephemeral key. The envelope binds neither sender,
 * signer nor wallet: the protocol checks those (P23).
 *
 * @param envelope untrusted, of any length
 * @param decryptionKey of this signer: 32 bytes, big-endian
 */
export const openImportEnvelope = (
  envelope: Uint8Array,
  decryptionKey: Secret<Uint8Array>,
): Decoded<Secret<Uint8Array>> => {
  const refuse = (reason: string) => ({ ok: false, reason }) as const;
  if (envelope.length < IMPORT_ENVELOPE_OVERHEAD) return refuse("envelope is too short");
  if (envelope.length > IMPORT_ENVELOPE_BYTES_MAX) return refuse("envelope is too long");
  const end = envelope.length - SECP256K1.pointBytes;
  const ephemeral = ephemeralPoint(envelope);
  if (ephemeral === undefined) return refuse("ephemeral key is not a point");
  const shared = multiplySecret(SECP256K1, ephemeral, decryptionScalar(decryptionKey));
  try {
    return { ok: true, value: new Secret(cipherOf(shared).decrypt(envelope.subarray(0, end))) };
  } catch {
    return refuse("envelope does not open");
  }
};

/**
 * Seals an envelope that `openImportEnvelope` opens with the decryption key of `receiver`.
 *
 * @param receiver a public key, see parseEncryptionKey
 * @param entropy for the ephemeral key
 */
export const sealImportEnvelope = (
  plaintext: Secret<Uint8Array>,
  receiver: Point,
  entropy: Entropy,
): Uint8Array => {
  const secret = sampleScalarOf(SECP256K1, entropy);
  const shared = multiplySecret(SECP256K1, receiver, secret);
  return concatBytes(
    cipherOf(shared).encrypt(plaintext.reveal()),
    multiplyGenerator(SECP256K1, secret).toBytes(),
  );
};
