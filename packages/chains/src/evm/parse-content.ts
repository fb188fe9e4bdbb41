import {
  type EvmContent,
  type EvmTransaction,
  type EvmTransfer,
  evmContentSchema,
  evmTransactionSchema,
  evmTransferSchema,
  type FamilyContent,
  fail,
  ok,
  type Result,
} from "@conclave/custody";
import { hexToBytes } from "viem/utils";
import type { z } from "zod";

/** What stands in an act is read strictly: a field that is not known here could mean anything (INV-3). */
const parse = <Content>(schema: z.ZodType<Content>, content: FamilyContent): Result<Content> => {
  const parsed = schema.safeParse(content);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") || "content";
  return fail(
    "TransactionMismatch",
    { field },
    `What is authorised cannot be read: ${field} ${issue?.message}.`,
  );
};

/** @returns TransactionMismatch for anything but an EVM transfer */
export const parseTransfer = (content: FamilyContent): Result<EvmTransfer> =>
  parse(evmTransferSchema, content);

/** @returns TransactionMismatch for anything but an EVM transaction */
export const parseTransaction = (content: FamilyContent): Result<EvmTransaction> =>
  parse(evmTransactionSchema, content);

/** @returns TransactionMismatch for anything but what EVM keys sign and do not send */
export const parseContent = (content: FamilyContent): Result<EvmContent> => parse(evmContentSchema, content);

/** The bytes that a caller built, of a transaction to send or to sign alone. */
export const givenBytes = (content: FamilyContent): Uint8Array | undefined => {
  const sent = evmTransactionSchema.safeParse(content);
  if (sent.success) return sent.data.kind === "Exact" ? hexToBytes(`0x${sent.data.unsigned}`) : undefined;
  const alone = evmContentSchema.safeParse(content);
  return alone.success && alone.data.kind === "transaction"
    ? hexToBytes(`0x${alone.data.transaction}`)
    : undefined;
};
