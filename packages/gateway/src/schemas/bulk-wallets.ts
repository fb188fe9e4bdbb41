import { BULK_JOB_STATUSES, bulkJobIdSchema, bulkJobViewSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { pageQuerySchema } from "../http/pagination.ts";
import { walletSchema } from "./wallet.ts";

export const bulkJobParams = z.object({ jobId: bulkJobIdSchema });

/** A job (Python client 1.0.4, `GetBulkWalletJobResponse`). */
export const bulkJobSchema = z.object(bulkJobViewSchema.shape).openapi("BulkWalletJob");

/** The answer to the request for a job. */
export const bulkJobBegunSchema = bulkJobViewSchema
  .pick({ id: true, status: true })
  .openapi("BulkWalletJobBegun");

export const bulkJobListSchema = z.object({
  items: z.array(bulkJobSchema).readonly(),
  nextPageToken: z.string().optional(),
});

export const bulkJobQuerySchema = pageQuerySchema.extend({ status: z.enum(BULK_JOB_STATUSES).optional() });

export const bulkWalletListSchema = z
  .object({ items: z.array(walletSchema).readonly(), nextPageToken: z.string().optional() })
  .openapi("BulkWallets");
