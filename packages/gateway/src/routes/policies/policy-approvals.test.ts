import { verify } from "node:crypto";
import {
  approvalIdSchema,
  authorisedTransferSchema,
  type Operation,
  transferIdSchema,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { freshId, listEvents, lockWallet, readTransfer } from "@conclave/platform";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, listOf, walletOf } from "../../testing/bodies.ts";
import { administratorOf, approverOf, type Person, personWith } from "../../testing/people.ts";
import { makeClientKey } from "../../testing/signers.ts";
import { startWorld, type World } from "../../testing/world.ts";

/** not the wallet itself, as a payment to itself does not leave it */
const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const ETHER = "1000000000000000000";
const HALF_AN_ETHER = "500000000000000000";
const native = { kind: "Native", to: RECIPIENT, amount: ETHER };

const requestOf = (body: unknown) =>
  z
    .looseObject({
      id: z.string(),
      status: z.string(),
      reason: z.string().optional(),
      approvalId: approvalIdSchema.optional(),
    })
    .parse(body);

let world: World;
let initiator: Person;
let alice: Person;
let bob: Person;
let path: string;
beforeAll(async () => {
  world = await startWorld();
  initiator = administratorOf(world);
  [alice, bob] = await Promise.all([approverOf(world), approverOf(world)]);
});
afterAll(() => world.stop());
beforeEach(async () => {
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  path = `/wallets/${walletIdSchema.parse(walletOf(body).id)}`;
});

const rule = (kind: string, configuration: unknown = {}) => ({ kind, configuration });
const above = (limit: number) => rule("TransactionAmountLimit", { limit, currency: "USD" });
const group = (quorum: number, ...people: readonly Person[]) => ({
  quorum,
  approvers: people.length === 0 ? {} : { userId: { in: people.map(({ userId }) => userId) } },
});
const ask = (...approvalGroups: readonly unknown[]) => ({
  kind: "RequestApproval",
  approvalGroups,
  autoRejectTimeout: 5,
});

/** Makes a policy on the wallet of this test alone. */
const protect = async (by: unknown, action: unknown): Promise<string> => {
  const filters = { walletId: { in: [path.replace("/wallets/", "")] } };
  const policy = { name: "test", activityKind: "Wallets:Sign", rule: by, action, filters };
  const { status, body } = await world.call("POST", "/v2/policies", policy);
  expect(status).toBe(200);
  return requestOf(body).id;
};
const transfer = async (body: unknown = native) => {
  const answer = await world.call("POST", `${path}/transfers`, body);
  expect(answer.status).toBe(200);
  return requestOf(answer.body);
};
const approvalPath = (id: string | undefined) => `/v2/policy-approvals/${id}`;
const decide = async (who: Person, approvalId: string | undefined, value: string, reason?: string) => {
  const { status, body } = await who.call("POST", `${approvalPath(approvalId)}/decisions`, { value, reason });
  return status === 200 ? requestOf(body).status : [status, errorOf(body).details.code];
};
const read = async (id: string) => requestOf((await world.call("GET", `${path}/transfers/${id}`)).body);
const row = async (id: string) => {
  const found = await readTransfer(world.database, transferIdSchema.parse(id));
  if (found === undefined) throw new Error(`${id} is gone`);
  return found;
};
const requests = async (id: string) =>
  (
    await world.database.rows(
      z.object({ id: z.string() }),
      "select id from due_requests, generate_series(1, asked) where id = $1",
      [id],
    )
  ).length;
const kindsOf = async (id: string) => (await listEvents(world.database, id)).map(({ kind }) => kind);

