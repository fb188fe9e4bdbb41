import { keyIdSchema, networkSchema, walletIdSchema } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { approverOf, type Person } from "../testing/people.ts";
import { ADDRESS, startWorld, type World } from "../testing/world.ts";

const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const TOKEN = `0x${"12".repeat(20)}`;
const CHAIN_ID = 11_155_111;

const requestSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  approvalId: z.string().optional(),
});

let world: World;
let alice: Person;
let walletId: string;
let keyId: string;
beforeAll(async () => {
  world = await startWorld();
  alice = await approverOf(world);
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  const wallet = z
    .looseObject({ id: walletIdSchema, signingKey: z.looseObject({ id: keyIdSchema }) })
    .parse(body);
  [walletId, keyId] = [wallet.id, wallet.signingKey.id];
});
afterAll(() => world.stop());

const rule = (kind: string, configuration: unknown = {}) => ({ kind, configuration });
const amounts = rule("TransactionAmountLimit", { limit: 1_000_000, currency: "EUR" });
const recipients = rule("TransactionRecipientWhitelist", { addresses: [RECIPIENT] });
const block = { kind: "Block" };

/** Runs the work under one policy, and archives the policy. */
const under = async <T>(policy: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> => {
  const body = { name: "test", activityKind: "Wallets:Sign", action: block, ...policy };
  const { body: made } = await world.call("POST", "/v2/policies", body);
  const { id } = requestSchema.parse(made);
  try {
    return await work();
  } finally {
    await world.call("DELETE", `/v2/policies/${id}`, {});
  }
};
const sign = async (body: unknown, path = `/wallets/${walletId}`) => {
  const answer = await world.call("POST", `${path}/signatures`, body);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return requestSchema.parse(answer.body);
};

const hash = { kind: "Hash", hash: "ab".repeat(32) };
const message = { kind: "Message", message: "0x6869" };
const permit = (spender: string, chainId = CHAIN_ID) => ({
  kind: "Eip712",
  types: {
    Permit: ["owner:address", "spender:address", "value:uint256", "nonce:uint256", "deadline:uint256"].map(
      (text) => ({
        name: text.split(":")[0],
        type: text.split(":")[1],
      }),
    ),
  },
  domain: { name: "Token", chainId, verifyingContract: TOKEN },
  message: { owner: ADDRESS, spender, value: "5", nonce: "0", deadline: "9" },
});

describe("a signature", () => {
  it.each([
    ["of a hash, whose amount nobody knows", amounts, hash, "Rejected"],
    ["of a hash, whose recipient nobody knows", recipients, hash, "Rejected"],
    ["of a message, whose amount nobody knows", amounts, message, "Rejected"],
    ["of a permit for somebody on the whitelist", recipients, permit(RECIPIENT), "Signed"],
    ["of a permit for somebody else", recipients, permit(TOKEN), "Rejected"],
    ["of a permit for a token without a price", amounts, permit(RECIPIENT), "Rejected"],
    ["of a permit for another chain", recipients, permit(RECIPIENT, 1), "Rejected"],
    [
      "that is the second of two",
      rule("TransactionCountVelocity", { limit: 0, timeframe: 1 }),
      message,
      "Rejected",
    ],
  ])("%s is judged by what it may do", async (_, by, body, status) => {
    expect((await under({ rule: by }, () => sign(body))).status).toBe(status);
  });

  it("INV-8 waits for its approval without being signed, and is authorised by it", async () => {
    const action = { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] };
    const asked = await under({ rule: amounts, action }, () => sign(hash));
    expect([asked.status, typeof asked.approvalId]).toEqual(["Pending", "string"]);
    const decided = await alice.call("POST", `/v2/policy-approvals/${asked.approvalId}/decisions`, {
      value: "Approved",
    });
    expect(decided.body).toMatchObject({
      status: "Approved",
      activity: { signatureRequest: { id: asked.id } },
    });
    const [row] = await world.database.rows(
      z.object({ policy_decision: z.unknown(), authorised: z.boolean() }),
      "select policy_decision, authorisation is not null as authorised from signatures where id = $1",
      [asked.id],
    );
    expect(row).toMatchObject({
      authorised: true,
      policy_decision: { approvalId: asked.approvalId, approvers: [alice.userId] },
    });
  });

  it("of a hash is under the policies of every wallet of its key, whichever was asked", async () => {
    const other = networkSchema.parse("Ethereum");
    const sibling = `wa-aaaaa-bbbbb-${"d".repeat(16)}`;
    await world.database.execute(
      `insert into wallets (id, org_id, key_id, network, status, requester, request_body, address, date_created)
       select $2, org_id, key_id, $3, status, requester, request_body, address, date_created from wallets where id = $1`,
      [walletId, sibling, other],
    );
    const filters = { walletId: { in: [sibling] } };
    const outcomes = await under({ rule: rule("AlwaysTrigger"), filters }, async () => [
      (await sign(hash)).status,
      (await sign(hash, `/keys/${keyId}`)).status,
    ]);
    expect(outcomes).toEqual(["Rejected", "Rejected"]);
    await world.database.execute("delete from wallets where id = $1", [sibling]);
  });
});

describe("a request", () => {
  it("of which nothing leaves the wallet passes a whitelist, but not a policy that always triggers", async () => {
    const toItself = () =>
      world.call("POST", `/wallets/${walletId}/transfers`, { kind: "Native", to: ADDRESS, amount: "1" });
    const statuses = [
      requestSchema.parse((await under({ rule: recipients }, toItself)).body).status,
      requestSchema.parse((await under({ rule: rule("AlwaysTrigger") }, toItself)).body).status,
    ];
    expect(statuses).toEqual(["Pending", "Rejected"]);
  });

  it("counts in the sums of a policy that came after it", async () => {
    const half = () =>
      world.call("POST", `/wallets/${walletId}/transfers`, {
        kind: "Native",
        to: RECIPIENT,
        amount: "500000000000000000",
      });
    // the value of content signed above is unknown, so the sum is unknown while it is in the timeframe
    await world.database.execute("delete from wallet_spendings");
    await half();
    const velocity = rule("TransactionAmountVelocity", { limit: "1500", currency: "USD", timeframe: 60 });
    const after = await under({ rule: velocity }, half);
    expect(requestSchema.parse(after.body)).toMatchObject({
      status: "Rejected",
      reason: expect.stringContaining("2000.00 USD is above the limit of 1500 USD"),
    });
  });
});
