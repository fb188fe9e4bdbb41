import { fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex } from "@noble/curves/utils.js";
import type { SignedTransaction } from "../chain.ts";
import type { ReadableStellar } from "./network.ts";
import { signedStellar } from "./signed.ts";
import { decodeStellar, stellarHash } from "./transaction.ts";

/**
 * Puts a signature into its transaction, after checking once more that it is the wallet's.
 * @param unsigned the signed bytes
 * @param signatures exactly one, of Ed25519
 * @param keys the wallet's public key, 32 bytes, and no other
 * @param network the chain's passphrase is in the signed bytes, and not in the bytes
 * @returns the bytes to broadcast and their hash; Internal when the signature is not the key's
 */
export const attachStellarSignature = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
  network?: Pick<ReadableStellar, "passphrase">,
): Result<SignedTransaction> => {
  const [signature, ...more] = signatures;
  const [key, ...others] = keys;
  if (signature?.scheme !== "FROST-Ed25519" || key === undefined || more.length + others.length > 0) {
    return fail("Internal", {}, "A Stellar transaction takes one Ed25519 signature of one key.");
  }
  if (network === undefined) return fail("Internal", {}, "A Stellar transaction is of a network.");
  const decoded = decodeStellar(unsigned);
  if (!decoded.ok) return decoded;
  const hash = stellarHash(network.passphrase, unsigned);
  return isSignature(signature.bytes, hash, key)
    ? ok({ signed: signedStellar(unsigned, signature.bytes, key), txHash: bytesToHex(hash) })
    : fail("Internal", {}, "The signature is not the wallet's.");
};

const isSignature = (signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean => {
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
};
