import { keyIdSchema } from "@conclave/custody";
import { listEvents } from "@conclave/platform";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { approverOf, type Person, personWith, userOf } from "../testing/people.ts";
import { startWorld, type World } from "../testing/world.ts";

const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const payment = { kind: "Native", to: RECIPIENT, amount: "5" };
const hash = { kind: "Hash", hash: "ab".repeat(32) };

const requestSchema = z.looseObject({ id: z.string(), status: z.string(), approvalId: z.string() });
const statusSchema = z.looseObject({ status: z.string(), reason: z.string().optional() });
type Waiting = z.output<typeof requestSchema> & { readonly path: string };

let world: World;
let alice: Person;
let wallet: { readonly id: string; readonly keyId: string };
beforeAll(async () => {
  world = await startWorld();
  alice = await approverOf(world);
  await world.call("POST", "/v2/policies", {
    name: "everything waits",
    activityKind: "Wallets:Sign",
    rule: { kind: "AlwaysTrigger", configuration: {} },
    action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
  });
});
afterAll(() => world.stop());
beforeEach(async () => {
  const { body } = await world.call("POST", "/wallets", {
    network: "EthereumSepolia",
    delayDelegation: true,
  });
  const made = z.looseObject({ id: z.string(), signingKey: z.looseObject({ id: keyIdSchema }) }).parse(body);
  wallet = { id: made.id, keyId: made.signingKey.id };
});

const ask = async (kind: "transfers" | "signatures"): Promise<Waiting> => {
  const path = `/wallets/${wallet.id}/${kind}`;
  const { body } = await world.call("POST", path, kind === "transfers" ? payment : hash);
  const request = requestSchema.parse(body);
  expect(request.status).toBe("Pending");
  return { ...request, path: `${path}/${request.id}` };
};
const approve = ({ approvalId }: Waiting) =>
  alice.call("POST", `/v2/policy-approvals/${approvalId}/decisions`, { value: "Approved" });
const isAuthorised = async ({ id }: Waiting, table: "chain_requests" | "signatures"): Promise<boolean> => {
  const [row] = await world.database.rows(
    z.object({ authorised: z.boolean() }),
    `select authorisation is not null as authorised from ${table} where id = $1`,
    [id],
  );
  return row?.authorised ?? expect.fail("no such request");
};
const tables = { transfers: "chain_requests", signatures: "signatures" } as const;

describe("an approval", () => {
  it("INV-6 ends with the request that was aborted, says so once, and nobody can give it any more", async () => {
    const request = await ask("transfers");
    expect((await world.call("PUT", `${request.path}/abort`, {})).status).toBe(200);
    const { body } = await world.call("GET", `/v2/policy-approvals/${request.approvalId}`);
    expect(body).toMatchObject({
      status: "Denied",
      decisions: [],
      activity: { transferRequest: { id: request.id, status: "Rejected" } },
    });
    const { body: waiting } = await world.call("GET", "/v2/policy-approvals?status=Pending&limit=500");
    expect(JSON.stringify(waiting)).not.toContain(request.approvalId);
    const events = await listEvents(world.database, request.approvalId);
    expect(events.filter(({ kind }) => kind === "policy.approval.resolved")).toHaveLength(1);
    expect(errorOf((await approve(request)).body).details.code).toBe("ApprovalSettled");
    expect(await isAuthorised(request, "chain_requests")).toBe(false);
  });

  it("stays as it is when the request cannot be aborted", async () => {
    const request = await ask("transfers");
    const stranger = await personWith(world, ["Wallets:Read"]);
    expect((await stranger.call("PUT", `${request.path}/abort`, {})).status).toBe(403);
    const { body } = await world.call("GET", `/v2/policy-approvals/${request.approvalId}`);
    expect(body).toMatchObject({ status: "Pending" });
  });

  it.each(["transfers", "signatures"] as const)(
    "INV-8 of one of the %s authorises nothing once the key is an end user's: it is rejected",
    async (kind) => {
      const request = await ask(kind);
      await world.call("POST", `/keys/${wallet.keyId}/delegate`, {
        delegateTo: await userOf(world, "EndUser"),
      });
      expect((await approve(request)).status).toBe(200);
      const read = statusSchema.parse((await world.call("GET", request.path)).body);
      expect(read).toMatchObject({ status: "Rejected", reason: expect.stringContaining("end user's") });
      expect(await isAuthorised(request, tables[kind])).toBe(false);
    },
  );

  it.each(["transfers", "signatures"] as const)(
    "INV-8 of one of the %s authorises nothing once the key is archived: it is rejected",
    async (kind) => {
      const request = await ask(kind);
      expect((await world.call("DELETE", `/keys/${wallet.keyId}`, {})).status).toBe(200);
      expect((await approve(request)).status).toBe(200);
      expect(await isAuthorised(request, tables[kind])).toBe(false);
    },
  );
});
