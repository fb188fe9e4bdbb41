import {
  type Approval,
  type ApprovalSubject,
  approvalIdSchema,
  changeRequestIdSchema,
  type OrganisationId,
  organisationIdSchema,
  type Policy,
  policyBodySchema,
  policyIdSchema,
  type Transfer,
  userIdSchema,
} from "@conclave/custody";
import {
  type Database,
  freshId,
  insertApproval,
  insertChangeRequest,
  insertEvaluations,
  insertOrganisation,
  insertPolicy,
  listEvents,
  makeLogger,
  openDatabase,
  readApproval,
  readChangeRequest,
  readTransfer,
} from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireApprovals } from "./approvals.ts";
import { startWorld, type World } from "./testing/world.ts";

const logger = makeLogger({ name: "orchestrator", level: "silent" });
const CREATED = "2026-01-02T03:00:00.000Z";
const EXPIRES = "2026-01-02T03:05:00.000Z";
const BEFORE = "2026-01-02T03:04:59.999Z";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const initiatorId = freshId(userIdSchema, "us");

const newOrganisation = async (): Promise<OrganisationId> => {
  const id = freshId(organisationIdSchema, "or");
  await insertOrganisation(world.database, { id, name: "Acme", dateCreated: CREATED });
  return id;
};

/** An approval of five minutes, as the gateway stores it. */
const waiting = async (
  orgId: OrganisationId,
  subject: ApprovalSubject,
  expires: string | "never" = EXPIRES,
) => {
  const policy: Policy = {
    id: freshId(policyIdSchema, "plc"),
    orgId,
    status: "Active",
    body: policyBodySchema.parse({
      name: "all",
      activityKind: "Wallets:Sign",
      rule: { kind: "AlwaysTrigger" },
      action: {
        kind: "RequestApproval",
        approvalGroups: [{ quorum: 1, approvers: {} }],
        autoRejectTimeout: 5,
      },
    }),
    dateCreated: CREATED,
    dateUpdated: CREATED,
  };
  await insertPolicy(world.database, policy);
  const evaluations = [{ policyId: policy.id, triggered: true, reason: "the policy always triggers" }];
  await insertEvaluations(world.database, { orgId, id: subject.id }, evaluations, CREATED);
  const approval: Approval = {
    id: freshId(approvalIdSchema, "ap"),
    orgId,
    initiatorId,
    activityKind: "Wallets:Sign",
    subject,
    status: "Pending",
    groups: [{ policyId: policy.id, quorum: 1, approvers: {} }],
    evaluations,
    decisions: [],
    expirationDate: expires === "never" ? undefined : expires,
    dateCreated: CREATED,
    dateUpdated: CREATED,
    dateResolved: undefined,
    dateWithdrawn: undefined,
  };
  await insertApproval(world.database, approval);
  return approval;
};

const waitingChange = async () => {
  const orgId = await newOrganisation();
  const id = freshId(changeRequestIdSchema, "cr");
  const approval = await waiting(orgId, { kind: "change-request", id });
  await insertChangeRequest(world.database, {
    id,
    orgId,
    kind: "Policy",
    operationKind: "Update",
    status: "Pending",
    requester: { userId: initiatorId },
    entityId: freshId(policyIdSchema, "plc"),
    body: {},
    approvalId: approval.id,
    reason: undefined,
    dateCreated: CREATED,
    dateResolved: undefined,
  });
  return { orgId, id, approval };
};

const statusOf = async (database: Database, { orgId, id }: Approval) =>
  (await readApproval(database, orgId, id))?.status;

/** Makes an unauthorised transfer wait for an approval. */
const letWait = async ({ id }: Transfer, approval: Approval): Promise<void> => {
  await world.database.execute(
    `update chain_requests set authorisation = null, authorisation_signature = null, policy_decision = null,
       date_policy_resolved = null, approval_id = $2 where id = $1`,
    [id, approval.id],
  );
};

