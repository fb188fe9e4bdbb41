import { fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import { ed25519 } from "@noble/curves/ed25519.js";

interface OneSignature<Signature extends SchemeSignature> {
  readonly signature: Signature;
  readonly key: Uint8Array;
}

type SignatureOf<Scheme> = Scheme extends "CGGMP24"
  ? Extract<SchemeSignature, { readonly scheme: "CGGMP24" }>
  : Extract<SchemeSignature, { readonly bytes: Uint8Array }>;

/** The only signature of the only key, of any scheme. @returns Internal with the rule if there is another number of either */
export const oneSignature = (
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
  rule: string,
): Result<OneSignature<SchemeSignature>> => {
  const [signature, ...more] = signatures;
  const [key, ...others] = keys;
  return signature === undefined || key === undefined || more.length + others.length > 0
    ? fail("Internal", {}, rule)
    : ok({ signature, key });
};

/** Like `oneSignature`, of a given scheme. */
export const oneSignatureOf = <Scheme extends SchemeSignature["scheme"]>(
  scheme: Scheme,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
  rule: string,
): Result<OneSignature<SignatureOf<Scheme>>> => {
  const one = oneSignature(signatures, keys, rule);
  if (!one.ok) return one;
  const { signature, key } = one.value;
  return isOf(scheme, signature) ? ok({ signature, key }) : fail("Internal", {}, rule);
};

const isOf = <Scheme extends SchemeSignature["scheme"]>(
  scheme: Scheme,
  signature: SchemeSignature,
): signature is SignatureOf<Scheme> => signature.scheme === scheme;

/** Whether a signature is valid for an Ed25519 key by the strict rules of RFC 8032; false for inputs of a wrong length. */
export const isEdwardsSignature = (signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean => {
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
};
