import { addressWatchIdSchema, addressWatchViewSchema, watchedMovementViewSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { walletAssetsSchema } from "./holding.ts";

export const addressWatchParams = z.object({ addressWatchId: addressWatchIdSchema });

/** A watch (Python client 1.0.4, `GetAddressWatchResponse`). */
export const addressWatchSchema = z.object(addressWatchViewSchema.shape).openapi("AddressWatch");

export const addressWatchListSchema = z.object({
  items: z.array(addressWatchSchema).readonly(),
  nextPageToken: z.string().optional(),
});

const { network, assets, netWorth } = walletAssetsSchema.shape;
export const addressWatchAssetsSchema = z
  .object({ addressWatchId: z.string(), network, assets, netWorth })
  .openapi("AddressWatchAssets");

export const addressWatchHistorySchema = z
  .object({
    items: z.array(watchedMovementViewSchema).readonly(),
    nextPageToken: z.string().optional(),
    addressWatchId: z.string(),
    network,
  })
  .openapi("AddressWatchHistory");