describe("INV-8 row 16: one person is one voice:", () => {
  /** A person who makes a service account; that account may pay, or approve. */
  const makerOf = async (operations: readonly Operation[]) => {
    const approving = ["Policies:Approvals:Read", "Policies:Approvals:Approve"] as const;
    const maker = await personWith(world, ["Auth:ServiceAccounts:Create", ...approving, ...operations]);
    const permission = { name: `of-${maker.userId}`, operations: [...approving, ...operations] };
    const { id: permissionId } = idSchema.parse(
      (await initiator.call("POST", "/permissions", permission)).body,
    );
    const publicKey = makeClientKey().publicKey;
    const body = { name: "robot", publicKey, permissionId };
    const { userInfo, accessTokens } = machineSchema.parse(
      (await maker.call("POST", "/auth/service-accounts", body)).body,
    );
    const authorization = `Bearer ${accessTokens[0].accessToken}`;
    const machine: Person = {
      userId: userInfo.userId,
      call: (method, where, sent) => world.call(method, where, sent, { authorization }),
    };
    return { maker, machine, permissionId };
  };
  const idSchema = z.looseObject({ id: z.string() });
  const machineSchema = z.looseObject({
    userInfo: z.looseObject({ userId: userIdSchema }),
    accessTokens: z.tuple([z.looseObject({ accessToken: z.string() })]),
  });
  const anybody = (quorum: number) => ({ quorum, approvers: {}, serviceAccountsCanApprove: true });
  const pay = async (who: Person) =>
    requestOf((await who.call("POST", `${path}/transfers`, native)).body).approvalId;

  it("nobody approves what a service account started that they made", async () => {
    const { maker, machine } = await makerOf(["Wallets:Transfers:Create"]);
    await protect(above(1000), ask(anybody(1)));
    const approvalId = await pay(machine);
    expect(await decide(maker, approvalId, "Approved")).toEqual([403, "ApprovalNotAllowed"]);
    expect(await decide(machine, approvalId, "Approved")).toEqual([403, "ApprovalNotAllowed"]);
    expect(await decide(alice, approvalId, "Approved")).toBe("Approved");
  });

  it("nobody has a service account approve what they started, and a machine's machine is theirs too", async () => {
    const { maker, machine, permissionId } = await makerOf([
      "Wallets:Transfers:Create",
      "Auth:ServiceAccounts:Create",
    ]);
    await protect(above(1000), ask(anybody(1)));
    const approvalId = await pay(maker);
    expect(await decide(machine, approvalId, "Approved")).toEqual([403, "ApprovalNotAllowed"]);
    const made = await machine.call("POST", "/auth/service-accounts", {
      name: "robot's robot",
      publicKey: makeClientKey().publicKey,
      permissionId,
    });
    const { userInfo, accessTokens } = machineSchema.parse(made.body);
    const authorization = `Bearer ${accessTokens[0].accessToken}`;
    const second: Person = {
      userId: userInfo.userId,
      call: (method, where, sent) => world.call(method, where, sent, { authorization }),
    };
    expect(await decide(second, approvalId, "Approved")).toEqual([403, "ApprovalNotAllowed"]);
    expect(await decide(maker, approvalId, "Denied")).toBe("Denied");
  });

  it("a person and the service account that they made are one of two approvers", async () => {
    const { maker, machine } = await makerOf(["Wallets:Read"]);
    await protect(above(1000), ask(anybody(2)));
    const approvalId = await pay(initiator);
    expect(await decide(machine, approvalId, "Approved")).toBe("Pending");
    expect(await decide(maker, approvalId, "Approved")).toBe("Pending");
    expect(await decide(bob, approvalId, "Approved")).toBe("Approved");
  });

  it.each([
    ["archived", "DELETE", ""],
    ["deactivated", "PUT", "/deactivate"],
  ])("the vote of an approver who was %s since does not count", async (_, method, act) => {
    const leaver = await approverOf(world);
    await protect(above(1000), ask(group(2, leaver, alice, bob)));
    const asked = await transfer();
    expect(await decide(leaver, asked.approvalId, "Approved")).toBe("Pending");
    expect((await world.call(method, `/auth/users/${leaver.userId}${act}`, {})).status).toBe(200);
    expect(await decide(alice, asked.approvalId, "Approved")).toBe("Pending");
    expect((await row(asked.id)).authorisation).toBeUndefined();
    expect(await decide(bob, asked.approvalId, "Approved")).toBe("Approved");
    expect((await row(asked.id)).policyDecision).toMatchObject({ approvers: [alice.userId, bob.userId] });
  });
});

