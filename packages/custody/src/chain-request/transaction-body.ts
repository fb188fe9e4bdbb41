import { z } from "zod";
import { evmFeeLevelsSchema } from "../families/fee-levels.ts";
import { hexadecimal } from "./hexadecimal.ts";
import { UNSIGNED_BYTES_MAX } from "./reading.ts";
import { requestExternalId } from "./transfer-fields.ts";

/** A PSBT, in bytes, as a caller sends it and as it stands authorised: room for a previous transaction of 100 kB, the largest standard one. */
export const PSBT_BYTES_MAX: number = 192 * 1024;

/** Satoshis a virtual byte, whole: a request that names more than anybody pays bounds nothing. */
export const FEE_RATE: RegExp = /^[1-9][0-9]{0,5}$/;

/** A transaction of a caller's making on a network of Bitcoin, as a PSBT (wire interface, section F.5). */
const psbtBodySchema = z.strictObject({
  kind: z.literal("Psbt"),
  psbt: hexadecimal(PSBT_BYTES_MAX),
  externalId: requestExternalId,
});

/** Gathers coins of a wallet into one, which comes back to it. */
const consolidateBodySchema = z.strictObject({
  kind: z.literal("Consolidate"),
  /** satoshis: the most that it may cost; without it the network's cap */
  maxFee: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/, "is not a number of satoshis, as digits")
    .optional(),
  /** satoshis a virtual byte: the most that it may pay, and it takes no coin that holds less than that costs; without it, what the market asks */
  maxFeeRate: z
    .string()
    .regex(FEE_RATE, "is not a whole number of satoshis a virtual byte, as digits")
    .optional(),
  externalId: requestExternalId,
});

const TEXT_LENGTH = 256;
/** Call data or init code, in bytes: init code has 49152 at most (EIP-3860), and signers read no more than this. */
export const CALL_DATA_BYTES_MAX: number = 56 * 1024;

/** An integer of at most 256 bits as clients write it: decimal digits, or hexadecimal ones after 0x. */
const integer = z.string().regex(/^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/, "is not an integer");

const call = {
  /** absent or empty, with data: a contract is deployed */
  to: z.string().max(TEXT_LENGTH).optional(),
  /** wei */
  value: integer.optional(),
  data: hexadecimal(CALL_DATA_BYTES_MAX).optional(),
  nonce: z.union([z.int().min(0), integer]).optional(),
  gasLimit: integer.optional(),
  externalId: requestExternalId,
};

/** The templates of transactions on EVM networks (wire interface, section F.5). */
const evmTemplateSchemas = [
  z.strictObject({ kind: z.literal("Evm"), ...call }),
  z.strictObject({
    kind: z.literal("Eip1559"),
    ...call,
    maxFeePerGas: integer.optional(),
    maxPriorityFeePerGas: integer.optional(),
  }),
  z.strictObject({ kind: z.literal("EvmLegacy"), ...call, gasPrice: integer.optional() }),
] as const;

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
