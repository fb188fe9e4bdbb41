import { concatBytes, equalBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { base64 } from "@scure/base";
import { algorandPublicKey } from "./rules/address.ts";
import type { AlgorandDraft } from "./transaction.ts";

/**
 * An Algorand exclusion: the sender's lease that a transaction holds while it is valid.
 *
 *   01, genesis hash (32 bytes), sender (32 bytes), lease (32 bytes), last valid round (8 bytes)
 *   00 for a transaction without a lease, which excludes nothing
 */
const LEASED = 1;
const UNLEASED = 0;
const WORD_BYTES = 32;
const ROUND_BYTES = 8;
const LEASED_BYTES = 1 + 3 * WORD_BYTES + ROUND_BYTES;

type Standing = Pick<AlgorandDraft, "genesisHash" | "from" | "lease" | "lastValid">;

/** The exclusion of a transaction. */
export const algorandExclusion = ({ genesisHash, from, lease, lastValid }: Standing): Uint8Array =>
  lease === undefined
    ? Uint8Array.of(UNLEASED)
    : concatBytes(
        Uint8Array.of(LEASED),
        base64.decode(genesisHash),
        algorandPublicKey(from),
        lease,
        numberToBytesBE(lastValid, ROUND_BYTES),
      );

/**
 * Algorand's rule (INV-4): two transactions exclude each other if sender, lease and last valid round are equal.
 *
 * A transaction that lands holds the lease until its own last valid round. If two differ in it, the later-expiring one could
 * land after the other's lease has ended: overlap is not enough. With the same last round, each is dead when the other's lease
 * ends.
 */
export const leaseExcludes = (earlier: Uint8Array, later: Uint8Array): boolean =>
  earlier[0] === LEASED && earlier.length === LEASED_BYTES && equalBytes(earlier, later);
