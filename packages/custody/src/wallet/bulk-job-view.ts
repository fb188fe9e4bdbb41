import { z } from "zod";
import { KEY_STORE } from "../key/key-view.ts";
import { BULK_JOB_STATUSES, type BulkJob, MOST_WALLETS_OF_A_JOB } from "./bulk-job.ts";
import { TAGS_MAX } from "./wallet.ts";

const countSchema = z.int().min(0).max(MOST_WALLETS_OF_A_JOB);

/** A job in API responses, by the members of the Python client 1.0.4 (`GetBulkWalletJobResponse`). */
export const bulkJobViewSchema = z.object({
  id: z.string(),
  orgId: z.string(),
  status: z.enum(BULK_JOB_STATUSES),
  network: z.string(),
  namePrefix: z.string(),
  tags: z.array(z.string()).max(TAGS_MAX).readonly(),
  totalCount: countSchema,
  completedCount: countSchema,
  keystoreId: z.string(),
  reason: z.string().optional(),
  nextRetryDate: z.string().optional(),
  nextRetryAttempt: z.int().optional(),
  dateCreated: z.string(),
  dateUpdated: z.string(),
  dateCompleted: z.string().optional(),
});
export type BulkJobView = z.infer<typeof bulkJobViewSchema>;

/** Shows a job. It has no master key: the signers make the key of each wallet for itself. */
export const bulkJobView = (job: BulkJob): BulkJobView => ({
  id: job.id,
  orgId: job.orgId,
  status: job.status,
  network: job.network,
  namePrefix: job.namePrefix,
  tags: job.tags,
  totalCount: job.totalCount,
  completedCount: job.completedCount,
  keystoreId: KEY_STORE.id,
  ...(job.reason === undefined ? {} : { reason: job.reason }),
  ...(job.nextRetryDate === undefined
    ? {}
    : { nextRetryDate: job.nextRetryDate, nextRetryAttempt: job.retries + 1 }),
  dateCreated: job.dateCreated,
  dateUpdated: job.dateUpdated,
  ...(job.dateCompleted === undefined ? {} : { dateCompleted: job.dateCompleted }),
});
