import { fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import type { SignedTransaction } from "../chain.ts";
import { isEdwardsSignature, oneSignatureOf } from "../exact-bytes/one-signature.ts";
import { algorandAddress } from "./rules/address.ts";
import { signedAlgorand } from "./signed.ts";
import { algorandId, bytesToSign, decodeAlgorand } from "./transaction.ts";

/**
 * Puts a signature into its transaction, after checking once more that it is the wallet's.
 * @param unsigned the signed bytes
 * @param signatures exactly one, of Ed25519
 * @param keys the wallet's public key, 32 bytes, and no other
 * @returns the bytes to broadcast and their id; Internal when the signature is not the key's
 */
export const attachAlgorandSignature = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedTransaction> => {
  const one = oneSignatureOf(
    "FROST-Ed25519",
    signatures,
    keys,
    "An Algorand transaction takes one Ed25519 signature of one key.",
  );
  if (!one.ok) return one;
  const { signature, key } = one.value;
  const decoded = decodeAlgorand(unsigned);
  if (!decoded.ok) return decoded;
  if (!isEdwardsSignature(signature.bytes, bytesToSign(unsigned), key)) {
    return fail("Internal", {}, "The signature is not the wallet's.");
  }
  const address = algorandAddress(key);
  const authority = decoded.value.from === address ? undefined : address;
  return ok({ signed: signedAlgorand(unsigned, signature.bytes, authority), txHash: algorandId(unsigned) });
};
