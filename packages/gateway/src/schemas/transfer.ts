import { transferIdSchema, transferViewSchema, walletIdSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const transferParams = z.object({
  walletId: walletIdSchema,
  transferId: transferIdSchema,
});

/** The Transfer of the interface. */
export const transferSchema = z.object(transferViewSchema.shape).openapi("Transfer");

export const transferListSchema = z.object({
  walletId: z.string(),
  items: z.array(transferSchema).readonly(),
  nextPageToken: z.string().optional(),
});
