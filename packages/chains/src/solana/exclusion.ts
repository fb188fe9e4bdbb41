import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { messageOf } from "./message/message.ts";

/** The exclusion of a transaction: the SHA-256 of its message, 32 bytes. */
export const solanaExclusion = (unsigned: Uint8Array): Uint8Array => sha256(messageOf(unsigned));

const HASH_BYTES = 32;

/**
 * Solana's rule (INV-4): a message lands once, whichever signature it has, for nodes know messages by their hash. Two that differ
 * do not exclude each other, though they share a blockhash: an account counts no transactions.
 */
export const isSameMessage = (earlier: Uint8Array, later: Uint8Array): boolean =>
  earlier.length === HASH_BYTES && equalBytes(earlier, later);
