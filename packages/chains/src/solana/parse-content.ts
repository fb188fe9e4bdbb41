import {
  type FamilyContent,
  type Result,
  type SolanaContent,
  type SolanaTransaction,
  type SolanaTransfer,
  solanaContentSchema,
  solanaTransactionSchema,
  solanaTransferSchema,
} from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { parseAuthorised } from "../mismatch.ts";

/** @returns TransactionMismatch for anything but a Solana transfer */
export const parseSolanaTransfer = (content: FamilyContent): Result<SolanaTransfer> =>
  parseAuthorised(solanaTransferSchema, content);

/** @returns TransactionMismatch for anything but a Solana transaction */
export const parseSolanaTransaction = (content: FamilyContent): Result<SolanaTransaction> =>
  parseAuthorised(solanaTransactionSchema, content);

/** @returns TransactionMismatch for anything but what Ed25519 keys sign for Solana and do not send */
export const parseSolanaContent = (content: FamilyContent): Result<SolanaContent> =>
  parseAuthorised(solanaContentSchema, content);

/** The bytes that a caller built, of a transaction to send or to sign alone. */
export const givenSolanaBytes = (content: FamilyContent): Uint8Array | undefined => {
  const sent = solanaTransactionSchema.safeParse(content);
  if (sent.success) return hexToBytes(sent.data.unsigned);
  const alone = solanaContentSchema.safeParse(content);
  return alone.success ? hexToBytes(alone.data.transaction) : undefined;
};
