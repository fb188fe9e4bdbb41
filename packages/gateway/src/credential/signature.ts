import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";

/** The names of digests that clients of all generations send (wire interface, section B.4). Ed25519 needs none. */
export const algorithmSchema = z.enum(["RSA-SHA256", "RSA-SHA512", "SHA256", "SHA512", "sha256", "sha512"]);
export type SignatureAlgorithm = z.infer<typeof algorithmSchema>;

/**
 * Whether a signature over these bytes is valid: Ed25519 directly, ECDSA in ASN.1 DER and RSA with PKCS #1 v1.5 over a
 * digest, which is SHA-256 unless the client names another.
 * @param publicKey PEM
 */
export const signatureHolds = (
  publicKey: string,
  bytes: Uint8Array,
  signature: Uint8Array,
  algorithm: SignatureAlgorithm | undefined,
): boolean => {
  try {
    const key = createPublicKey(publicKey);
    const digest = key.asymmetricKeyType === "ed25519" ? null : (algorithm ?? "sha256");
    return verify(digest, bytes, key, signature);
  } catch {
    return false;
  }
};
