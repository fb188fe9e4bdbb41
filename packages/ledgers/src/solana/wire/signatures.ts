import { ed25519 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import { agaveAddressBytes } from "../address.ts";
import type { AgaveTransaction } from "./transaction.ts";

const SIGNATURE_BYTES = 64;

const isSigned = (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean => {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
};

/** Whether each signer has a valid signature of the message. @source Solana, solana-transaction: verify */
export const isAgaveSigned = ({ bytes, signatures, message }: AgaveTransaction): boolean => {
  // a packet has room for at most 19 signatures, so their count takes one byte
  const messageBytes = bytes.subarray(1 + signatures.length * SIGNATURE_BYTES);
  return signatures.every((signature, at) => {
    const signer = message.keys[at];
    return (
      signer !== undefined && isSigned(messageBytes, base58.decode(signature), agaveAddressBytes(signer))
    );
  });
};