describe("an approval whose time is over", () => {
  it("expires at its date and not before, and the transfer that waits for it is rejected", async () => {
    const wallet = await world.wallet();
    const transfer = await world.transfer(wallet);
    const approval = await waiting(transfer.orgId, { kind: "transfer", id: transfer.id });
    await letWait(transfer, approval);
    expect(await expireApprovals(world.orchestratorDatabase, BEFORE, logger)).toBe(0);
    expect(await expireApprovals(world.orchestratorDatabase, EXPIRES, logger)).toBe(1);
    expect(await statusOf(world.database, approval)).toBe("Expired");
    const rejected = await readTransfer(world.database, transfer.id);
    expect(rejected).toMatchObject({
      status: "Rejected",
      reason: "nobody approved it in time",
      authorisation: undefined,
    });
    const resolved = await listEvents(world.database, approval.id);
    expect(resolved.map(({ kind, data }) => [kind, data])).toMatchObject([
      [
        "policy.approval.resolved",
        {
          approval: {
            status: "Expired",
            activity: { transferRequest: { id: transfer.id, status: "Rejected" } },
          },
        },
      ],
    ]);
    // the transfer is dated today, and the approval long ago
    expect((await listEvents(world.database, transfer.id)).map(({ kind }) => kind).sort()).toEqual([
      "wallet.transfer.rejected",
      "wallet.transfer.requested",
    ]);
  });

  it("expires after a restart: its date is in the row", async () => {
    const { id, approval } = await waitingChange();
    const restarted = openDatabase({ url: world.orchestratorUrl, name: "restarted" });
    try {
      expect(await expireApprovals(restarted, "2026-06-01T00:00:00.000Z", logger)).toBe(1);
      expect(await statusOf(restarted, approval)).toBe("Expired");
      expect(await readChangeRequest(restarted, id)).toMatchObject({ status: "Rejected" });
    } finally {
      await restarted.close();
    }
  });

  it("INV-6 expires once, however many orchestrators look", async () => {
    const made = await Promise.all([waitingChange(), waitingChange(), waitingChange()]);
    const expired = await Promise.all(
      [1, 2, 3].map(() => expireApprovals(world.orchestratorDatabase, EXPIRES, logger)),
    );
    expect(expired.reduce((sum, count) => sum + count, 0)).toBe(3);
    for (const { approval } of made) {
      expect(await listEvents(world.database, approval.id)).toHaveLength(1);
    }
  });

  it("does not exist where no time was set", async () => {
    const orgId = await newOrganisation();
    const subject = { kind: "change-request", id: freshId(changeRequestIdSchema, "cr") } as const;
    const approval = await waiting(orgId, subject, "never");
    expect(await expireApprovals(world.orchestratorDatabase, "9998-01-01T00:00:00.000Z", logger)).toBe(0);
    expect(await statusOf(world.database, approval)).toBe("Pending");
  });

  it("INV-5 rejects what waits when somebody wrote early that it has expired, and rejected nothing", async () => {
    const { id, approval } = await waitingChange();
    const wallet = await world.wallet();
    const transfer = await world.transfer(wallet);
    const ofTransfer = await waiting(transfer.orgId, { kind: "transfer", id: transfer.id });
    await letWait(transfer, ofTransfer);
    for (const each of [approval, ofTransfer]) {
      await world.orchestratorDatabase.execute(
        "update policy_approvals set status = 'Expired' where id = $1",
        [each.id],
      );
    }
    expect(await expireApprovals(world.orchestratorDatabase, BEFORE, logger)).toBe(2);
    expect(await readChangeRequest(world.database, id)).toMatchObject({ status: "Rejected" });
    expect(await readTransfer(world.database, transfer.id)).toMatchObject({ status: "Rejected" });
    expect((await listEvents(world.database, approval.id)).map(({ kind }) => kind)).toEqual([
      "policy.approval.resolved",
    ]);
    expect(await expireApprovals(world.orchestratorDatabase, EXPIRES, logger)).toBe(0);
  });
});
