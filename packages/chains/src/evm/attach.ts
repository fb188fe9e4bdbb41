import { fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import { equalBytes } from "@noble/curves/utils.js";
import {
  bytesToHex,
  hexToBytes,
  keccak256,
  numberToHex,
  parseTransaction,
  serializeTransaction,
} from "viem/utils";
import type { SignedTransaction } from "../chain.ts";
import { oneSignatureOf } from "../exact-bytes/one-signature.ts";
import { recoverPublicKey } from "../recover.ts";

const SCALAR_BYTES = 32;

/**
 * Puts a signature into its transaction, after checking once more that it is the wallet's and has a low s: viem serialises
 * wrong or malleable signatures without an error.
 * @param unsigned the signed bytes
 * @param signatures exactly one, of CGGMP24
 * @param keys exactly the wallet's public key, 33 bytes compressed
 * @returns the bytes to broadcast and their hash; Internal when the signature is not the key's
 */
export const attachSignatures = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedTransaction> => {
  const one = oneSignatureOf(
    "CGGMP24",
    signatures,
    keys,
    "An EVM transaction takes one ECDSA signature of one key.",
  );
  if (!one.ok) return one;
  const { signature, key } = one.value;
  const publicKey = recoverPublicKey(keccak256(unsigned, "bytes"), signature);
  if (!publicKey.ok) return publicKey;
  if (!equalBytes(publicKey.value, key)) {
    const details = { signer: bytesToHex(publicKey.value), key: bytesToHex(key) };
    return fail("Internal", details, "The signature is not the wallet's.");
  }
  const signed = serializeTransaction(parseTransaction(bytesToHex(unsigned)), {
    r: numberToHex(signature.r, { size: SCALAR_BYTES }),
    s: numberToHex(signature.s, { size: SCALAR_BYTES }),
    yParity: signature.recovery,
    // viem turns it into EIP-155's v for a legacy transaction
    v: BigInt(27 + signature.recovery),
  });
  return ok({ signed: hexToBytes(signed), txHash: keccak256(signed) });
};
