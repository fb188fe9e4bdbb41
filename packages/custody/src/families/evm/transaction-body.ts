import { z } from "zod";
import { isPlainText } from "../../plain-text.ts";
import { UNSIGNED_BYTES_MAX } from "../../signature/signature-body.ts";

const EXTERNAL_ID_LENGTH = 50;
const TEXT_LENGTH = 256;
/** Call data or init code, in bytes: init code has 49152 at most (EIP-3860), and signers read no more than this. */
export const CALL_DATA_BYTES_MAX: number = 56 * 1024;
const externalId = z
  .string()
  .min(1)
  .max(EXTERNAL_ID_LENGTH)
  .refine(isPlainText, {
    error: "holds characters that cannot be stored",
  })
  .optional();

/** An integer of at most 256 bits as clients write it: decimal digits, or hexadecimal ones after 0x. */
const integer = z.string().regex(/^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/, "is not an integer");

const hex = (bytesMax: number) =>
  z
    .string()
    .max(2 * bytesMax + 2)
    .regex(/^(0x)?([0-9a-fA-F]{2})*$/, "is not hexadecimal");

const call = {
  /** absent or empty, with data: a contract is deployed */
  to: z.string().max(TEXT_LENGTH).optional(),
  /** wei */
  value: integer.optional(),
  data: hex(CALL_DATA_BYTES_MAX).optional(),
  nonce: z.union([z.int().min(0), integer]).optional(),
  gasLimit: integer.optional(),
  externalId,
};

/** The body of POST /wallets/{walletId}/transactions: the templates of EVM networks (wire interface, section F.5). */
export const transactionBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("Transaction"), transaction: hex(UNSIGNED_BYTES_MAX), externalId }),
  z.strictObject({ kind: z.literal("Evm"), ...call }),
  z.strictObject({
    kind: z.literal("Eip1559"),
    ...call,
    maxFeePerGas: integer.optional(),
    maxPriorityFeePerGas: integer.optional(),
  }),
  z.strictObject({ kind: z.literal("EvmLegacy"), ...call, gasPrice: integer.optional() }),
]);
export type TransactionBody = z.infer<typeof transactionBodySchema>;

/** What stands in a transaction that replaces another: made by this service, never taken from a client. */
const replaced = {
  /** of the transaction that is replaced */
  txHash: z.string(),
  /** its signed bytes */
  signedTx: z.string(),
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
