import { type ContentReading, type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import type { ReadableSolana } from "./network.ts";
import { parseSolanaContent } from "./parse-content.ts";
import { readSolanaDraft } from "./read.ts";
import { decodeSolana } from "./transaction.ts";

/**
 * The signer's own reading of a transaction that is signed and not sent (INV-3).
 * @param networks the entries of the reader's own networks file
 * @returns NetworkNotEnabled, TransactionUnreadable or FeeAboveCap
 */
export const readSolanaContent = (
  networks: readonly ReadableSolana[],
  content: FamilyContent,
): Result<ContentReading> => {
  const parsed = parseSolanaContent(content);
  if (!parsed.ok) return parsed;
  const network = networks.find((entry) => entry.network === parsed.value.network);
  if (network === undefined) {
    return fail("NetworkNotEnabled", { networks: networks.map((entry) => entry.network) });
  }
  const unsigned = hexToBytes(parsed.value.transaction);
  const decoded = decodeSolana(unsigned);
  if (!decoded.ok) return decoded;
  const read = readSolanaDraft(network, unsigned, decoded.value);
  if (!read.ok) return read;
  const { signables, exclusion, deadlineMs } = read.value;
  return ok({
    signables,
    transaction: { network: network.network, unsigned, exclusion, deadlineMs },
    signer: decoded.value.from,
  });
};
