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
import { decodeXrpl, withXrplKey } from "./transaction.ts";

/** @returns TransactionMismatch for anything but a transfer on the XRP Ledger */
export const parseXrplTransfer = (content: FamilyContent): Result<XrplTransfer> =>
  parseAuthorised(xrplTransferSchema, content);

/** @returns TransactionMismatch for anything but a transaction of the XRP Ledger */
export const parseXrplTransaction = (content: FamilyContent): Result<XrplTransaction> =>
  parseAuthorised(xrplTransactionSchema, content);

/** @returns TransactionMismatch for anything but what keys sign for the XRP Ledger and do not send */
export const parseXrplContent = (content: FamilyContent): Result<XrplContent> =>
  parseAuthorised(xrplContentSchema, content);

/** The caller's transaction, with the key in it. */
export const bytesOfXrplTransaction = ({ unsigned, signingPubKey }: XrplTransaction): Uint8Array =>
  completed(unsigned, signingPubKey);

/** The caller's content to sign without sending, with the key in it. */
export const bytesOfXrplContent = ({ transaction, signingPubKey }: XrplContent): Uint8Array =>
  completed(transaction, signingPubKey);

const completed = (given: string, key: string | undefined): Uint8Array =>
  key === undefined ? hexToBytes(given) : withXrplKey(hexToBytes(given), hexToBytes(key));

/** The bytes that a caller built, of a transaction to send or to sign alone. */
export const givenXrplBytes = (content: FamilyContent): Uint8Array | undefined => {
  const sent = xrplTransactionSchema.safeParse(content);
  if (sent.success) return bytesOfXrplTransaction(sent.data);
  const alone = xrplContentSchema.safeParse(content);
  return alone.success ? bytesOfXrplContent(alone.data) : undefined;
};

/** The account that the bytes of a caller are of; it need not be the key's own. Undefined where they cannot be read. */
export const accountXrplBytes = (content: FamilyContent): string | undefined => {
  const given = givenXrplBytes(content);
  const decoded = given && decodeXrpl(given);
  return decoded?.ok === true ? decoded.value.from : undefined;
};