describe("a transfer that a policy wants approved", () => {
  it("INV-8 waits without an authorisation, and is authorised by the last approver that it needs", async () => {
    const policyId = await protect(above(1000), ask(group(2, alice, bob)));
    const asked = await transfer();
    expect(asked).toMatchObject({ status: "Pending", approvalId: expect.stringMatching(/^ap-/) });
    expect(asked).not.toHaveProperty("datePolicyResolved");
    expect([(await row(asked.id)).authorisation, await requests(asked.id)]).toEqual([undefined, 0]);
    expect(await decide(alice, asked.approvalId, "Approved")).toBe("Pending");
    expect([(await row(asked.id)).authorisation, await requests(asked.id)]).toEqual([undefined, 0]);
    expect(await decide(bob, asked.approvalId, "Approved", "fine")).toBe("Approved");
    const { authorisation, policyDecision } = await row(asked.id);
    if (authorisation === undefined) throw new Error("it is not authorised");
    expect(verify(null, authorisation.payload, world.authorityKey, authorisation.signature)).toBe(true);
    const signed = authorisedTransferSchema.parse(
      JSON.parse(Buffer.from(authorisation.payload).toString("utf8")),
    );
    expect(signed.policy).toEqual(policyDecision);
    expect(signed.policy).toMatchObject({
      outcome: "Allowed",
      policies: [policyId],
      approvalId: asked.approvalId,
      approvers: [alice.userId, bob.userId],
    });
    expect(await requests(asked.id)).toBe(1);
    expect(await world.call("GET", `${path}/transfers/${asked.id}`)).toMatchObject({
      body: {
        status: "Pending",
        approvalId: asked.approvalId,
        datePolicyResolved: expect.stringMatching(/Z$/),
      },
    });
  });

  it("INV-6 is announced, with what triggered, what waits and what came of it", async () => {
    await protect(above(1000), ask(group(1, alice)));
    const { id, approvalId = "" } = await transfer();
    await decide(alice, approvalId, "Denied", "too much");
    expect(await kindsOf(id)).toEqual(["wallet.transfer.requested", "wallet.transfer.rejected"]);
    const events = await listEvents(world.database, approvalId);
    expect(events.map(({ kind, data }) => [kind, data])).toMatchObject([
      [
        "policy.approval.pending",
        {
          approval: { id: approvalId, status: "Pending", activity: { transferRequest: { id, approvalId } } },
        },
      ],
      [
        "policy.approval.resolved",
        { approval: { status: "Denied", activity: { transferRequest: { id, status: "Rejected" } } } },
      ],
    ]);
    const [triggered] = await world.database.rows(
      z.object({ data: z.unknown() }),
      "select data from events where kind = 'policy.triggered' and data #>> '{policyEvaluation,activity,transferRequest,id}' = $1",
      [id],
    );
    expect(triggered?.data).toMatchObject({
      policyEvaluation: {
        triggered: true,
        policy: { status: "Active" },
        activity: { kind: "Wallets:Sign" },
        context: { transactionAmount: { value: 2000, currency: "USD" } },
      },
    });
  });

  it("is rejected by one denial, for good", async () => {
    await protect(above(1000), ask(group(2)));
    const { id, approvalId } = await transfer();
    expect(await decide(alice, approvalId, "Approved")).toBe("Pending");
    expect(await decide(bob, approvalId, "Denied", "too much")).toBe("Denied");
    expect(await read(id)).toMatchObject({ status: "Rejected", reason: `denied by ${bob.userId}: too much` });
    expect([(await row(id)).authorisation, await requests(id)]).toEqual([undefined, 0]);
    expect(await decide(alice, approvalId, "Approved")).toEqual([409, "ApprovalSettled"]);
  });

  it("INV-8 the initiator cannot approve it, nor a stranger to the group, nor anybody twice", async () => {
    await protect(above(1000), ask(group(1, initiator, alice), group(2, alice, bob)));
    const { id, approvalId } = await transfer();
    const carol = await approverOf(world);
    expect([
      await decide(initiator, approvalId, "Approved"),
      await decide(carol, approvalId, "Approved"),
      await decide(carol, approvalId, "Denied"),
      await decide(alice, approvalId, "Approved"),
      await decide(alice, approvalId, "Approved"),
      (await read(id)).status,
      await decide(initiator, approvalId, "Denied"),
      (await read(id)).status,
    ]).toEqual([
      [403, "ApprovalNotAllowed"],
      [403, "ApprovalNotAllowed"],
      [403, "ApprovalNotAllowed"],
      "Pending",
      [409, "ApprovalSpoken"],
      "Pending",
      "Denied",
      "Rejected",
    ]);
  });

  it("is released once by voices at the same moment", async () => {
    await protect(above(1000), ask(group(2)));
    const { id, approvalId } = await transfer();
    const people = await Promise.all([1, 2, 3, 4].map(() => approverOf(world)));
    const outcomes = await Promise.all(people.map((who) => decide(who, approvalId, "Approved")));
    expect(outcomes.filter((outcome) => outcome === "Approved")).toHaveLength(1);
    expect(await requests(id)).toBe(1);
  });

  it("stays under the policy that it met, when that one changes or is archived", async () => {
    const policyId = await protect(above(1000), ask(group(2, alice, bob)));
    const { id, approvalId } = await transfer();
    await world.call("DELETE", `/v2/policies/${policyId}`, {});
    expect(await decide(alice, approvalId, "Approved")).toBe("Pending");
    expect((await transfer()).approvalId).toBeUndefined();
    expect(await decide(bob, approvalId, "Approved")).toBe("Approved");
    expect(await requests(id)).toBe(1);
  });

  it("answers the request that waits to the same body and externalId, and asks nobody again", async () => {
    await protect(above(1000), ask(group(1)));
    const body = { ...native, externalId: `wait-${path.slice(-8)}` };
    const asked = await Promise.all([transfer(body), transfer(body), transfer(body)]);
    expect(new Set(asked.map(({ id, approvalId }) => `${id} ${approvalId}`)).size).toBe(1);
    const [count] = await world.database.rows(
      z.object({ n: z.int() }),
      "select count(*)::int as n from policy_approvals where subject_id = $1",
      [asked[0]?.id],
    );
    expect(count?.n).toBe(1);
  });
});

