import { TRANSFER_STATUSES, transferBodySchema, transferIdSchema, walletIdSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

export const transferParams = z.object({
  walletId: walletIdSchema,
  transferId: transferIdSchema,
});

/** The Transfer of the interface, with the additions of wire interface section G. */
export const transferSchema = z
  .object({
    id: z.string(),
    walletId: z.string(),
    network: z.string(),
    requester: z.object({
      userId: z.string(),
      tokenId: z.string().optional(),
      appId: z.string().optional(),
    }),
    requestBody: transferBodySchema,
    metadata: z.object({
      asset: z.object({
        symbol: z.string().optional(),
        decimals: z.int().optional(),
        verified: z.boolean().optional(),
      }),
    }),
    status: z.enum(TRANSFER_STATUSES),
    reason: z.string().optional(),
    externalId: z.string().optional(),
    fee: z.string().optional(),
    txHash: z.string().optional(),
    dateRequested: z.string(),
    datePolicyResolved: z.string().optional(),
    dateBroadcasted: z.string().optional(),
    dateConfirmed: z.string().optional(),
  })
  .openapi("Transfer");

export const transferListSchema = z.object({
  walletId: z.string(),
  items: z.array(transferSchema).readonly(),
  nextPageToken: z.string().optional(),
});
