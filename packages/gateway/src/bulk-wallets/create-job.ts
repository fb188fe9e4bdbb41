import {
  type BulkCreateBody,
  type BulkJob,
  bulkJobIdSchema,
  fail,
  fullOfBulkJobs,
  judgeKeyOptions,
  judgeNetwork,
  judgeWalletKeyFormat,
  type Need,
  type Network,
  ok,
  type Result,
} from "@conclave/custody";
import { countOpenBulkJobs, holdRights, insertBulkJob, lockBulkJobs } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { requesterOf } from "../people/requester.ts";
import type { Viewer } from "../people/viewer.ts";
import { judgeStanding } from "../permission/standing.ts";

/** The permissions for a job with these tags: those of a single wallet. */
export const needsOfBulk = (tags: readonly string[]): readonly Need[] =>
  tags.length === 0 ? ["Wallets:Create"] : ["Wallets:Create", "Wallets:Tags:Add"];

/** The dependencies of accepting a job. */
type BulkParts = Pick<Dependencies, "database" | "families" | "networks" | "now" | "world">;

/** Whether wallets of a job can be made here. @returns refusals of `judgeNetwork`, `judgeKeyOptions`, `judgeWalletKeyFormat` */
const judgeBulkBody = ({ networks, families }: BulkParts, body: BulkCreateBody): Result<Network> => {
  const network = judgeNetwork(body.network, networks);
  if (!network.ok) return network;
  const store = judgeKeyOptions({ storeId: body.keystoreId });
  if (!store.ok) return store;
  const scheme = judgeWalletKeyFormat(families, network.value, {});
  return scheme.ok ? network : scheme;
};

const newBulkJob = (
  { now, world }: BulkParts,
  caller: Viewer,
  network: Network,
  { count, name, tags }: BulkCreateBody,
): BulkJob => {
  const date = now().toISOString();
  return {
    id: world.freshId(bulkJobIdSchema, "bwj"),
    orgId: caller.orgId,
    status: "Pending",
    network,
    namePrefix: name,
    tags: [...new Set(tags)],
    requester: requesterOf(caller),
    delegatedTo: caller.isEndUser === true ? caller.userId : undefined,
    totalCount: count,
    completedCount: 0,
    reason: undefined,
    retries: 0,
    nextRetryDate: undefined,
    dateCreated: date,
    dateUpdated: date,
    dateCompleted: undefined,
  };
};

/**
 * Accepts a job that makes many wallets, which gateways then carry on (`carry-on.ts`).
 * @returns the pending job; refusals of `judgeBulkBody`; TooManyWalletJobs; PermissionMissing when the caller has lost
 * the right since the request came
 */
export const createBulkJob = async (
  parts: BulkParts,
  caller: Viewer,
  body: BulkCreateBody,
): Promise<Result<BulkJob>> => {
  const network = judgeBulkBody(parts, body);
  if (!network.ok) return network;
  const job = newBulkJob(parts, caller, network.value, body);
  return parts.database.transaction(async (connection) => {
    await holdRights(connection, job.orgId);
    const who = { orgId: job.orgId, ...job.requester };
    const standing = await judgeStanding(connection, who, "who asked for it", needsOfBulk(job.tags));
    if (!standing.ok) return standing;
    await lockBulkJobs(connection, job.orgId);
    const most = fullOfBulkJobs(await countOpenBulkJobs(connection, job.orgId, job.delegatedTo), job);
    if (most !== undefined) return fail("TooManyWalletJobs", { most });
    await insertBulkJob(connection, job);
    return ok(job);
  });
};
