import { type ContentReading, type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import type { ReadableTron } from "./network.ts";
import { parseTronContent } from "./parse-content.ts";
import { readTronDraft } from "./read.ts";
import { decodeTron } from "./transaction.ts";

/**
 * The signer's own reading of a transaction that is signed and not sent (INV-3). It may be of an account that is not the key's
 * own: one whose owner handed the authority over it to the key.
 * @param networks the entries of the reader's own networks file
 * @returns NetworkNotEnabled, TransactionUnreadable, TransactionMismatch (details.field) or FeeAboveCap
 */
export const readTronContent = (
  networks: readonly ReadableTron[],
  content: FamilyContent,
): Result<ContentReading> => {
  const parsed = parseTronContent(content);
  if (!parsed.ok) return parsed;
  const network = networks.find((entry) => entry.network === parsed.value.network);
  if (network === undefined) {
    return fail("NetworkNotEnabled", { networks: networks.map((entry) => entry.network) });
  }
  const unsigned = hexToBytes(parsed.value.transaction);
  const decoded = decodeTron(unsigned);
  if (!decoded.ok) return decoded;
  const read = readTronDraft(network, unsigned, decoded.value);
  if (!read.ok) return read;
  const { signables, exclusion, deadlineMs } = read.value;
  return ok({ signables, transaction: { network: network.network, unsigned, exclusion, deadlineMs } });
};
