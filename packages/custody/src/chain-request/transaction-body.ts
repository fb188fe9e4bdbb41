import { z } from "zod";
import { evmFeeLevelsSchema } from "../families/fee-levels.ts";
import { hexadecimal } from "./hexadecimal.ts";
import { UNSIGNED_BYTES_MAX } from "./reading.ts";
import { requestExternalId } from "./transfer-fields.ts";

/**
 * The largest PSBT, in bytes, in bodies and authorisations: room for a previous transaction of 100 kB, the
 * largest standard one.
 */
export const PSBT_BYTES_MAX: number = 192 * 1024;

/** Whole satoshis a virtual byte. A higher rate than six digits is above any real fee and would bound nothing. */
export const FEE_RATE: RegExp = /^[1-9][0-9]{0,5}$/;

/** A transaction that the caller made for a Bitcoin network, as a PSBT (wire interface, section F.5). */
const psbtBodySchema = z.strictObject({
  kind: z.literal("Psbt"),
  psbt: hexadecimal(PSBT_BYTES_MAX),
  externalId: requestExternalId,
});

/** Gathers coins of a wallet into one coin of the same wallet. */
const consolidateBodySchema = z.strictObject({
  kind: z.literal("Consolidate"),
  /** satoshis: the largest fee; absent: the network's cap */
  maxFee: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/, "is not a number of satoshis, as digits")
    .optional(),
  /**
   * satoshis a virtual byte: the largest rate; coins worth less than their own fee at this rate are left out;
   * absent: the market's rate
   */
  maxFeeRate: z
    .string()
    .regex(FEE_RATE, "is not a whole number of satoshis a virtual byte, as digits")
    .optional(),
  externalId: requestExternalId,
});

const TEXT_LENGTH = 256;
/**
 * The largest call data or init code, in bytes: init code has at most 49152 (EIP-3860); signers read no more
 * than this.
 */
export const CALL_DATA_BYTES_MAX: number = 56 * 1024;

/** An integer of at most 256 bits as clients write it: decimal digits, or hexadecimal ones after 0x. */
const integer = z.string().regex(/^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/, "is not an integer");

const call = {
  /** absent or empty, with data: deploys a contract */
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

/** The fields of a transaction that replaces another. The service sets them; clients cannot. */
const replaced = {
  /** hash of the replaced transaction */
  txHash: z.string(),
  /** signed bytes of the replaced transaction */
  signedTx: z.string(),
  /** the fee level at the time of the request: with the signed bytes it bounds the fee, even if approved hours later */
  market: evmFeeLevelsSchema.optional(),
};

/** The body that a Transaction shows: the caller's body, or the transaction that it replaces. */
export const transactionRequestBodySchema = z.union([
  transactionBodySchema,
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("SpeedUpTransaction"), ...replaced }),
    z.strictObject({ kind: z.literal("CancelTransaction"), ...replaced }),
  ]),
]);
export type TransactionRequestBody = z.infer<typeof transactionRequestBodySchema>;