describe("a policy", () => {
  it("that blocks rejects at once with its reason, and nobody is asked", async () => {
    const policyId = await protect(rule("TransactionRecipientWhitelist", { addresses: [] }), {
      kind: "Block",
    });
    const blocked = await transfer();
    expect(blocked).toMatchObject({ status: "Rejected", reason: expect.stringContaining(policyId) });
    expect(blocked.approvalId).toBeUndefined();
    // both have the same date
    expect([...(await kindsOf(blocked.id))].sort()).toEqual([
      "wallet.transfer.rejected",
      "wallet.transfer.requested",
    ]);
    expect([(await row(blocked.id)).authorisation, await requests(blocked.id)]).toEqual([undefined, 0]);
  });

  it("INV-8 that only observes lets pass, and stands in the decision on record", async () => {
    const policyId = await protect(rule("AlwaysTrigger"), { kind: "NoAction" });
    const { id } = await transfer();
    expect(await row(id)).toMatchObject({ policyDecision: { outcome: "Allowed", policies: [policyId] } });
    expect(await requests(id)).toBe(1);
  });

  it("on amounts lets pass what is within its limit", async () => {
    await protect(above(2000), { kind: "Block" });
    expect((await transfer()).status).toBe("Pending");
    expect((await transfer({ ...native, amount: `${ETHER.slice(0, -1)}1` })).status).toBe("Rejected");
  });

  it("on sums lets only one of several requests at the same moment pass, also while the wallet's row is in use", async () => {
    const limit = { limit: 3000, currency: "USD", timeframe: 60 };
    await protect(rule("TransactionAmountVelocity", limit), { kind: "Block" });
    const walletId = walletIdSchema.parse(path.replace("/wallets/", ""));
    const orchestrator = () => world.database.transaction((connection) => lockWallet(connection, walletId));
    const [asked] = await Promise.all([
      Promise.all([1, 2, 3, 4].map(() => transfer())),
      Promise.all([1, 2, 3, 4].map(orchestrator)),
    ]);
    expect(asked.map(({ status }) => status).sort()).toEqual(["Pending", "Rejected", "Rejected", "Rejected"]);
    expect((await transfer({ ...native, amount: HALF_AN_ETHER })).status).toBe("Pending");
  });

  it("on counts forgets what was rejected", async () => {
    await protect(rule("TransactionCountVelocity", { limit: 2, timeframe: 60 }), ask(group(1, alice)));
    const first = [await transfer(), await transfer(), await transfer()];
    expect(first.map(({ approvalId }) => approvalId === undefined)).toEqual([true, true, false]);
    await decide(alice, first[2]?.approvalId, "Denied");
    expect((await transfer()).approvalId).toBeDefined();
  });

  it("sees a token transfer that hides in the data of a transaction, and a contract that it cannot read", async () => {
    await protect(rule("TransactionRecipientWhitelist", { addresses: [RECIPIENT] }), { kind: "Block" });
    const word = (hex: string) => hex.padStart(64, "0");
    const token = `0x${"12".repeat(20)}`;
    const call = async (to: string) => {
      const data = `0xa9059cbb${word(to.slice(2).toLowerCase())}${word("5")}`;
      const { body } = await world.call("POST", `${path}/transactions`, { kind: "Evm", to: token, data });
      return requestOf(body).status;
    };
    const unread = await world.call("POST", `${path}/transactions`, {
      kind: "Evm",
      to: token,
      data: "0xdeadbeef",
    });
    expect([await call(RECIPIENT), await call(token), requestOf(unread.body).status]).toEqual([
      "Pending",
      "Rejected",
      "Rejected",
    ]);
  });
});

