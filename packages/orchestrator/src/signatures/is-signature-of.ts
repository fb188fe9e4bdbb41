import { recoverPublicKey } from "@conclave/chains";
import type { SchemeSignature, Signable } from "@conclave/custody";
import { taprootOutputKey, verifyBip340, verifyEd25519 } from "@conclave/threshold";

/** The keys under which a key's signatures verify. */
export interface VerifyingKeys {
  readonly publicKey: Uint8Array;
  /** of a Taproot key, for signatures that are tweaked with a script tree */
  readonly internalKey: Uint8Array | undefined;
}

/** Whether a signature verifies under a key, over one signable, by its scheme. */
export const isSchemeSignatureOf = (
  signable: Signable,
  signature: SchemeSignature | undefined,
  keys: VerifyingKeys,
): boolean => {
  const publicKey = verifyingKey(signable, keys);
  if (publicKey === undefined || signature === undefined || signature.scheme !== signable.scheme)
    return false;
  if (signature.scheme === "CGGMP24") {
    const recovered = recoverPublicKey(signable.bytes, signature);
    return recovered.ok && Buffer.from(recovered.value).equals(publicKey);
  }
  const verify = signature.scheme === "FROST-Ed25519" ? verifyEd25519 : verifyBip340;
  return verify(signature.bytes, signable.bytes, publicKey);
};

const verifyingKey = (
  { merkleRoot }: Signable,
  { publicKey, internalKey }: VerifyingKeys,
): Uint8Array | undefined => {
  if (merkleRoot === undefined) return publicKey;
  return internalKey === undefined ? undefined : taprootOutputKey(internalKey, merkleRoot);
};
