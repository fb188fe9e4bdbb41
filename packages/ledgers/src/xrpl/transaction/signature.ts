import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { rippledDigest } from "../digest.ts";

const PUBLIC_KEY_BYTES = 33;
const ED25519_PREFIX = 0xed;
const ED25519_SIGNATURE_BYTES = 64;
const SECP256K1_PREFIXES = [2, 3];

/** The curve of a public key; undefined if the prefix is unknown. */
export const rippledCurveOf = (publicKey: Uint8Array): "secp256k1" | "ed25519" | undefined => {
  const [prefix] = publicKey;
  if (publicKey.length !== PUBLIC_KEY_BYTES || prefix === undefined) return undefined;
  if (prefix === ED25519_PREFIX) return "ed25519";
  return SECP256K1_PREFIXES.includes(prefix) ? "secp256k1" : undefined;
};

/**
 * Whether a signature is fully canonical: minimal DER and low s. Otherwise anybody could change a signed transaction's
 * hash.
 */
const isFullyCanonical = (signature: Uint8Array): boolean => {
  const parsed = secp256k1.Signature.fromBytes(signature, "der");
  const again = parsed.toBytes("der");
  return (
    !parsed.hasHighS() &&
    again.length === signature.length &&
    again.every((byte, at) => byte === signature[at])
  );
};

const verifiesSecp256k1 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean =>
  isFullyCanonical(signature) &&
  secp256k1.verify(signature, rippledDigest(message), publicKey, {
    prehash: false,
    lowS: true,
    format: "der",
  });

const verifiesEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean =>
  signature.length === ED25519_SIGNATURE_BYTES &&
  ed25519.verify(signature, message, publicKey.subarray(1), { zip215: false });

/**
 * Verifies a signature of a message by a key. The ledger's state decides whether this key may sign for the account.
 * @param message the signed bytes; secp256k1 signs its digest, Ed25519 the message itself
 * @source rippled, src/libxrpl/protocol/PublicKey.cpp: verify
 */
export const isRippledSignature = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean => {
  const curve = rippledCurveOf(publicKey);
  if (curve === undefined) return false;
  try {
    return curve === "ed25519"
      ? verifiesEd25519(signature, message, publicKey)
      : verifiesSecp256k1(signature, message, publicKey);
  } catch {
    // the library throws if the bytes are not a signature or a point
    return false;
  }
};
