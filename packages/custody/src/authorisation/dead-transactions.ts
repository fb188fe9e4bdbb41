import { z } from "zod";
import { signatureIdSchema, transactionIdSchema, transferIdSchema } from "../identifiers.ts";
import { namedClusterSchema } from "./named-cluster.ts";

/** The largest number of transactions that one statement names, all of one request. */
export const DEAD_TRANSACTIONS_MAX = 64;

/**
 * States which transactions of a request can no longer land. The gateway reads the chain itself, at final
 * depth, and signs this with the authority key; signers accept no other source (INV-4). A signer that signed
 * one of these transactions also waits until that transaction's deadline, if it has one, has passed on the
 * signer's own clock.
 */
export const deadTransactionsSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("dead-transactions"),
  requestId: z.union([transferIdSchema, transactionIdSchema, signatureIdSchema]),
  network: z.string(),
  cluster: namedClusterSchema,
  /** SHA-256 of the unsigned bytes of each transaction, lower-case hex */
  transactions: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .min(1)
    .max(DEAD_TRANSACTIONS_MAX),
  /** when the gateway read the chain, ISO 8601 UTC */
  dateRequested: z.string(),
});
export type DeadTransactions = z.infer<typeof deadTransactionsSchema>;
