import { recoverPublicKey } from "@conclave/chains";
import type { SchemeSignature, Signable } from "@conclave/custody";
import { verifyBip340, verifyEd25519 } from "@conclave/threshold";

/** Whether a signature is a key's, over one thing, by its scheme. */
export const isSchemeSignatureOf = (
  signable: Signable,
  signature: SchemeSignature | undefined,
  publicKey: Uint8Array,
): boolean => {
  if (signature === undefined || signature.scheme !== signable.scheme) return false;
  if (signature.scheme === "CGGMP24") {
    const recovered = recoverPublicKey(signable.bytes, signature);
    return recovered.ok && Buffer.from(recovered.value).equals(publicKey);
  }
  const verify = signature.scheme === "FROST-Ed25519" ? verifyEd25519 : verifyBip340;
  return verify(signature.bytes, signable.bytes, publicKey);
};
