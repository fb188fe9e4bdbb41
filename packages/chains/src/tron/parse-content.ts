import {
  type FamilyContent,
  type Result,
  type TronContent,
  type TronTransaction,
  type TronTransfer,
  tronContentSchema,
  tronTransactionSchema,
  tronTransferSchema,
} from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { parseAuthorised } from "../mismatch.ts";
import { decodeTron } from "./transaction.ts";

/** @returns TransactionMismatch for anything but a transfer of TRON */
export const parseTronTransfer = (content: FamilyContent): Result<TronTransfer> =>
  parseAuthorised(tronTransferSchema, content);

/** @returns TransactionMismatch for anything but a transaction of TRON */
export const parseTronTransaction = (content: FamilyContent): Result<TronTransaction> =>
  parseAuthorised(tronTransactionSchema, content);

/** @returns TransactionMismatch for anything but what ECDSA keys sign for TRON and do not send */
export const parseTronContent = (content: FamilyContent): Result<TronContent> =>
  parseAuthorised(tronContentSchema, content);

/** The bytes that a caller built, of a transaction to send or to sign alone. */
export const givenTronBytes = (content: FamilyContent): Uint8Array | undefined => {
  const sent = tronTransactionSchema.safeParse(content);
  if (sent.success) return hexToBytes(sent.data.unsigned);
  const alone = tronContentSchema.safeParse(content);
  return alone.success ? hexToBytes(alone.data.transaction) : undefined;
};

/** The account that the bytes of a caller are of; it need not be the key's own. Undefined where they cannot be read. */
export const accountTronBytes = (content: FamilyContent): string | undefined => {
  const given = givenTronBytes(content);
  const decoded = given && decodeTron(given);
  return decoded?.ok === true ? decoded.value.contract.from : undefined;
};
