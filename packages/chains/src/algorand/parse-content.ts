import {
  type AlgorandContent,
  type AlgorandTransaction,
  type AlgorandTransfer,
  algorandContentSchema,
  algorandTransactionSchema,
  algorandTransferSchema,
  type FamilyContent,
  fail,
  ok,
  type Result,
} from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
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

/** @returns TransactionMismatch for anything but an Algorand transfer */
export const parseAlgorandTransfer = (content: FamilyContent): Result<AlgorandTransfer> =>
  parse(algorandTransferSchema, content);

/** @returns TransactionMismatch for anything but an Algorand transaction */
export const parseAlgorandTransaction = (content: FamilyContent): Result<AlgorandTransaction> =>
  parse(algorandTransactionSchema, content);

/** @returns TransactionMismatch for anything but what Ed25519 keys sign for Algorand and do not send */
export const parseAlgorandContent = (content: FamilyContent): Result<AlgorandContent> =>
  parse(algorandContentSchema, content);

/** The bytes that a caller built, of a transaction to send or to sign alone. */
export const givenAlgorandBytes = (content: FamilyContent): Uint8Array | undefined => {
  const sent = algorandTransactionSchema.safeParse(content);
  if (sent.success) return hexToBytes(sent.data.unsigned);
  const alone = algorandContentSchema.safeParse(content);
  return alone.success ? hexToBytes(alone.data.transaction) : undefined;
};
