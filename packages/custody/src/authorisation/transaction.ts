import { z } from "zod";
import { CALL_DATA_BYTES_MAX } from "../families/evm/transaction-body.ts";
import {
  keyIdSchema,
  organisationIdSchema,
  transactionIdSchema,
  transferIdSchema,
  walletIdSchema,
} from "../identifiers.ts";
import { policyDecisionSchema } from "../policies/policy-decision.ts";
import { UNSIGNED_BYTES_MAX } from "../signature/signature-body.ts";
import { authorisedTransferSchema } from "./authorisation.ts";

/** Zero or more, of at most 256 bits. */
const amount = z.string().regex(/^(0|[1-9][0-9]{0,77})$/);
const nonce = z.int().min(0);

const bytes = (most: number) =>
  z
    .string()
    .max(2 * most)
    .regex(/^([0-9a-f]{2})*$/);

/** The fees of the caller. A kind without numbers fixes the type of the transaction and leaves the rest to the service. */
const feesSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Eip1559"),
    maxFeePerGas: amount.optional(),
    maxPriorityFeePerGas: amount.optional(),
  }),
  z.strictObject({ kind: z.literal("Legacy"), gasPrice: amount.optional() }),
]);

/** What an EVM transaction does, and what of its frame the caller fixed: a signer compares every field that stands here. */
export const evmCallSchema = z.strictObject({
  kind: z.literal("Call"),
  /** lower case; absent: a contract is deployed */
  to: z
    .string()
    .regex(/^0x[0-9a-f]{40}$/)
    .optional(),
  /** wei */
  value: amount,
  /** lower-case hex without 0x */
  data: bytes(CALL_DATA_BYTES_MAX),
  nonce: nonce.optional(),
  gasLimit: amount.optional(),
  fees: feesSchema.optional(),
});
export type EvmCall = z.infer<typeof evmCallSchema>;

/** The very bytes that a caller built, canonical, lower-case hex. */
export const exactTransactionSchema = z.strictObject({
  kind: z.literal("Exact"),
  unsigned: bytes(UNSIGNED_BYTES_MAX),
});

/**
 * A transaction that the authority authorised (INV-3, INV-8). One that replaces another carries that one's account
 * nonce: signers sign it under this nonce alone, so that only one of the two can ever land (INV-4).
 */
export const authorisedTransactionSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("transaction"),
  requestId: transactionIdSchema,
  orgId: organisationIdSchema,
  walletId: walletIdSchema,
  keyId: keyIdSchema,
  network: z.string(),
  transaction: z.discriminatedUnion("kind", [evmCallSchema, exactTransactionSchema]),
  replaces: z.strictObject({ requestId: z.union([transferIdSchema, transactionIdSchema]), nonce }).optional(),
  policy: policyDecisionSchema,
  dateRequested: z.string(),
});
export type AuthorisedTransaction = z.infer<typeof authorisedTransactionSchema>;

/** What the authority authorises to happen on a chain. */
export const authorisedActSchema = z.discriminatedUnion("kind", [
  authorisedTransferSchema,
  authorisedTransactionSchema,
]);
export type AuthorisedAct = z.infer<typeof authorisedActSchema>;
