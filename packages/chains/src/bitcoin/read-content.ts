import { type ContentReading, type FamilyContent, ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { ownEntry, readingOfContent } from "../content-reading.ts";
import type { ReadableBitcoin } from "./network.ts";
import { parseBitcoinContent } from "./parse-content.ts";
import { readPsbt, scriptOf } from "./read.ts";
import { decodePsbt, isCanonicalPsbt, unreadablePsbt } from "./wire/psbt.ts";

/**
 * The signer's own reading of a PSBT that is signed and not sent (INV-3). All its coins must be paid to the key's own address.
 * @param networks the entries of the reader's own networks file
 * @returns NetworkNotEnabled, TransactionUnreadable, TransactionMismatch (details.field) or FeeAboveCap
 */
export const readBitcoinContent = (
  networks: readonly ReadableBitcoin[],
  content: FamilyContent,
): Result<ContentReading> => {
  const parsed = parseBitcoinContent(content);
  if (!parsed.ok) return parsed;
  const entry = ownEntry(networks, parsed.value.network);
  if (!entry.ok) return entry;
  const network = entry.value;
  const unsigned = hexToBytes(parsed.value.psbt);
  const psbt = decodePsbt(unsigned);
  if (!psbt.ok) return psbt;
  if (!isCanonicalPsbt(psbt.value, unsigned)) return unreadablePsbt("it is not in its one encoding");
  const own = scriptOf(network.network, "from", parsed.value.from);
  if (!own.ok) return own;
  const read = readPsbt(network, psbt.value, own.value);
  return read.ok ? ok(readingOfContent(network.network, unsigned, read.value)) : read;
};
