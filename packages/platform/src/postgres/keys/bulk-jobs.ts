import {
  BULK_JOB_STATUSES,
  type BulkJob,
  type BulkJobId,
  type BulkJobStatus,
  bulkJobIdSchema,
  networkSchema,
  type OpenBulkJobs,
  type OrganisationId,
  organisationIdSchema,
  requesterSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { selectionOf } from "../table/selection.ts";
import { plainTable } from "../table/table.ts";

const jobs = plainTable(
  "bulk_wallet_jobs",
  {
    id: bulkJobIdSchema,
    orgId: organisationIdSchema,
    status: z.enum(BULK_JOB_STATUSES),
    network: networkSchema,
    namePrefix: z.string(),
    tags: z.array(z.string()),
    requester: requesterSchema,
    delegatedTo: optional(userIdSchema),
    totalCount: z.int(),
    completedCount: z.int(),
    reason: optional(z.string()),
    retries: z.int(),
    nextRetryDate: optional(date),
    dateCreated: date,
    dateUpdated: date,
    dateCompleted: optional(date),
  },
  {
    changing: [
      "status",
      "completedCount",
      "reason",
      "retries",
      "nextRetryDate",
      "dateUpdated",
      "dateCompleted",
    ],
  },
);
const { columns: j } = jobs;
const IS_OPEN = `${j.dateCompleted} is null`;

/** Makes other requests for jobs of the organisation wait until the transaction ends. */
export const lockBulkJobs = async (connection: Connection, orgId: OrganisationId): Promise<void> => {
  await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `wallet jobs of ${orgId}`,
  ]);
};

const openSchema = z.object({ all: z.int(), ofEndUsers: z.int(), own: z.int() });

/** Counts an organisation's jobs that have not ended. @param ownerId the end user whose own are counted too */
export const countOpenBulkJobs = async (
  connection: Connection,
  orgId: OrganisationId,
  ownerId: UserId | undefined,
): Promise<OpenBulkJobs> => {
  const [found] = await connection.rows(
    openSchema,
    `select count(*)::int as "all", count(${j.delegatedTo})::int as "ofEndUsers",
       (count(*) filter (where ${j.delegatedTo} = $2))::int as own
     from bulk_wallet_jobs where ${j.orgId} = $1 and ${IS_OPEN}`,
    [orgId, ownerId ?? null],
  );
  return found ?? { all: 0, ofEndUsers: 0, own: 0 };
};

export const insertBulkJob = async (connection: Connection, job: BulkJob): Promise<void> => {
  await jobs.insert(connection, job);
};

/** Writes the columns of a job that can change. */
export const updateBulkJob = async (connection: Connection, job: BulkJob): Promise<void> => {
  if (!(await jobs.update(connection, job))) throw new Error(`${job.id} is not there to be updated`);
};

export const readBulkJob = (connection: Connection, id: BulkJobId): Promise<BulkJob | undefined> =>
  jobs.one(connection, { id });

/**
 * Reads an open job and locks its row until the transaction ends.
 * @returns undefined if it has ended, or another transaction has locked it
 */
export const takeBulkJob = async (connection: Connection, id: BulkJobId): Promise<BulkJob | undefined> => {
  const [taken] = await jobs.rows(connection, `where id = $1 and ${IS_OPEN} for update skip locked`, [id]);
  return taken;
};

/** Filters of a list of jobs. */
export interface WantedBulkJobs {
  readonly orgId: OrganisationId;
  /** only jobs of this end user */
  readonly ownerId: UserId | undefined;
  readonly status: BulkJobStatus | undefined;
}

/** Lists jobs of an organisation, newest first. */
export const listBulkJobs = (
  connection: Connection,
  { orgId, ownerId, status }: WantedBulkJobs,
  page: Page,
): Promise<Listed<BulkJob>> =>
  jobs.page(
    connection,
    `${j.orgId} = $1 and ($2::text is null or ${j.delegatedTo} = $2) and ($3::text is null or status = $3)`,
    [orgId, ownerId ?? null, status ?? null],
    page,
  );

const openJob = selectionOf({ id: bulkJobIdSchema, orgId: organisationIdSchema });

/** An open job, as it is found before it is taken. */
export type OpenBulkJob = Readonly<z.output<typeof openJob.row>>;

/**
 * Lists open jobs that wait for no retry: organisations' own before those of end users, then oldest first.
 * @param date now, ISO 8601 UTC
 * @param retryMs the longest pause before a retry: one that is further ahead was dated before the clock was set back
 */
export const listOpenBulkJobs = (
  connection: Connection,
  { date: now, retryMs }: { readonly date: string; readonly retryMs: number },
): Promise<Listed<OpenBulkJob>> =>
  connection.listed(
    openJob.row,
    `select ${openJob.list} from bulk_wallet_jobs
     where ${IS_OPEN} and (${j.nextRetryDate} is null or ${j.nextRetryDate} <= $1 or ${j.nextRetryDate} > $2)
     order by ${j.delegatedTo} is not null, ${j.dateCreated}, id`,
    [now, new Date(Date.parse(now) + retryMs).toISOString()],
  );
