import { fail, ok, type Result } from "@conclave/custody";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Hex } from "viem";
import {
  bytesToHex,
  getAddress,
  hexToBytes,
  isAddressEqual,
  keccak256,
  numberToHex,
  parseTransaction,
  serializeTransaction,
} from "viem/utils";
import { addressOf } from "./address.ts";

/** An ECDSA signature of secp256k1. */
export interface RecoverableSignature {
  readonly r: bigint;
  readonly s: bigint;
  /** the parity of R's y; 2 and 3 (R's x overflowed the order) cannot be written into a transaction */
  readonly recovery: number;
}

export interface SignedTransaction {
  readonly signed: Uint8Array;
  readonly txHash: Hex;
}

const SCALAR_BYTES = 32;

const senderOf = (digest: Uint8Array, signature: RecoverableSignature): Result<string> => {
  if (signature.recovery !== 0 && signature.recovery !== 1) {
    return fail("Internal", { recovery: signature.recovery }, "The signature has an impossible recovery id.");
  }
  try {
    const parsed = new secp256k1.Signature(signature.r, signature.s, signature.recovery);
    if (parsed.hasHighS()) return fail("Internal", {}, "The signature's s is in the upper half (EIP-2).");
    return ok(addressOf(parsed.recoverPublicKey(digest).toBytes(true)));
  } catch {
    return fail("Internal", {}, "The signature is not one of secp256k1.");
  }
};

/**
 * Puts a signature into its transaction, after checking once more that it is the wallet's and has a low s: viem
 * serialises a wrong or malleable one without complaint.
 * @param unsigned what was signed
 * @param signature as the signers returned it
 * @param sender the wallet's address
 * @returns the bytes to broadcast and their hash; Internal when the signature is not the sender's
 */
export const attachSignature = (
  unsigned: Uint8Array,
  signature: RecoverableSignature,
  sender: string,
): Result<SignedTransaction> => {
  const signer = senderOf(keccak256(unsigned, "bytes"), signature);
  if (!signer.ok) return signer;
  if (!isAddressEqual(getAddress(signer.value), getAddress(sender))) {
    return fail("Internal", { signer: signer.value, sender }, "The signature is not the wallet's.");
  }
  const signed = serializeTransaction(parseTransaction(bytesToHex(unsigned)), {
    r: numberToHex(signature.r, { size: SCALAR_BYTES }),
    s: numberToHex(signature.s, { size: SCALAR_BYTES }),
    yParity: signature.recovery,
    // of a legacy transaction: viem makes EIP-155's v of it
    v: BigInt(27 + signature.recovery),
  });
  return ok({ signed: hexToBytes(signed), txHash: keccak256(signed) });
};
