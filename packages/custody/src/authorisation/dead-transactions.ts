import { z } from "zod";
import { signatureIdSchema, transactionIdSchema, transferIdSchema } from "../identifiers.ts";
import { namedClusterSchema } from "./named-cluster.ts";

/** Transactions of one request that one statement names. */
export const DEAD_TRANSACTIONS_MAX = 64;

/**
 * Which transactions of a request can no longer land. The gateway has looked at the chain for itself, at final depth,
 * and its authority key signs it: nobody else is believed (INV-4). A signer that signed one of them believes it only once
 * the deadline in that transaction has passed on its own clock as well, where the transaction holds one.
 */
export const deadTransactionsSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("dead-transactions"),
  requestId: z.union([transferIdSchema, transactionIdSchema, signatureIdSchema]),
  network: z.string(),
  cluster: namedClusterSchema,
  /** SHA-256 of the unsigned bytes of each, lower-case hex */
  transactions: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .min(1)
    .max(DEAD_TRANSACTIONS_MAX),
  /** when the gateway looked, ISO 8601 UTC */
  dateRequested: z.string(),
});
export type DeadTransactions = z.infer<typeof deadTransactionsSchema>;
