import { type ChainNode, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { BITCOIN_KEY, BITCOIN_SIGNET } from "@conclave/chains/testing";
import { networkSchema, transactionIdSchema } from "@conclave/custody";
import { readTransaction } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import { approverOf } from "../testing/people.ts";
import { startWorld, type World } from "../testing/world.ts";

const NETWORK = networkSchema.parse(BITCOIN_SIGNET.network);
const ALWAYS = { kind: "AlwaysTrigger", configuration: {} };
const WHITELIST = {
  kind: "TransactionRecipientWhitelist",
  configuration: { addresses: ["mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn"] },
};
const LIMIT = { kind: "TransactionAmountLimit", configuration: { limit: 1_000_000, currency: "USD" } };
const BLOCK = { kind: "Block" };
const ASK = { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] };

const requestSchema = z.object({
  id: transactionIdSchema,
  status: z.string(),
  reason: z.string().optional(),
  approvalId: z.string().optional(),
  requester: z.object({ userId: z.string() }),
});

let world: World;
let path: string;
beforeAll(async () => {
  const node: ChainNode = NODES.connect(BITCOIN_SIGNET);
  world = await startWorld({ further: { family: FAMILIES.familyOf(NETWORK), node }, settlementWaitMs: 1 });
  const id = await activateKey(world, "ECDSA", BITCOIN_KEY.publicKey);
  const { body } = await world.call("POST", "/wallets", { network: NETWORK, signingKey: { id } });
  path = `/wallets/${z.object({ id: z.string() }).parse(body).id}/transactions`;
});
afterAll(() => world.stop());
afterEach(() => world.database.execute("update policies set status = 'Archived'"));

const guard = async (rule: object, action: object) => {
  const policy = { name: "test", activityKind: "Wallets:Sign", rule, action };
  expect((await world.call("POST", "/v2/policies", policy)).status).toBe(200);
};
const gather = async () => {
  const { status, body } = await world.call("POST", path, { kind: "Consolidate", maxFee: "700" });
  expect([status, body]).toEqual([200, expect.anything()]);
  return requestSchema.parse(body);
};
const isAuthorised = async (id: z.infer<typeof transactionIdSchema>) =>
  (await readTransaction(world.database, id))?.authorisation !== undefined;

describe("K7 INV-8 a Consolidate that a person asks for", () => {
  it("is judged by policies, and names that person", async () => {
    await guard(ALWAYS, BLOCK);
    const blocked = await gather();
    expect(blocked).toMatchObject({
      status: "Rejected",
      reason: expect.stringContaining("blocked by policy"),
      requester: { userId: world.caller.userId },
    });
    expect(await isAuthorised(blocked.id)).toBe(false);
  });

  it("leaves the wallet to nobody, so that no whitelist is triggered", async () => {
    await guard(WHITELIST, BLOCK);
    const { id, status, requester } = await gather();
    expect([status, requester.userId]).toEqual(["Pending", world.caller.userId]);
    expect(await isAuthorised(id)).toBe(true);
  });

  it("may cost its fee, which an amount limit judges: without a price nobody knows it", async () => {
    await guard(LIMIT, BLOCK);
    expect(await gather()).toMatchObject({
      status: "Rejected",
      reason: expect.stringContaining("the amount is not known"),
    });
  });

  it("waits for people, whom that person is named to and is none of", async () => {
    await guard(ALWAYS, ASK);
    const { id, status, approvalId } = await gather();
    expect([status, await isAuthorised(id)]).toEqual(["Pending", false]);
    const approval = `/v2/policy-approvals/${approvalId}`;
    expect((await world.call("GET", approval)).body).toMatchObject({
      initiatorId: world.caller.userId,
      activity: { kind: "Wallets:Sign", transactionRequest: { id, requestBody: { kind: "Consolidate" } } },
    });
    const decisions = `${approval}/decisions`;
    expect((await world.call("POST", decisions, { value: "Approved" })).status).toBe(403);
    const alice = await approverOf(world);
    expect((await alice.call("POST", decisions, { value: "Approved" })).status).toBe(200);
    expect(await isAuthorised(id)).toBe(true);
  });
});
