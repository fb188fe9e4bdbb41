import {
  type FamilyContent,
  type Result,
  type StellarContent,
  type StellarTransaction,
  type StellarTransfer,
  stellarContentSchema,
  stellarTransactionSchema,
  stellarTransferSchema,
} from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { parseAuthorised } from "../mismatch.ts";
import { decodeStellar } from "./transaction.ts";

/** @returns TransactionMismatch for anything but a Stellar transfer */
export const parseStellarTransfer = (content: FamilyContent): Result<StellarTransfer> =>
  parseAuthorised(stellarTransferSchema, content);

/** @returns TransactionMismatch for anything but a Stellar transaction */
export const parseStellarTransaction = (content: FamilyContent): Result<StellarTransaction> =>
  parseAuthorised(stellarTransactionSchema, content);

/** @returns TransactionMismatch for anything but what Ed25519 keys sign for Stellar and do not send */
export const parseStellarContent = (content: FamilyContent): Result<StellarContent> =>
  parseAuthorised(stellarContentSchema, content);

/** The bytes that a caller built, of a transaction to send or to sign alone. */
export const givenStellarBytes = (content: FamilyContent): Uint8Array | undefined => {
  const sent = stellarTransactionSchema.safeParse(content);
  if (sent.success) return hexToBytes(sent.data.unsigned);
  const alone = stellarContentSchema.safeParse(content);
  return alone.success ? hexToBytes(alone.data.transaction) : undefined;
};

/** The account that the bytes of a caller are of; it need not be the key's own. Undefined where they cannot be read. */
export const accountStellarBytes = (content: FamilyContent): string | undefined => {
  const given = givenStellarBytes(content);
  const decoded = given && decodeStellar(given);
  return decoded?.ok === true ? decoded.value.from : undefined;
};
