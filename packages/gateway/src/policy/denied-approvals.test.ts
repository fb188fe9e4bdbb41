import { type Database, openDatabase } from "@conclave/platform";
import { orchestratorLogin } from "@conclave/platform/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { approverOf, type Person } from "../testing/people.ts";
import { startWorld, type World } from "../testing/world.ts";

const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const payment = { kind: "Native", to: RECIPIENT, amount: "5" };
const hash = { kind: "Hash", hash: "ab".repeat(32) };
const TABLES = { transfers: "chain_requests", signatures: "signatures" } as const;
type Kind = keyof typeof TABLES;

const requestSchema = z.looseObject({ id: z.string(), status: z.string(), approvalId: z.string() });
type Waiting = z.output<typeof requestSchema> & { readonly kind: Kind; readonly path: string };

let world: World;
/** with the login of orchestrators, as a thief would have it */
let orchestrator: Database;
let alice: Person;
let bob: Person;
let walletId: string;
beforeAll(async () => {
  world = await startWorld();
  orchestrator = openDatabase({ url: await orchestratorLogin(world.databaseUrl), name: "orchestrator" });
  alice = await approverOf(world);
  bob = await approverOf(world);
});
afterAll(async () => {
  await orchestrator.close();
  await world.stop();
});
beforeEach(async () => {
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  walletId = z.looseObject({ id: z.string() }).parse(body).id;
});

