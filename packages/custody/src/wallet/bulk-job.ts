import { CLOCKS_APART_MS_MAX } from "../clocks-apart.ts";
import type { Problem } from "../errors.ts";
import type { BulkJobId, OrganisationId, UserId } from "../identifiers.ts";
import type { Network } from "../network.ts";
import type { Requester } from "../requester.ts";

/** The most wallets that one job makes. */
export const MOST_WALLETS_OF_A_JOB = 1_000;
/** The most jobs of an organisation that have not ended. */
export const MOST_OPEN_BULK_JOBS = 10;
/** The most jobs among them that are of end users, of whom each has one. */
const MOST_OPEN_BULK_JOBS_OF_END_USERS = 5;

/** The jobs of an organisation that have not ended. */
export interface OpenBulkJobs {
  readonly all: number;
  readonly ofEndUsers: number;
  /** of the end user who asks for another one; 0 where none does */
  readonly own: number;
}

/**
 * Whether there is room for another job.
 * @returns the number of jobs that the requester, all end users or the organisation may have and has; undefined with room
 */
export const fullOfBulkJobs = (
  { all, ofEndUsers, own }: OpenBulkJobs,
  { delegatedTo }: Pick<BulkJob, "delegatedTo">,
): number | undefined => {
  if (all >= MOST_OPEN_BULK_JOBS) return MOST_OPEN_BULK_JOBS;
  if (delegatedTo === undefined) return undefined;
  if (own > 0) return 1;
  return ofEndUsers >= MOST_OPEN_BULK_JOBS_OF_END_USERS ? MOST_OPEN_BULK_JOBS_OF_END_USERS : undefined;
};

/** The most keys of a job that signers make at a time, so that other requests find their turns. */
export const WALLETS_IN_FLIGHT = 4;

/**
 * Pauses before wallets that were not made are begun again, in milliseconds: their number is that of the retries, after
 * which the job ends. A signer that is restarted is back within them.
 */
export const BULK_RETRY_AFTER_MS: readonly number[] = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];
/**
 * A retry that is further ahead than this was dated before the clock was set back, and is due. Another gateway, whose clock
 * is as far from the database's as this one's, may have dated it.
 */
export const LONGEST_BULK_RETRY_MS = Math.max(...BULK_RETRY_AFTER_MS) + 2 * CLOCKS_APART_MS_MAX;

export const BULK_JOB_STATUSES = [
  "Pending",
  "InProgress",
  "Completed",
  "PartiallyCompleted",
  "Failed",
] as const;
export type BulkJobStatus = (typeof BULK_JOB_STATUSES)[number];

/** A request for many wallets. They are numbered from 1 on, and each has a key of its own. */
export interface BulkJob {
  readonly id: BulkJobId;
  readonly orgId: OrganisationId;
  readonly status: BulkJobStatus;
  readonly network: Network;
  /** the name of a wallet is this and the wallet's number */
  readonly namePrefix: string;
  readonly tags: readonly string[];
  readonly requester: Requester;
  /** the end user who asked, to whom the wallets belong; undefined for those of the organisation */
  readonly delegatedTo: UserId | undefined;
  readonly totalCount: number;
  /** how many are made */
  readonly completedCount: number;
  /** why some were not made */
  readonly reason: string | undefined;
  /** how often wallets that were not made were begun again, since the last time that all could be made */
  readonly retries: number;
  /** ISO 8601 UTC; only while the job waits for a retry */
  readonly nextRetryDate: string | undefined;
  readonly dateCreated: string;
  readonly dateUpdated: string;
  readonly dateCompleted: string | undefined;
}

/** Whether no wallet of the job will be made any more. */
export const hasJobEnded = ({ status }: Pick<BulkJob, "status">): boolean =>
  status !== "Pending" && status !== "InProgress";

/** A wallet that was begun and not made. */
export interface UnmadeWallet {
  readonly number: number;
  readonly problem: Problem;
}

