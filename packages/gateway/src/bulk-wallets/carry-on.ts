import {
  type BulkJob,
  bulkWalletName,
  decideBulkJob,
  judgeWalletKeyFormat,
  LONGEST_BULK_RETRY_MS,
} from "@conclave/custody";
import {
  type Connection,
  holdRights,
  insertWallet,
  listOpenBulkJobs,
  type OpenBulkJob,
  putBulkWallet,
  readBulkTally,
  type Subscription,
  startLoop,
  takeBulkJob,
  updateBulkJob,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { insertKeyRequest } from "../key/key-request.ts";
import { newKey } from "../key/new-key.ts";
import { bulkJobEnded, bulkJobNotCarriedOn, bulkJobsNotCarriedOn } from "../log-events.ts";
import { recordedCallerOf } from "../people/requester.ts";
import { judgeStanding } from "../permission/standing.ts";
import { newWallet } from "../wallet/wallet-request.ts";
import { needsOfBulk } from "./create-job.ts";

/** The dependencies of carrying on jobs. */
export type BulkCarryingOn = Pick<
  Dependencies,
  "database" | "families" | "authority" | "threshold" | "now" | "world" | "logger"
>;

/** The pause while no job has a step. */
const IDLE_MS = 1_000;
/** The pause between steps, so that many organisations' jobs take no gateway's whole time. */
const STEP_MS = 250;

/** Carries on, until stopped, the jobs that make many wallets. Many gateways may run. */
export const startBulkWallets = (parts: BulkCarryingOn): Subscription =>
  startLoop({
    world: parts.world,
    round: async () => ((await carryOnBulkJobs(parts)) === 0 ? IDLE_MS : STEP_MS),
    onFailure: (err) => bulkJobsNotCarriedOn(parts.logger, { err }),
    pauseAfterFailureMs: IDLE_MS,
  });

/**
 * Takes one step of one job of each organisation: its oldest that waits for no retry and can be read, its own before those
 * of end users.
 * @returns the number of jobs that changed
 */
export const carryOnBulkJobs = async (parts: BulkCarryingOn): Promise<number> => {
  const date = parts.now().toISOString();
  const open = await listOpenBulkJobs(parts.database, { date, retryMs: LONGEST_BULK_RETRY_MS });
  const served = new Set<string>();
  let changed = 0;
  for (const job of open) {
    if (served.has(job.orgId)) continue;
    try {
      if (await carryOn(parts, job)) changed += 1;
      served.add(job.orgId);
    } catch (err) {
      bulkJobNotCarriedOn(parts.logger, { err, jobId: job.id });
    }
  }
  return changed;
};

/**
 * Takes one step of a job: rows, keys and wallets are written in one transaction that has locked the job's row, so that a
 * second gateway finds the step taken, and a gateway that dies leaves nothing (INV-4).
 * @returns whether anything changed; false if another gateway has the job
 */
const carryOn = async (parts: BulkCarryingOn, { id, orgId }: OpenBulkJob): Promise<boolean> => {
  const done = await parts.database.transaction(async (connection) => {
    await holdRights(connection, orgId);
    const before = await takeBulkJob(connection, id);
    if (before === undefined) return undefined;
    const date = parts.now().toISOString();
    const who = { orgId, ...before.requester };
    const standing = await judgeStanding(connection, who, "who asked for it", needsOfBulk(before.tags));
    const lostRight = standing.ok ? undefined : standing.problem.message;
    const tally = await readBulkTally(connection, id);
    const { job, begin } = decideBulkJob(before, { tally, lostRight, date });
    for (const number of begin) await beginWallet(parts, connection, job, number);
    if (job === before) return begin.length > 0 ? before : undefined;
    await updateBulkJob(connection, { ...job, dateUpdated: date });
    return job;
  });
  if (done?.dateCompleted !== undefined) {
    const { status, completedCount, totalCount } = done;
    bulkJobEnded(parts.logger, { jobId: id, status, completedCount, totalCount });
  }
  return done !== undefined;
};

/** Makes a wallet of a job and its key as POST /wallets does: stored with its authorisation, and due at the signers. */
const beginWallet = async (
  parts: BulkCarryingOn,
  connection: Connection,
  job: BulkJob,
  number: number,
): Promise<void> => {
  const { orgId, network, tags, delegatedTo } = job;
  const caller = recordedCallerOf(orgId, job.requester);
  const scheme = demand(judgeWalletKeyFormat(parts.families, network, {}));
  const key = newKey(parts, caller, scheme, { delegatedTo, isDelegable: false });
  const body = { network, name: bulkWalletName(job.namePrefix, number), tags };
  const wallet = newWallet(parts, caller, { network, keyId: key.id }, { ...body, requestBody: body });
  await insertWallet(connection, wallet);
  await insertKeyRequest(connection, key, undefined);
  await putBulkWallet(connection, job.id, number, wallet.id);
};