describe("GET /v2/policy-approvals", () => {
  it("lists by status, initiator and approver, in pages, and reads one", async () => {
    await protect(above(1000), ask(group(1, alice)));
    const [first, second] = [await transfer(), await transfer()];
    await decide(alice, first.approvalId, "Approved");
    const ids = async (query: string) => {
      const { items } = listOf((await alice.call("GET", `/v2/policy-approvals?${query}`)).body);
      return items.map(({ id }) => id).filter((id) => id === first.approvalId || id === second.approvalId);
    };
    expect(await ids("limit=500")).toEqual([second.approvalId, first.approvalId]);
    expect(await ids("limit=500&status=Approved")).toEqual([first.approvalId]);
    expect(await ids("status=AutoApproved")).toEqual([]);
    expect(await ids(`limit=500&initiatorId=${world.caller.userId}&triggerStatus=Triggered`)).toHaveLength(2);
    expect(await ids(`limit=500&initiatorId=${alice.userId}`)).toEqual([]);
    expect(await ids(`limit=500&approverId=${alice.userId}`)).toHaveLength(2);
    expect(await ids(`limit=500&approverId=${bob.userId}`)).toEqual([]);
    const page = listOf((await alice.call("GET", "/v2/policy-approvals?limit=1")).body);
    expect([page.items.length, typeof page.nextPageToken]).toEqual([1, "string"]);
    const one = await alice.call("GET", approvalPath(first.approvalId));
    expect(one.body).toMatchObject({
      id: first.approvalId,
      initiatorId: world.caller.userId,
      status: "Approved",
      activity: { kind: "Wallets:Sign", transferRequest: { id: first.id } },
      policyEvaluations: [{ triggered: true, context: { transactionAmount: { value: 2000 } } }],
      evaluatedPolicies: [{ triggerStatus: "Triggered" }],
      decisions: [{ userId: alice.userId, value: "Approved", reason: null }],
    });
  });

  it("INV-11 hides them from another organisation, which cannot decide on them either", async () => {
    await protect(above(1000), ask(group(1)));
    const { approvalId } = await transfer();
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const unknown = freshId(approvalIdSchema, "ap");
    for (const id of [approvalId, unknown]) {
      const answers = [
        await world.call("GET", approvalPath(id), undefined, strange),
        await world.call("POST", `${approvalPath(id)}/decisions`, { value: "Approved" }, strange),
      ];
      expect(answers.map(({ status, body }) => [status, errorOf(body).details.code])).toEqual([
        [404, "ApprovalNotFound"],
        [404, "ApprovalNotFound"],
      ]);
    }
    const list = await world.call("GET", "/v2/policy-approvals", undefined, strange);
    expect(listOf(list.body).items).toEqual([]);
  });

  it.each([
    ["GET", "/v2/policy-approvals/ap-1", undefined, "InvalidParameter"],
    ["GET", "/v2/policy-approvals?status=Sleeping", undefined, "InvalidParameter"],
    ["GET", "/v2/policy-approvals?approverId=me", undefined, "InvalidParameter"],
    ["POST", "/v2/policy-approvals/ap-1/decisions", { value: "Approved" }, "InvalidParameter"],
    [
      "POST",
      approvalPath("ap-aaaaa-bbbbb-cccccccccccccccc").concat("/decisions"),
      { value: "Yes" },
      "InvalidBody",
    ],
    ["POST", approvalPath("ap-aaaaa-bbbbb-cccccccccccccccc").concat("/decisions"), {}, "InvalidBody"],
    [
      "POST",
      approvalPath("ap-aaaaa-bbbbb-cccccccccccccccc").concat("/decisions"),
      { value: "Denied", reason: "\u0000" },
      "InvalidBody",
    ],
    [
      "POST",
      approvalPath("ap-aaaaa-bbbbb-cccccccccccccccc").concat("/decisions"),
      { value: "Denied", reason: "r".repeat(1001) },
      "InvalidBody",
    ],
  ])("INV-9 %s %s with %j is answered 400", async (method, where, body, code) => {
    const { status, body: answer } = await world.call(method, where, body);
    expect([status, errorOf(answer).details.code]).toEqual([400, code]);
  });

  it("a decision takes a permission of its own", async () => {
    await protect(above(1000), ask(group(1)));
    const { approvalId } = await transfer();
    const reader = await personWith(world, ["Policies:Approvals:Read"]);
    expect(await decide(reader, approvalId, "Approved")).toEqual([403, "PermissionMissing"]);
  });
});
