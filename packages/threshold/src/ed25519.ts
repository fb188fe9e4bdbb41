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
 * Ed25519 (RFC 8032) by OpenSSL, a dozen times faster than in JavaScript: every message between parties is
 * signed, and every other party verifies it. This file decides with noble which public keys are safe to
 * verify under.
 */

const PUBLIC_KEYS_MAX = 256; // room for the largest roster, and the wallets that sign at the same time

const privateKeys = new WeakMap<Uint8Array, Ed25519Key>();
const publicKeys = new Map<string, Ed25519Key>();

const privateKeyOf = (seed: Uint8Array): Ed25519Key => {
  const known = privateKeys.get(seed);
  if (known !== undefined) return known;
  const made = ed25519PrivateKey(bytesToHex(seed));
  privateKeys.set(seed, made);
  return made;
};

/**
 * Whether the bytes are a canonical point that is not of small order: under a point of small order, forged
 * signatures verify.
 */
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
 * Signs a message.
 *
 * @param seed the secret key, 32 bytes; a cache is keyed by this array, so its content must not change
 * @returns 64 bytes
 */
export const signEd25519 = (message: Uint8Array, seed: Uint8Array): Uint8Array =>
  ed25519Sign(message, privateKeyOf(seed));

/**
 * Whether the signature verifies under the key, strictly: no cofactor, canonical bytes only, and no key of small order.
 * Never throws on any input.
 */
export const verifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean => {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  const key = publicKeyOf(publicKey);
  return key !== undefined && ed25519Verify(signature, message, key);
};
