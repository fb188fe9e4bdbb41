import { permissionIdSchema, policyIdSchema, walletIdSchema } from "@conclave/custody";
import { freshId, listEvents } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, listOf } from "../../testing/bodies.ts";
import { approverOf, type Person, personWith } from "../../testing/people.ts";
import { ADDRESS, startWorld, type World } from "../../testing/world.ts";

const limit = {
  name: "large amounts",
  activityKind: "Wallets:Sign",
  rule: { kind: "TransactionAmountLimit", configuration: { limit: "1000", currency: "USD" } },
  action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }], autoRejectTimeout: 60 },
};

const policyOf = (body: unknown) => z.looseObject({ id: policyIdSchema, status: z.string() }).parse(body);
const changeOf = (body: unknown) => z.looseObject({ id: z.string(), approvalId: z.string() }).parse(body);

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const stranger = () => ({ authorization: `Bearer ${world.strangersToken}` });
const create = async (body: unknown = limit) =>
  policyOf((await world.call("POST", "/v2/policies", body)).body);
const policies = async (): Promise<number> => {
  const [row] = await world.database.rows(
    z.object({ n: z.int() }),
    "select count(*)::int as n from policies",
  );
  return row?.n ?? 0;
};

describe("POST /v2/policies", () => {
  it.each([
    ["with a limit in text", limit],
    [
      "with a limit in figures",
      { ...limit, rule: { ...limit.rule, configuration: { limit: 1000.5, currency: "EUR" } } },
    ],
    [
      "on sums",
      {
        ...limit,
        rule: {
          kind: "TransactionAmountVelocity",
          configuration: { limit: 1, currency: "USD", timeframe: 43_200 },
        },
      },
    ],
    [
      "on counts",
      { ...limit, rule: { kind: "TransactionCountVelocity", configuration: { limit: 3, timeframe: 1 } } },
    ],
    [
      "on recipients that blocks, with filters",
      {
        ...limit,
        rule: { kind: "TransactionRecipientWhitelist", configuration: { addresses: [ADDRESS] } },
        action: { kind: "Block" },
        filters: { walletTags: { hasAny: ["hot"], hasAll: [] } },
      },
    ],
    [
      "that only observes",
      { ...limit, rule: { kind: "AlwaysTrigger", configuration: {} }, action: { kind: "NoAction" } },
    ],
    ["on assignments", { ...limit, activityKind: "Permissions:Assign", rule: { kind: "AlwaysTrigger" } }],
  ])("answers the policy %s as it was sent", async (_, body) => {
    const { status, body: policy } = await world.call("POST", "/v2/policies", body);
    expect(status).toBe(200);
    expect(policy).toEqual({
      id: expect.stringMatching(/^plc-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      status: "Active",
      filters: {},
      ...body,
      dateCreated: expect.stringMatching(/Z$/),
      dateUpdated: expect.stringMatching(/Z$/),
    });
    expect((await world.call("GET", `/v2/policies/${policyOf(policy).id}`)).body).toEqual(policy);
    await world.call("DELETE", `/v2/policies/${policyOf(policy).id}`, {});
  });

  const group = { quorum: 1, approvers: {} };
  const asks = (change: Readonly<Record<string, unknown>>) => ({
    ...limit,
    action: { kind: "RequestApproval", approvalGroups: [{ ...group, ...change }] },
  });
  const rule = (kind: string, configuration: unknown) => ({ ...limit, rule: { kind, configuration } });
  it.each([
    ["without a name", { ...limit, name: undefined }, "InvalidBody"],
    ["with an empty name", { ...limit, name: "" }, "InvalidBody"],
    ["with half a surrogate pair in its name", { ...limit, name: "\ud800" }, "InvalidBody"],
    ["on an activity that nobody knows", { ...limit, activityKind: "Wallets:Paint" }, "InvalidBody"],
    [
      "on incoming transactions, which nothing here watches",
      { ...limit, activityKind: "Wallets:IncomingTransaction" },
      "InvalidBody",
    ],
    [
      "with a rule that an outside vendor would judge",
      rule("ChainalysisTransactionPrescreening", {}),
      "InvalidBody",
    ],
    ["with a negative limit", rule("TransactionAmountLimit", { limit: -1, currency: "USD" }), "InvalidBody"],
    [
      "with a limit in words",
      rule("TransactionAmountLimit", { limit: "much", currency: "USD" }),
      "InvalidBody",
    ],
    [
      "with a limit in scientific notation",
      rule("TransactionAmountLimit", { limit: "1e3", currency: "USD" }),
      "InvalidBody",
    ],
    [
      "with a limit beyond all money",
      rule("TransactionAmountLimit", { limit: 1e15, currency: "USD" }),
      "InvalidBody",
    ],
    [
      "in a currency without prices",
      rule("TransactionAmountLimit", { limit: 1, currency: "CHF" }),
      "InvalidBody",
    ],
    ["over no time", rule("TransactionCountVelocity", { limit: 1, timeframe: 0 }), "InvalidBody"],
    [
      "over more than 30 days",
      rule("TransactionCountVelocity", { limit: 1, timeframe: 43_201 }),
      "InvalidBody",
    ],
    [
      "with half a request for a limit",
      rule("TransactionCountVelocity", { limit: 1.5, timeframe: 1 }),
      "InvalidBody",
    ],
    ["without addresses", rule("TransactionRecipientWhitelist", {}), "InvalidBody"],
    ["without groups", { ...limit, action: { kind: "RequestApproval", approvalGroups: [] } }, "InvalidBody"],
    ["with a quorum of nobody", asks({ quorum: 0 }), "InvalidBody"],
    [
      "with a quorum that cannot be reached",
      asks({ quorum: 2, approvers: { userId: { in: [freshUser()] } } }),
      "InvalidBody",
    ],
    ["with approvers that are no ids", asks({ approvers: { userId: { in: ["me"] } } }), "InvalidBody"],
    [
      "with approvers that nobody knows",
      asks({ approvers: { userId: { in: [freshUser()] } } }),
      "ApproverUnknown",
    ],
    [
      "with a timeout of no time",
      { ...limit, action: { ...limit.action, autoRejectTimeout: 0 } },
      "InvalidBody",
    ],
    [
      "that blocks changes of policies, for good",
      {
        ...limit,
        activityKind: "Policies:Modify",
        rule: { kind: "AlwaysTrigger" },
        action: { kind: "Block" },
      },
      "InvalidBody",
    ],
    ["with filters of another activity", { ...limit, filters: { policyId: { in: [] } } }, "InvalidBody"],
    ["with an unknown field", { ...limit, colour: "red" }, "InvalidBody"],
    ["that is null", "null", "InvalidBody"],
    ["that is not JSON", "{", "InvalidJson"],
  ])("INV-9 refuses a policy %s, and writes nothing", async (_, body, code) => {
    const before = await policies();
    const { status, body: answer } = await world.call("POST", "/v2/policies", body);
    expect([status, errorOf(answer).details.code, (await policies()) - before]).toEqual([400, code, 0]);
  });

  const idOf = (body: unknown) => z.looseObject({ id: z.string() }).parse(body).id;
  const made = {
    walletId: async () => idOf((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body),
    policyId: async () => (await create()).id,
    permissionId: async () => {
      const name = freshId(permissionIdSchema, "pm");
      return idOf((await world.call("POST", "/permissions", { name, operations: [] })).body);
    },
  };
  it.each([
    ["Wallets:Sign", "walletId", freshId(walletIdSchema, "wa")],
    ["Policies:Modify", "policyId", freshId(policyIdSchema, "plc")],
    ["Permissions:Assign", "permissionId", freshId(permissionIdSchema, "pm")],
    ["Permissions:Modify", "permissionId", freshId(permissionIdSchema, "pm")],
  ] as const)(
    "row 16: refuses a filter of %s by a %s that is not there",
    async (activityKind, kind, unknown) => {
      const own = await made[kind]();
      const rule = { kind: "AlwaysTrigger" };
      const body = (id: string) => ({ ...limit, activityKind, rule, filters: { [kind]: { in: [own, id] } } });
      const { id } = await create(body(own));
      const before = await policies();
      const refused = [
        await world.call("POST", "/v2/policies", body(unknown)),
        await world.call("PUT", `/v2/policies/${id}`, body(unknown)),
        // a resource of another organisation counts as unknown, too (INV-11)
        await world.call("POST", "/v2/policies", body(own), stranger()),
      ];
      for (const { status, body: answer } of refused) {
        const details = { code: "FilterUnknown", field: `filters.${kind}` };
        expect([status, errorOf(answer).details]).toMatchObject([400, details]);
      }
      expect((await policies()) - before).toBe(0);
      expect((await world.call("GET", `/v2/policies/${id}`)).body).toMatchObject(body(own));
      await world.database.execute("update policies set status = 'Archived' where id = $1", [id]);
    },
  );

  it("INV-11 takes no approver of another organisation", async () => {
    const theirs = await world.call(
      "POST",
      "/v2/policies",
      asks({ approvers: { userId: { in: [world.caller.userId] } } }),
      stranger(),
    );
    expect([theirs.status, errorOf(theirs.body).details.code]).toEqual([400, "ApproverUnknown"]);
  });
});

function freshUser(): string {
  return `us-aaaaa-bbbbb-${"c".repeat(16)}`;
}

describe("the policies of an organisation", () => {
  it("are listed newest first, in pages, by status", async () => {
    const made = [await create(), await create(), await create()];
    await world.call("DELETE", `/v2/policies/${made[1]?.id}`, {});
    const ids = async (query: string) => listOf((await world.call("GET", `/v2/policies?${query}`)).body);
    const first = await ids("limit=2&status=Active");
    expect(first.items.map(({ id }) => id)).toEqual([made[2]?.id, made[0]?.id]);
    expect((await ids("limit=1&status=Archived")).items.map(({ id }) => id)).toEqual([made[1]?.id]);
    const next = await ids(`limit=2&paginationToken=${(await ids("limit=2")).nextPageToken}`);
    expect(next.items[0]?.id).toBe(made[0]?.id);
    for (const { id } of made) await world.call("DELETE", `/v2/policies/${id}`, {});
  });

  it("INV-11 are hidden from another organisation, which gets the answer for a policy that does not exist", async () => {
    const { id } = await create();
    const unknown = freshId(policyIdSchema, "plc");
    const ask = async (path: string, method: string, body?: unknown) => {
      const { status, body: answer } = await world.call(method, `/v2/policies/${path}`, body, stranger());
      return [status, errorOf(answer).details.code, errorOf(answer).message];
    };
    for (const [method, body] of [
      ["GET", undefined],
      ["PUT", limit],
      ["DELETE", {}],
    ] as const) {
      expect(await ask(id, method, body)).toEqual([404, "PolicyNotFound", "policy not found"]);
      expect(await ask(id, method, body)).toEqual(await ask(unknown, method, body));
    }
    expect(listOf((await world.call("GET", "/v2/policies", undefined, stranger())).body).items).toEqual([]);
    await world.call("DELETE", `/v2/policies/${id}`, {});
  });

  it.each([
    ["GET", "/v2/policies/plc-1", 400],
    ["GET", "/v2/policies/wa-aaaaa-bbbbb-cccccccccccccccc", 400],
    ["GET", "/v2/policies?status=Sleeping", 400],
    ["GET", "/v2/policies?limit=0", 400],
    ["GET", "/v2/policies?paginationToken=x", 400],
    ["PATCH", "/v2/policies", 405],
  ])("INV-9 %s %s is answered %i", async (method, path, status) => {
    expect((await world.call(method, path)).status).toBe(status);
  });

  it("are changed as a whole, and archived for good", async () => {
    const { id } = await create();
    const path = `/v2/policies/${id}`;
    const renamed = await world.call("PUT", path, { ...limit, name: "other", action: { kind: "Block" } });
    expect([renamed.status, renamed.body]).toMatchObject([
      200,
      { id, name: "other", action: { kind: "Block" } },
    ]);
    const archived = await world.call("DELETE", path, {});
    expect([archived.status, policyOf(archived.body).status]).toEqual([200, "Archived"]);
    const again = [await world.call("PUT", path, limit), await world.call("DELETE", path, {})];
    expect(again.map(({ status, body }) => [status, errorOf(body).details.code])).toEqual([
      [409, "PolicyArchived"],
      [409, "PolicyArchived"],
    ]);
  });

  it.each([
    ["POST", "/v2/policies", limit, "Policies:Create"],
    ["GET", "/v2/policies", undefined, "Policies:Read"],
    ["PUT", `/v2/policies/${freshId(policyIdSchema, "plc")}`, limit, "Policies:Update"],
    ["DELETE", `/v2/policies/${freshId(policyIdSchema, "plc")}`, {}, "Policies:Archive"],
    ["GET", "/v2/policy-approvals", undefined, "Policies:Approvals:Read"],
  ])("%s %s takes a permission", async (method, path, body, operation) => {
    const nobody = await personWith(world, ["Wallets:Read"]);
    const { status, body: answer } = await nobody.call(method, path, body);
    expect([status, errorOf(answer).details["operation"]]).toEqual([403, operation]);
  });
});

describe("a policy on changes of policies", () => {
  let approver: Person;
  let guard: string;
  beforeAll(async () => {
    approver = await approverOf(world);
    guard = (await create({ ...limit, activityKind: "Policies:Modify", rule: { kind: "AlwaysTrigger" } })).id;
  });
  const decide = (approvalId: string, value: string) =>
    approver.call("POST", `/v2/policy-approvals/${approvalId}/decisions`, { value });
  const read = async (id: string) => (await world.call("GET", `/v2/policies/${id}`)).body;

  it("INV-8 turns an update into a request that waits: it is made once it is approved, as it was asked for", async () => {
    const { id } = await create();
    const asked = await world.call("PUT", `/v2/policies/${id}`, { ...limit, name: "changed" });
    const { id: requestId, approvalId } = changeOf(asked.body);
    expect([asked.status, asked.body]).toEqual([
      202,
      {
        id: expect.stringMatching(/^cr-/),
        kind: "Policy",
        operationKind: "Update",
        status: "Pending",
        requester: { userId: world.caller.userId, tokenId: world.caller.tokenId },
        entityId: id,
        body: expect.objectContaining({ id, name: "changed", status: "Active" }),
        approvalId,
        dateCreated: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await read(id)).toMatchObject({ name: limit.name, pendingChangeRequest: { id: requestId } });
    const decided = await decide(approvalId, "Approved");
    expect(decided.body).toMatchObject({
      status: "Approved",
      activity: { kind: "Policies:Modify", changeRequest: { id: requestId, status: "Applied" } },
    });
    expect(await read(id)).toMatchObject({ name: "changed" });
    expect(await read(id)).not.toHaveProperty("pendingChangeRequest");
  });

  it("leaves the policy as it is when the change is denied, and takes one change at a time", async () => {
    const { id } = await create();
    const asked = await world.call("DELETE", `/v2/policies/${id}`, {});
    const { approvalId } = changeOf(asked.body);
    const second = await world.call("PUT", `/v2/policies/${id}`, limit);
    expect([asked.status, second.status, errorOf(second.body).details["approvalId"]]).toEqual([
      202,
      409,
      approvalId,
    ]);
    const denied = await decide(approvalId, "Denied");
    expect(denied.body).toMatchObject({
      status: "Denied",
      activity: { changeRequest: { status: "Rejected", body: { status: "Archived" } } },
    });
    expect(await read(id)).toMatchObject({ status: "Active" });
  });

  it("row 16: with a filter guards itself all the same: nobody lifts it alone", async () => {
    const { id: guarded } = await create();
    const body = {
      ...limit,
      activityKind: "Policies:Modify",
      rule: { kind: "AlwaysTrigger" },
      filters: { policyId: { in: [guarded] } },
    };
    await world.database.execute("update policies set status = 'Archived' where id = $1", [guard]);
    const { id } = await create(body);
    try {
      const lifted = await world.call("DELETE", `/v2/policies/${id}`, {});
      expect([lifted.status, lifted.body]).toMatchObject([202, { entityId: id }]);
      await decide(changeOf(lifted.body).approvalId, "Denied");
      const emptied = await world.call("PUT", `/v2/policies/${id}`, limit);
      expect(emptied.status).toBe(202);
      await decide(changeOf(emptied.body).approvalId, "Denied");
      expect(await read(id)).toMatchObject({ status: "Active", filters: body.filters });
      const { id: free } = await create();
      expect((await world.call("DELETE", `/v2/policies/${free}`, {})).status).toBe(200);
    } finally {
      await world.database.execute("update policies set status = 'Archived' where id = $1", [id]);
      await world.database.execute("update policies set status = 'Active' where id = $1", [guard]);
    }
  });

  it("INV-6 guards itself, and tells of what it triggers on and what comes of it", async () => {
    const { approvalId } = changeOf((await world.call("DELETE", `/v2/policies/${guard}`, {})).body);
    await decide(approvalId, "Approved");
    expect(await read(guard)).toMatchObject({ status: "Archived" });
    const events = await listEvents(world.database, approvalId);
    expect(events.map(({ kind }) => kind)).toEqual(["policy.approval.pending", "policy.approval.resolved"]);
    const triggered = await world.database.rows(
      z.object({ data: z.looseObject({ policyEvaluation: z.looseObject({ id: z.string() }) }) }),
      "select data from events where kind = 'policy.triggered' and data #>> '{policyEvaluation,policy,id}' = $1 order by date desc limit 1",
      [guard],
    );
    expect(triggered[0]?.data.policyEvaluation).toMatchObject({
      id: expect.stringMatching(/^plce-/),
      triggered: true,
      policy: { id: guard },
      activity: { kind: "Policies:Modify", changeRequest: { entityId: guard, approvalId } },
    });
  });
});
