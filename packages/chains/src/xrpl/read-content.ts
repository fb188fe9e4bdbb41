import { type ContentReading, type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { mustEqual, refuseMismatch } from "../mismatch.ts";
import type { ReadableXrpl } from "./network.ts";
import { bytesOfXrplContent, parseXrplContent } from "./parse-content.ts";
import { readXrplDraft, xrplChainMismatch } from "./read.ts";
import { decodeXrpl } from "./transaction.ts";

/**
 * The signer's own reading of a transaction that is signed and not sent (INV-3). It may be of an account that is not the
 * key's own: one for which the key is the regular key.
 * @param networks the entries of the reader's own networks file
 * @returns NetworkNotEnabled, TransactionUnreadable, TransactionMismatch (details.field) or FeeAboveCap
 */
export const readXrplContent = (
  networks: readonly ReadableXrpl[],
  content: FamilyContent,
): Result<ContentReading> => {
  const parsed = parseXrplContent(content);
  if (!parsed.ok) return parsed;
  const network = networks.find((entry) => entry.network === parsed.value.network);
  if (network === undefined) {
    return fail("NetworkNotEnabled", { networks: networks.map((entry) => entry.network) });
  }
  const unsigned = bytesOfXrplContent(parsed.value);
  const decoded = decodeXrpl(unsigned);
  if (!decoded.ok) return decoded;
  const key = bytesToHex(decoded.value.signingPubKey);
  const mismatch =
    xrplChainMismatch(network, decoded.value) ??
    mustEqual("signingPubKey", key, parsed.value.signingPubKey ?? key);
  if (mismatch !== undefined) return refuseMismatch(mismatch);
  const read = readXrplDraft(network, unsigned, decoded.value);
  if (!read.ok) return read;
  const { signables, exclusion, deadlineMs } = read.value;
  return ok({ signables, transaction: { network: network.network, unsigned, exclusion, deadlineMs } });
};
