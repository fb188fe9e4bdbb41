import type { FamilyContent, Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { parseAuthorised } from "../mismatch.ts";
import {
  type BitcoinContent,
  type BitcoinTransaction,
  type BitcoinTransfer,
  bitcoinContentSchema,
  bitcoinTransactionSchema,
  bitcoinTransferSchema,
} from "./rules/act.ts";

/** @returns TransactionMismatch for anything but a Bitcoin transfer */
export const parseBitcoinTransfer = (content: FamilyContent): Result<BitcoinTransfer> =>
  parseAuthorised(bitcoinTransferSchema, content);

/** @returns TransactionMismatch for anything but a Bitcoin transaction */
export const parseBitcoinTransaction = (content: FamilyContent): Result<BitcoinTransaction> =>
  parseAuthorised(bitcoinTransactionSchema, content);

/** @returns TransactionMismatch for anything but content that keys sign for Bitcoin and nobody sends */
export const parseBitcoinContent = (content: FamilyContent): Result<BitcoinContent> =>
  parseAuthorised(bitcoinContentSchema, content);

/** The PSBT that a caller built, to send or to sign alone. */
export const givenPsbt = (content: FamilyContent): Uint8Array | undefined => {
  const sent = bitcoinTransactionSchema.safeParse(content);
  if (sent.success) return sent.data.kind === "Exact" ? hexToBytes(sent.data.unsigned) : undefined;
  const alone = bitcoinContentSchema.safeParse(content);
  return alone.success ? hexToBytes(alone.data.psbt) : undefined;
};
