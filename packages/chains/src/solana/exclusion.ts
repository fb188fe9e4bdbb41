import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { messageOf } from "./message/message.ts";

/** The exclusion of a transaction: the SHA-256 of its message, 32 bytes. */
export const solanaExclusion = (unsigned: Uint8Array): Uint8Array => sha256(messageOf(unsigned));

const HASH_BYTES = 32;

/**
 * Solana's rule (INV-4): a message lands once under any signature, because nodes identify messages by their hash. Two different
 * messages do not exclude each other, even with the same blockhash: an account has no transaction count.
 */
export const isSameMessage = (earlier: Uint8Array, later: Uint8Array): boolean =>
  earlier.length === HASH_BYTES && equalBytes(earlier, later);
