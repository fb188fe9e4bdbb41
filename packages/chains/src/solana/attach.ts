import { fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import { base58 } from "@scure/base";
import type { SignedTransaction } from "../chain.ts";
import { isEdwardsSignature, oneSignatureOf } from "../exact-bytes/one-signature.ts";
import { messageOf, signatureIn, withSignature } from "./message/message.ts";
import { solanaAddress } from "./rules/address.ts";
import { decodeSolana } from "./transaction.ts";

/** The chain's id of a signed transaction is its first signature, so each signing gives the same message another id. */
export const solanaId = (signed: Uint8Array): string => base58.encode(signatureIn(signed));

/**
 * Puts a signature into its transaction, after checking once more that it is the wallet's.
 * @param unsigned the signed bytes
 * @param signatures exactly one, of Ed25519
 * @param keys exactly the wallet's public key, 32 bytes
 * @returns the bytes to broadcast and their id; Internal when the signature is not the key's, or the key not the signer's
 */
export const attachSolanaSignature = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedTransaction> => {
  const one = oneSignatureOf(
    "FROST-Ed25519",
    signatures,
    keys,
    "A Solana transaction takes one Ed25519 signature of one key.",
  );
  if (!one.ok) return one;
  const { signature, key } = one.value;
  const decoded = decodeSolana(unsigned);
  if (!decoded.ok) return decoded;
  const isOfSigner = decoded.value.from === solanaAddress(key);
  if (!isOfSigner || !isEdwardsSignature(signature.bytes, messageOf(unsigned), key)) {
    return fail("Internal", {}, "The signature is not the wallet's.");
  }
  const signed = withSignature(unsigned, signature.bytes);
  return ok({ signed, txHash: solanaId(signed) });
};
