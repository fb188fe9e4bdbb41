import { transferBodySchema, transferIdSchema, walletIdSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { chainRequestFields } from "./chain-request.ts";

export const transferParams = z.object({
  walletId: walletIdSchema,
  transferId: transferIdSchema,
});

/** The Transfer of the interface. */
export const transferSchema = z
  .object({
    ...chainRequestFields,
    requestBody: transferBodySchema,
    metadata: z.object({
      asset: z.object({
        symbol: z.string().optional(),
        decimals: z.int().optional(),
        verified: z.boolean().optional(),
        quotes: z.record(z.string(), z.number()).readonly().optional(),
      }),
    }),
  })
  .openapi("Transfer");

export const transferListSchema = z.object({
  walletId: z.string(),
  items: z.array(transferSchema).readonly(),
  nextPageToken: z.string().optional(),
});