/** Runs the work under one policy of the wallet, and archives the policy. */
const under = async <T>(policy: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> => {
  const { body } = await world.call("POST", "/v2/policies", {
    name: "test",
    activityKind: "Wallets:Sign",
    filters: { walletId: { in: [walletId] } },
    ...policy,
  });
  const { id } = z.looseObject({ id: z.string() }).parse(body);
  try {
    return await work();
  } finally {
    await world.call("DELETE", `/v2/policies/${id}`, {});
  }
};
const people = {
  rule: { kind: "AlwaysTrigger", configuration: {} },
  action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
};

const ask = (kind: Kind): Promise<Waiting> =>
  under(people, async () => {
    const path = `/wallets/${walletId}/${kind}`;
    const { body } = await world.call("POST", path, kind === "transfers" ? payment : hash);
    const request = requestSchema.parse(body);
    expect(request.status).toBe("Pending");
    return { ...request, kind, path: `${path}/${request.id}` };
  });
const vote = ({ approvalId }: Pick<Waiting, "approvalId">, person: Person, value: "Approved" | "Denied") =>
  person.call("POST", `/v2/policy-approvals/${approvalId}/decisions`, { value });

/** Whether a request is authorised, and whether it is due for orchestrators. */
const fateOf = async ({ id, kind }: Waiting) => {
  const [row] = await world.database.rows(
    z.object({ authorised: z.boolean(), sent: z.boolean() }),
    `select authorisation is not null as authorised,
       exists (select from due_requests d where d.id = r.id) as sent
     from ${TABLES[kind]} r where id = $1`,
    [id],
  );
  return row;
};
const NOTHING = { authorised: false, sent: false };
const DENIED_LOGIN = { code: "42501" };

/** The statements that set an approval, and the request that waits for it, back to Pending. */
const resetApproval = "update policy_approvals set status = 'Pending', date_resolved = null where id = $1";
const resetRequest = ({ kind }: Waiting) =>
  `update ${TABLES[kind]} set status = 'Pending', reason = null where id = $1`;

const resetByOrchestrator = async (request: Waiting): Promise<void> => {
  const { id, approvalId } = request;
  await expect(orchestrator.execute(resetApproval, [approvalId])).rejects.toMatchObject(DENIED_LOGIN);
  await expect(orchestrator.execute(resetRequest(request), [id])).rejects.toMatchObject(DENIED_LOGIN);
};
/** As if orchestrators had the gateway's login, so that no guard stops them. */
const resetByOwner = async (request: Waiting): Promise<void> => {
  await world.database.execute(resetApproval, [request.approvalId]);
  await world.database.execute(resetRequest(request), [request.id]);
};
const THIEVES = [
  ["by an orchestrator", resetByOrchestrator],
  ["by a login that no guard holds", resetByOwner],
] as const;

describe.each(THIEVES)("set back to Pending %s", (_, reset) => {
  it.each(["transfers", "signatures"] as const)(
    "INV-8 of the %s, one that was denied is not authorised by the second approver's vote",
    async (kind) => {
      const request = await ask(kind);
      expect((await vote(request, alice, "Denied")).status).toBe(200);
      await reset(request);
      expect(errorOf((await vote(request, bob, "Approved")).body).details.code).toBe("ApprovalSettled");
      expect(await fateOf(request)).toEqual(NOTHING);
      const { body } = await world.call("GET", `/v2/policy-approvals/${request.approvalId}`);
      expect(body).toMatchObject({ status: "Denied" });
    },
  );

  it("INV-8 a transfer that its owner aborted is not authorised by an approver's vote", async () => {
    const request = await ask("transfers");
    expect((await world.call("PUT", `${request.path}/abort`, {})).status).toBe(200);
    await reset(request);
    expect(errorOf((await vote(request, bob, "Approved")).body).details.code).toBe("ApprovalSettled");
    expect(await fateOf(request)).toEqual(NOTHING);
  });

  it("INV-8 a change of a policy that was denied is not made by the second approver's vote", async () => {
    const { body: guarded } = await world.call("POST", "/v2/policies", {
      ...people,
      name: "guarded",
      activityKind: "Wallets:Sign",
      filters: { walletId: { in: [walletId] } },
    });
    const policyId = z.looseObject({ id: z.string() }).parse(guarded).id;
    const { body: guard } = await world.call("POST", "/v2/policies", {
      ...people,
      name: "guard",
      activityKind: "Policies:Modify",
    });
    const asked = await world.call("DELETE", `/v2/policies/${policyId}`, {});
    const change = z.looseObject({ id: z.string(), approvalId: z.string() }).parse(asked.body);
    expect((await vote(change, alice, "Denied")).status).toBe(200);
    const resetChange = "update change_requests set status = 'Pending', date_resolved = null where id = $1";
    if (reset === resetByOwner) {
      await world.database.execute(resetApproval, [change.approvalId]);
      await world.database.execute(resetChange, [change.id]);
    } else {
      await expect(orchestrator.execute(resetChange, [change.id])).rejects.toMatchObject(DENIED_LOGIN);
    }
    expect(errorOf((await vote(change, bob, "Approved")).body).details.code).toBe("ApprovalSettled");
    expect((await world.call("GET", `/v2/policies/${policyId}`)).body).toMatchObject({ status: "Active" });
    const guardId = z.looseObject({ id: z.string() }).parse(guard).id;
    await world.database.execute("update policies set status = 'Archived' where id = any($1)", [
      [guardId, policyId],
    ]);
  });
});

describe("INV-8 an orchestrator's word of a transfer's end frees no velocity", () => {
  const velocity = (limit: number) => ({
    rule: { kind: "TransactionCountVelocity", configuration: { limit, timeframe: 60 } },
    action: { kind: "Block" },
  });
  const pay = async () => {
    const { body } = await world.call("POST", `/wallets/${walletId}/transfers`, payment);
    return z.looseObject({ id: z.string(), status: z.string() }).parse(body);
  };

  it("when it marks an authorised one as failed", async () => {
    const [first, second] = await under(velocity(1), async () => {
      const paid = await pay();
      const ended = await orchestrator.execute(
        "update chain_requests set status = 'Failed', reason = 'so it says', date_settled = now() where id = $1",
        [paid.id],
      );
      expect(ended).toBe(1);
      return [paid, await pay()];
    });
    expect([first?.status, second?.status]).toEqual(["Pending", "Rejected"]);
  });

  it("and one that was denied or aborted before it was authorised does not count", async () => {
    const [denied, aborted] = [await ask("transfers"), await ask("transfers")];
    await vote(denied, alice, "Denied");
    await world.call("PUT", `${aborted.path}/abort`, {});
    expect((await under(velocity(1), pay)).status).toBe("Pending");
  });
});
