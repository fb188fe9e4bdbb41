import { z } from "zod";
import { consolidateBodySchema, psbtBodySchema } from "../families/bitcoin/transaction-body.ts";
import { evmFeeLevelsSchema } from "../families/evm/fee-levels.ts";
import { evmTemplateSchemas } from "../families/evm/transaction-body.ts";
import { hexadecimal } from "./hexadecimal.ts";
import { UNSIGNED_BYTES_MAX } from "./reading.ts";
import { requestExternalId } from "./transfer-fields.ts";

/** The body of POST /wallets/{walletId}/transactions: bytes for any family, and the templates of each. */
export const transactionBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Transaction"),
    transaction: hexadecimal(UNSIGNED_BYTES_MAX),
    externalId: requestExternalId,
  }),
  psbtBodySchema,
  consolidateBodySchema,
  ...evmTemplateSchemas,
]);
export type TransactionBody = z.infer<typeof transactionBodySchema>;

/** The field of a transaction that replaces another: made by this service, never taken from a client. */
const replaced = {
  /** of the transaction that is replaced */
  txHash: z.string(),
  /** its signed bytes */
  signedTx: z.string(),
  /** the fee level when it was requested: with the signed bytes it bounds the fee, also of an approval hours later */
  market: evmFeeLevelsSchema.optional(),
};

/** The body that a Transaction shows: what was sent, or what it replaces. */
export const transactionRequestBodySchema = z.union([
  transactionBodySchema,
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("SpeedUpTransaction"), ...replaced }),
    z.strictObject({ kind: z.literal("CancelTransaction"), ...replaced }),
  ]),
]);
export type TransactionRequestBody = z.infer<typeof transactionRequestBodySchema>;
