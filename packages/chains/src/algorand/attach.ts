import { algorandAddress, fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import { ed25519 } from "@noble/curves/ed25519.js";
import type { SignedTransaction } from "../chain.ts";
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
  const [signature, ...more] = signatures;
  const [key, ...others] = keys;
  if (signature?.scheme !== "FROST-Ed25519" || key === undefined || more.length + others.length > 0) {
    return fail("Internal", {}, "An Algorand transaction takes one Ed25519 signature of one key.");
  }
  const decoded = decodeAlgorand(unsigned);
  if (!decoded.ok) return decoded;
  if (!isSignature(signature.bytes, bytesToSign(unsigned), key)) {
    return fail("Internal", {}, "The signature is not the wallet's.");
  }
  const address = algorandAddress(key);
  const authority = decoded.value.from === address ? undefined : address;
  return ok({ signed: signedAlgorand(unsigned, signature.bytes, authority), txHash: algorandId(unsigned) });
};

const isSignature = (signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean => {
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
};
