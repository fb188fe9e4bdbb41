import {
  type ActiveWallet,
  type ArchivedWallet,
  type BulkJob,
  type BulkJobId,
  type BulkJobStatus,
  fail,
  hasJobEnded,
  ok,
  type Result,
} from "@conclave/custody";
import {
  type Connection,
  type Listed,
  listBulkJobs,
  listBulkWallets,
  type Page,
  readBulkJob,
} from "@conclave/platform";
import { isShownTo } from "../people/viewer.ts";
import type { WalletViewer } from "../wallet/visible-wallet.ts";

/**
 * The job, if the caller may see it. A job of another organisation, one that does not exist and, for an end user, one of
 * another owner give the same answer (INV-11).
 */
export const visibleBulkJob = async (
  connection: Connection,
  caller: WalletViewer,
  jobId: BulkJobId,
): Promise<Result<BulkJob>> => {
  const job = await readBulkJob(connection, jobId);
  return job !== undefined && job.orgId === caller.orgId && isShownTo(caller, job)
    ? ok(job)
    : fail("WalletJobNotFound", { jobId, orgId: caller.orgId });
};

/** One page of the jobs that the caller may see, newest first. */
export const listVisibleBulkJobs = (
  connection: Connection,
  { orgId, userId, isEndUser }: WalletViewer,
  status: BulkJobStatus | undefined,
  page: Page,
): Promise<Listed<BulkJob>> =>
  listBulkJobs(connection, { orgId, ownerId: isEndUser === true ? userId : undefined, status }, page);

/**
 * A job whose wallets can be listed.
 * @returns WalletJobNotFound; WalletJobUnfinished while wallets of it may still be made
 */
export const endedBulkJob = async (
  connection: Connection,
  caller: WalletViewer,
  jobId: BulkJobId,
): Promise<Result<BulkJob>> => {
  const job = await visibleBulkJob(connection, caller, jobId);
  if (!job.ok || hasJobEnded(job.value)) return job;
  return fail("WalletJobUnfinished", { jobId, status: job.value.status });
};

/** One page of the wallets that a job made, by ascending id. */
export const listWalletsOfBulkJob = (
  connection: Connection,
  { id }: Pick<BulkJob, "id">,
  page: Page,
): Promise<Listed<ActiveWallet | ArchivedWallet>> => listBulkWallets(connection, id, page);
