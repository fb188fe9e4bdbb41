import { createPublicKey, verify } from "node:crypto";

/** Whether OpenSSL verifies an Ed25519 signature. */
export const ed25519Verified = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean => {
  const x = Buffer.from(publicKey).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, message, key, signature);
};
