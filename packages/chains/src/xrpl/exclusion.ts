import { concatBytes, equalBytes, numberToBytesBE } from "@noble/curves/utils.js";
import type { XrplNetwork } from "./network.ts";
import { xrplAccountId } from "./rules/address.ts";
import type { XrplDraft } from "./transaction.ts";

/**
 * An XRP Ledger exclusion: the Sequence of a transaction on its account and chain. At most one lands per Sequence of an
 * account.
 *
 *   01, network id (4 bytes), account id (20 bytes), Sequence (4 bytes)
 */
const SEQUENCED = 1;
const WORD_BYTES = 4;
const EXCLUSION_BYTES = 1 + WORD_BYTES + 20 + WORD_BYTES;

/** The exclusion of a transaction. */
export const xrplExclusion = (
  { networkId }: Pick<XrplNetwork, "networkId">,
  { from, sequence }: Pick<XrplDraft, "from" | "sequence">,
): Uint8Array =>
  concatBytes(
    Uint8Array.of(SEQUENCED),
    numberToBytesBE(networkId, WORD_BYTES),
    xrplAccountId(from),
    numberToBytesBE(sequence, WORD_BYTES),
  );

/** The rule of the XRP Ledger (INV-4): two transactions exclude each other if chain, account and Sequence are equal. */
export const sequenceExcludes = (earlier: Uint8Array, later: Uint8Array): boolean =>
  earlier[0] === SEQUENCED && earlier.length === EXCLUSION_BYTES && equalBytes(earlier, later);
