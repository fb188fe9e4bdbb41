import { fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { equalBytes } from "@noble/curves/utils.js";
import type { SignedTransaction } from "../chain.ts";
import { isEdwardsSignature, oneSignature } from "../exact-bytes/one-signature.ts";
import { recoverPublicKey } from "../recover.ts";
import { isXrplEd25519, xrplPublicKey } from "./rules/address.ts";
import { decodeXrpl, signedXrpl, xrplId, xrplSignable } from "./transaction.ts";

/**
 * Puts a signature into its transaction, after checking once more that it is fully canonical, and of the key that the
 * transaction names.
 * @param unsigned the signed bytes
 * @param signatures exactly one, of the key's scheme
 * @param keys exactly the wallet's public key: 33 bytes of secp256k1, compressed, or 32 of Ed25519
 * @returns the bytes to broadcast and their id; Internal when the signature is not the key's
 */
export const attachXrplSignature = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedTransaction> => {
  const one = oneSignature(
    signatures,
    keys,
    "A transaction of the XRP Ledger takes one signature of one key.",
  );
  if (!one.ok) return one;
  const { signature, key } = one.value;
  const decoded = decodeXrpl(unsigned);
  if (!decoded.ok) return decoded;
  const { signingPubKey } = decoded.value;
  if (!equalBytes(signingPubKey, xrplPublicKey(key))) {
    return fail("Internal", {}, "The transaction names another key than the wallet's (SigningPubKey).");
  }
  const { bytes } = xrplSignable(unsigned, decoded.value);
  const written = isXrplEd25519(signingPubKey)
    ? edwardsSignature(signature, bytes, key)
    : derSignature(signature, bytes, key);
  if (!written.ok) return written;
  const signed = signedXrpl(unsigned, written.value);
  return ok({ signed, txHash: xrplId(signed) });
};

const notOurs = (): Result<never> => fail("Internal", {}, "The signature is not the wallet's.");

const edwardsSignature = (
  signature: SchemeSignature,
  message: Uint8Array,
  key: Uint8Array,
): Result<Uint8Array> =>
  signature.scheme === "FROST-Ed25519" && isEdwardsSignature(signature.bytes, message, key)
    ? ok(signature.bytes)
    : notOurs();

/** A fully canonical signature: the shortest DER, with the lower s. */
const derSignature = (
  signature: SchemeSignature,
  digest: Uint8Array,
  key: Uint8Array,
): Result<Uint8Array> => {
  if (signature.scheme !== "CGGMP24") return notOurs();
  const publicKey = recoverPublicKey(digest, signature);
  if (!publicKey.ok) return publicKey;
  return equalBytes(publicKey.value, key)
    ? ok(new secp256k1.Signature(signature.r, signature.s).toBytes("der"))
    : notOurs();
};
