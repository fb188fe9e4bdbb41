import { fail, ok, type Result } from "@conclave/custody";
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
import { type RecoverableSignature, recoverPublicKey } from "./recover.ts";

export interface SignedTransaction {
  readonly signed: Uint8Array;
  readonly txHash: Hex;
}

const SCALAR_BYTES = 32;

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
  const publicKey = recoverPublicKey(keccak256(unsigned, "bytes"), signature);
  if (!publicKey.ok) return publicKey;
  const signer = addressOf(publicKey.value);
  if (!isAddressEqual(signer, getAddress(sender))) {
    return fail("Internal", { signer, sender }, "The signature is not the wallet's.");
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
