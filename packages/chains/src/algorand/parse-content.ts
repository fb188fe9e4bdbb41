import {
  type AlgorandContent,
  type AlgorandTransaction,
  type AlgorandTransfer,
  algorandContentSchema,
  algorandTransactionSchema,
  algorandTransferSchema,
  type FamilyContent,
  type Result,
} from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { parseAuthorised } from "../mismatch.ts";
import { decodeAlgorand } from "./transaction.ts";

/** @returns TransactionMismatch for anything but an Algorand transfer */
export const parseAlgorandTransfer = (content: FamilyContent): Result<AlgorandTransfer> =>
  parseAuthorised(algorandTransferSchema, content);

/** @returns TransactionMismatch for anything but an Algorand transaction */
export const parseAlgorandTransaction = (content: FamilyContent): Result<AlgorandTransaction> =>
  parseAuthorised(algorandTransactionSchema, content);

/** @returns TransactionMismatch for anything but what Ed25519 keys sign for Algorand and do not send */
export const parseAlgorandContent = (content: FamilyContent): Result<AlgorandContent> =>
  parseAuthorised(algorandContentSchema, content);

/** The bytes that a caller built, of a transaction to send or to sign alone. */
export const givenAlgorandBytes = (content: FamilyContent): Uint8Array | undefined => {
  const sent = algorandTransactionSchema.safeParse(content);
  if (sent.success) return hexToBytes(sent.data.unsigned);
  const alone = algorandContentSchema.safeParse(content);
  return alone.success ? hexToBytes(alone.data.transaction) : undefined;
};

/** The account that the bytes of a caller are of; it need not be the key's own. Undefined where they cannot be read. */
export const accountAlgorandBytes = (content: FamilyContent): string | undefined => {
  const given = givenAlgorandBytes(content);
  const decoded = given && decodeAlgorand(given);
  return decoded?.ok === true ? decoded.value.from : undefined;
};