/** The wallets of a job that were begun: those with the numbers from 1 to the sum of all. */
export interface BulkTally {
  readonly creating: number;
  readonly made: number;
  readonly failed: readonly UnmadeWallet[];
}

/** The next step of a job. */
export interface BulkDecision {
  readonly job: BulkJob;
  /** the numbers of the wallets to begin now */
  readonly begin: readonly number[];
}

/** The facts that a step depends on. */
export interface BulkFacts {
  readonly tally: BulkTally;
  /** why the requester may make no wallets any more; undefined while it may */
  readonly lostRight: string | undefined;
  /** ISO 8601 UTC */
  readonly date: string;
}

const REASON_LENGTH = 1_000;

const unmade = (job: BulkJob, why: string): string => {
  const count = job.totalCount - job.completedCount;
  return `${count} of ${job.totalCount} wallets were not made: ${why}`.slice(0, REASON_LENGTH);
};

const ended = (job: BulkJob, why: string, date: string): BulkDecision => ({
  job: {
    ...job,
    status: job.completedCount === 0 ? "Failed" : "PartiallyCompleted",
    reason: unmade(job, why),
    nextRetryDate: undefined,
    dateCompleted: date,
  },
  begin: [],
});

/** Wallets that failed once more: the job waits for the next retry, or ends after the last one. */
const afterFailure = (job: BulkJob, why: string, date: string): BulkDecision => {
  const pauseMs = BULK_RETRY_AFTER_MS[job.retries];
  if (pauseMs === undefined) return ended(job, why, date);
  const nextRetryDate = new Date(Date.parse(date) + pauseMs).toISOString();
  return { job: { ...job, reason: unmade(job, why), nextRetryDate }, begin: [] };
};

const withFailed = (
  job: BulkJob,
  [first, ...others]: readonly UnmadeWallet[],
  date: string,
): BulkDecision => {
  if (first === undefined) return { job, begin: [] };
  if (job.nextRetryDate === undefined) return afterFailure(job, first.problem.message, date);
  const untilMs = Date.parse(job.nextRetryDate) - Date.parse(date);
  if (untilMs > 0 && untilMs <= LONGEST_BULK_RETRY_MS) return { job, begin: [] };
  const again = [first, ...others].slice(0, WALLETS_IN_FLIGHT).map(({ number }) => number);
  return { job: { ...job, retries: job.retries + 1, nextRetryDate: undefined }, begin: again };
};

/**
 * Decides the next step of a job: it begins as many wallets as may be in flight. Once one fails, it waits for those in
 * flight, then begins the failed ones again after a pause, and no others until all of these are made. It ends when all
 * wallets are made, after the last retry, or when its requester has lost the right; then the wallets in flight are
 * finished first.
 * @returns the same job if nothing changed
 */
export const decideBulkJob = (before: BulkJob, { tally, lostRight, date }: BulkFacts): BulkDecision => {
  if (hasJobEnded(before)) return { job: before, begin: [] };
  const { creating, made, failed } = tally;
  const job: BulkJob =
    made === before.completedCount && before.status === "InProgress"
      ? before
      : { ...before, status: "InProgress", completedCount: made };
  if (made === job.totalCount)
    return { job: { ...job, status: "Completed", reason: undefined, dateCompleted: date }, begin: [] };
  if (creating > 0 && (failed.length > 0 || job.retries > 0 || lostRight !== undefined)) {
    return { job, begin: [] };
  }
  if (lostRight !== undefined) return ended(job, lostRight, date);
  if (failed.length > 0) return withFailed(job, failed, date);
  const begun = creating + made;
  const free = Math.min(WALLETS_IN_FLIGHT - creating, job.totalCount - begun);
  const begin = Array.from({ length: Math.max(0, free) }, (_, at) => begun + 1 + at);
  return { job: job.retries === 0 ? job : { ...job, retries: 0, reason: undefined }, begin };
};
