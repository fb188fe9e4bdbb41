import { type ContentReading, type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import type { ReadableStellar } from "./network.ts";
import { parseStellarContent } from "./parse-content.ts";
import { readStellarDraft } from "./read.ts";
import { decodeStellar } from "./transaction.ts";

/**
 * The signer's own reading of a transaction that is signed and not sent (INV-3). It may be of an account that is not the
 * key's own: one whose owner made the key a signer of it.
 * @param networks the entries of the reader's own networks file
 * @returns NetworkNotEnabled, TransactionUnreadable, TransactionMismatch (details.field) or FeeAboveCap
 */
export const readStellarContent = (
  networks: readonly ReadableStellar[],
  content: FamilyContent,
): Result<ContentReading> => {
  const parsed = parseStellarContent(content);
  if (!parsed.ok) return parsed;
  const network = networks.find((entry) => entry.network === parsed.value.network);
  if (network === undefined) {
    return fail("NetworkNotEnabled", { networks: networks.map((entry) => entry.network) });
  }
  const unsigned = hexToBytes(parsed.value.transaction);
  const decoded = decodeStellar(unsigned);
  if (!decoded.ok) return decoded;
  const read = readStellarDraft(network, unsigned, decoded.value);
  if (!read.ok) return read;
  const { signables, exclusion, deadlineMs } = read.value;
  return ok({ signables, transaction: { network: network.network, unsigned, exclusion, deadlineMs } });
};
