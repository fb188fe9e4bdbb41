import {
  type FamilyContent,
  type Result,
  type XrplContent,
  type XrplTransaction,
  type XrplTransfer,
  xrplContentSchema,
  xrplTransactionSchema,
  xrplTransferSchema,
} from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { parseAuthorised } from "../mismatch.ts";

/** @returns TransactionMismatch for anything but a transfer on the XRP Ledger */
export const parseXrplTransfer = (content: FamilyContent): Result<XrplTransfer> =>
  parseAuthorised(xrplTransferSchema, content);

/** @returns TransactionMismatch for anything but a transaction of the XRP Ledger */
export const parseXrplTransaction = (content: FamilyContent): Result<XrplTransaction> =>
  parseAuthorised(xrplTransactionSchema, content);

/** @returns TransactionMismatch for anything but what keys sign for the XRP Ledger and do not send */
export const parseXrplContent = (content: FamilyContent): Result<XrplContent> =>
  parseAuthorised(xrplContentSchema, content);

/** The bytes that a caller built, of a transaction to send or to sign alone. */
export const givenXrplBytes = (content: FamilyContent): Uint8Array | undefined => {
  const sent = xrplTransactionSchema.safeParse(content);
  if (sent.success) return hexToBytes(sent.data.unsigned);
  const alone = xrplContentSchema.safeParse(content);
  return alone.success ? hexToBytes(alone.data.transaction) : undefined;
};
