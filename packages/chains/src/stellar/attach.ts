import { fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import type { SignedTransaction } from "../chain.ts";
import { isEdwardsSignature, oneSignatureOf } from "../exact-bytes/one-signature.ts";
import type { ReadableStellar } from "./network.ts";
import { signedStellar } from "./signed.ts";
import { decodeStellar, stellarHash } from "./transaction.ts";

/**
 * Puts a signature into its transaction, after checking once more that it is the wallet's.
 * @param unsigned the signed bytes
 * @param signatures exactly one, of Ed25519
 * @param keys exactly the wallet's public key, 32 bytes
 * @param network for the chain's passphrase: the signed hash covers it, but the bytes do not hold it
 * @returns the bytes to broadcast and their hash; Internal when the signature is not the key's
 */
export const attachStellarSignature = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
  network?: Pick<ReadableStellar, "passphrase">,
): Result<SignedTransaction> => {
  const one = oneSignatureOf(
    "FROST-Ed25519",
    signatures,
    keys,
    "A Stellar transaction takes one Ed25519 signature of one key.",
  );
  if (!one.ok) return one;
  const { signature, key } = one.value;
  if (network === undefined) return fail("Internal", {}, "A Stellar transaction is of a network.");
  const decoded = decodeStellar(unsigned);
  if (!decoded.ok) return decoded;
  const hash = stellarHash(network.passphrase, unsigned);
  return isEdwardsSignature(signature.bytes, hash, key)
    ? ok({ signed: signedStellar(unsigned, signature.bytes, key), txHash: bytesToHex(hash) })
    : fail("Internal", {}, "The signature is not the wallet's.");
};
