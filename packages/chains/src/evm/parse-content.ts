import type { FamilyContent, Result } from "@conclave/custody";
import { hexToBytes } from "viem/utils";
import { parseAuthorised } from "../mismatch.ts";
import {
  type EvmContent,
  type EvmTransaction,
  type EvmTransfer,
  evmContentSchema,
  evmTransactionSchema,
  evmTransferSchema,
} from "./rules/act.ts";

/** @returns TransactionMismatch for anything but an EVM transfer */
export const parseTransfer = (content: FamilyContent): Result<EvmTransfer> =>
  parseAuthorised(evmTransferSchema, content);

/** @returns TransactionMismatch for anything but an EVM transaction */
export const parseTransaction = (content: FamilyContent): Result<EvmTransaction> =>
  parseAuthorised(evmTransactionSchema, content);

/** @returns TransactionMismatch for anything but content that EVM keys sign and nobody sends */
export const parseContent = (content: FamilyContent): Result<EvmContent> =>
  parseAuthorised(evmContentSchema, content);

/** The bytes that a caller built, for a transaction to send or only to sign. */
export const givenBytes = (content: FamilyContent): Uint8Array | undefined => {
  const sent = evmTransactionSchema.safeParse(content);
  if (sent.success) return sent.data.kind === "Exact" ? hexToBytes(`0x${sent.data.unsigned}`) : undefined;
  const alone = evmContentSchema.safeParse(content);
  return alone.success && alone.data.kind === "transaction"
    ? hexToBytes(`0x${alone.data.transaction}`)
    : undefined;
};
