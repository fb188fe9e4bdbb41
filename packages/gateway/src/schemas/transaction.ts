import { transactionIdSchema, transactionViewSchema, walletIdSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const transactionParams = z.object({
  walletId: walletIdSchema,
  transactionId: transactionIdSchema,
});

/** The Transaction of the interface. */
export const transactionSchema = z.object(transactionViewSchema.shape).openapi("Transaction");

export const transactionListSchema = z.object({
  walletId: z.string(),
  items: z.array(transactionSchema).readonly(),
  nextPageToken: z.string().optional(),
});
