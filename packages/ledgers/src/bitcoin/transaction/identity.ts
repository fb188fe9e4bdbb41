import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { wireTransaction, wireWithoutWitness } from "./encode.ts";
import type { BitcoindSerialisedTransaction, BitcoindTransaction } from "./transaction.ts";

/** The digest that Bitcoin uses nearly everywhere. */
export const twiceSha256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));

/** A digest as people write it. */
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
