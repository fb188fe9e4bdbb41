import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex } from "@noble/curves/utils.js";
import {
  type Ed25519Key,
  ed25519PrivateKey,
  ed25519PublicKey,
  ed25519Sign,
  ed25519Verify,
} from "./arithmetic/openssl.ts";

/**
 * Ed25519 (RFC 8032) by OpenSSL, a dozen times faster than in JavaScript: every message between parties is signed, and
 * read by all others. Which keys are fit to verify under is decided here, by noble.
 */

const PUBLIC_KEYS_MAX = 256; // of the largest roster, and of wallets that sign meanwhile

const privateKeys = new WeakMap<Uint8Array, Ed25519Key>();
const publicKeys = new Map<string, Ed25519Key>();

const privateKeyOf = (seed: Uint8Array): Ed25519Key => {
  const known = privateKeys.get(seed);
  if (known !== undefined) return known;
  const made = ed25519PrivateKey(bytesToHex(seed));
  privateKeys.set(seed, made);
  return made;
};

/** Canonical bytes of a point that is not of small order: under such a one, anything would verify. */
const isFitToVerify = (publicKey: Uint8Array): boolean => {
  try {
    return !ed25519.Point.fromBytes(publicKey, false).isSmallOrder();
  } catch {
    return false;
  }
};

const publicKeyOf = (publicKey: Uint8Array): Ed25519Key | undefined => {
  const hex = bytesToHex(publicKey);
  const known = publicKeys.get(hex);
  if (known === undefined && !isFitToVerify(publicKey)) return undefined;
  const key = known ?? ed25519PublicKey(hex);
  publicKeys.delete(hex);
  publicKeys.set(hex, key); // most recently used last
  const oldest = publicKeys.keys().next();
  if (publicKeys.size > PUBLIC_KEYS_MAX && !oldest.done) publicKeys.delete(oldest.value);
  return key;
};

/**
 * The signature of a message, 64 bytes.
 *
 * @param seed the secret key, 32 bytes; the array is remembered, and must not change
 */
export const signEd25519 = (message: Uint8Array, seed: Uint8Array): Uint8Array =>
  ed25519Sign(message, privateKeyOf(seed));

/**
 * Whether a signature is by the holder of the key, strictly: no cofactor, canonical bytes only, and no key of small
 * order. Never throws, whatever the bytes.
 */
export const verifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean => {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  const key = publicKeyOf(publicKey);
  return key !== undefined && ed25519Verify(signature, message, key);
};
