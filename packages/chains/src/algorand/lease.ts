import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

const DOMAIN = "conclave algorand lease ";

/**
 * The lease of all transactions of a request. A transaction that lands holds its sender's lease until its last valid round;
 * until then no other transaction of the sender with that lease lands.
 * @returns 32 bytes
 */
export const leaseOf = (requestId: string): Uint8Array => sha256(utf8ToBytes(`${DOMAIN}${requestId}`));
