import { fail, ok, type Result, type SchemeSignature, solanaAddress } from "@conclave/custody";
import { ed25519 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import type { SignedTransaction } from "../chain.ts";
import { messageOf, signatureIn, withSignature } from "./message/message.ts";
import { decodeSolana } from "./transaction.ts";

/** How the chain names a signed transaction: by its first signature, so that each signing gives the same message another id. */
export const solanaId = (signed: Uint8Array): string => base58.encode(signatureIn(signed));

/**
 * Puts a signature into its transaction, after checking once more that it is the wallet's.
 * @param unsigned the signed bytes
 * @param signatures exactly one, of Ed25519
 * @param keys the wallet's public key, 32 bytes, and no other
 * @returns the bytes to broadcast and their id; Internal when the signature is not the key's, or the key not the signer's
 */
export const attachSolanaSignature = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedTransaction> => {
  const [signature, ...more] = signatures;
  const [key, ...others] = keys;
  if (signature?.scheme !== "FROST-Ed25519" || key === undefined || more.length + others.length > 0) {
    return fail("Internal", {}, "A Solana transaction takes one Ed25519 signature of one key.");
  }
  const decoded = decodeSolana(unsigned);
  if (!decoded.ok) return decoded;
  const isOfSigner = decoded.value.from === solanaAddress(key);
  if (!isOfSigner || !isSignature(signature.bytes, messageOf(unsigned), key)) {
    return fail("Internal", {}, "The signature is not the wallet's.");
  }
  const signed = withSignature(unsigned, signature.bytes);
  return ok({ signed, txHash: solanaId(signed) });
};

const isSignature = (signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean => {
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
};
