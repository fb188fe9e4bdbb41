import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

const DOMAIN = "conclave algorand lease ";

/**
 * The lease of all transactions of a request: a transaction that has landed holds its sender's lease to its own last valid
 * round, and until then no other with the same lease lands.
 * @returns 32 bytes
 */
export const leaseOf = (requestId: string): Uint8Array => sha256(utf8ToBytes(`${DOMAIN}${requestId}`));
