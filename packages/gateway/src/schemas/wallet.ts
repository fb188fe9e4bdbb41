import { walletIdSchema, walletViewSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const walletParams = z.object({
  walletId: walletIdSchema,
});

/** The Wallet of the interface, with the additions of wire interface section G. */
export const walletSchema = z.object(walletViewSchema.shape).openapi("Wallet");

export const walletListSchema = z.object({
  items: z.array(walletSchema).readonly(),
  nextPageToken: z.string().optional(),
});

export const delegatedWalletSchema = z.object({ walletId: z.string(), status: z.enum(["Delegated"]) });

/** The empty answer of operations without a result. */
export const nothingSchema = z.object({});
