import { fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import { concatBytes, equalBytes, numberToBytesBE } from "@noble/curves/utils.js";
import type { SignedTransaction } from "../chain.ts";
import { oneSignatureOf } from "../exact-bytes/one-signature.ts";
import { recoverPublicKey } from "../recover.ts";
import { signedTron } from "./signed.ts";
import { decodeTron, tronDigest, tronId } from "./transaction.ts";

const SCALAR_BYTES = 32;
/** The offset of the recovery id in a signature's last byte. */
const RECOVERY_OFFSET = 27;

/**
 * Puts a signature into its transaction, after checking once more that it is the wallet's and has a low s.
 * @param unsigned the signed bytes
 * @param signatures exactly one, of CGGMP24
 * @param keys exactly the wallet's public key, 33 bytes compressed
 * @returns the bytes to broadcast and their id; Internal when the signature is not the key's
 */
export const attachTronSignature = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedTransaction> => {
  const one = oneSignatureOf(
    "CGGMP24",
    signatures,
    keys,
    "A TRON transaction takes one ECDSA signature of one key.",
  );
  if (!one.ok) return one;
  const { signature, key } = one.value;
  const decoded = decodeTron(unsigned);
  if (!decoded.ok) return decoded;
  const publicKey = recoverPublicKey(tronDigest(unsigned), signature);
  if (!publicKey.ok) return publicKey;
  if (!equalBytes(publicKey.value, key)) return fail("Internal", {}, "The signature is not the wallet's.");
  const { r, s, recovery } = signature;
  const written = concatBytes(
    numberToBytesBE(r, SCALAR_BYTES),
    numberToBytesBE(s, SCALAR_BYTES),
    Uint8Array.of(RECOVERY_OFFSET + recovery),
  );
  return ok({ signed: signedTron(unsigned, written), txHash: tronId(unsigned) });
};
