import { concatBytes, equalBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { stellarPublicKey } from "./rules/address.ts";
import { networkIdOf, type StellarDraft } from "./transaction.ts";

/**
 * A Stellar exclusion: the sequence number of a transaction on its account and chain.
 *
 *   01, network id (32 bytes), account (32 bytes), sequence number (8 bytes)
 */
const STANDING = 1;
const WORD_BYTES = 32;
const SEQUENCE_BYTES = 8;
const STANDING_BYTES = 1 + 2 * WORD_BYTES + SEQUENCE_BYTES;

/** The exclusion of a transaction. */
export const stellarExclusion = (
  passphrase: string,
  { from, sequence }: Pick<StellarDraft, "from" | "sequence">,
): Uint8Array =>
  concatBytes(
    Uint8Array.of(STANDING),
    networkIdOf(passphrase),
    stellarPublicKey(from),
    numberToBytesBE(sequence, SEQUENCE_BYTES),
  );

/** Stellar's rule (INV-4): at most one transaction lands per sequence number of an account, even if it fails. */
export const stellarExcludes = (earlier: Uint8Array, later: Uint8Array): boolean =>
  earlier[0] === STANDING && earlier.length === STANDING_BYTES && equalBytes(earlier, later);
