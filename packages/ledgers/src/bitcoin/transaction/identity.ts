import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { wireTransaction, wireWithoutWitness } from "./encode.ts";
import type { BitcoindSerialisedTransaction, BitcoindTransaction } from "./transaction.ts";

/** Double SHA-256, Bitcoin's usual digest. */
export const twiceSha256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));

/** The text form of a digest: hex of its bytes in reverse. */
export const hashText = (digest: Uint8Array): string => bytesToHex(digest.slice().reverse());

/** A transaction with its ids and sizes. @source BIP-141, BIP-144 */
export const withIdentity = (transaction: BitcoindTransaction): BitcoindSerialisedTransaction => {
  const [stripped, bytes] = [wireWithoutWitness(transaction), wireTransaction(transaction)];
  const weight = stripped.length * 3 + bytes.length;
  return {
    ...transaction,
    txid: hashText(twiceSha256(stripped)),
    wtxid: hashText(twiceSha256(bytes)),
    bytes,
    weight,
    virtualSize: Math.ceil(weight / 4),
  };
};
