import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { approverOf } from "../../testing/people.ts";
import { startWorld, type World } from "../../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ADDRESSES = 10_000;
const whitelist = (addresses: number, shift = 0) => ({
  name: "whitelist",
  activityKind: "Wallets:Sign",
  rule: {
    kind: "TransactionRecipientWhitelist",
    configuration: {
      addresses: Array.from(
        { length: addresses },
        (_, at) => `0x${(at + shift).toString(16).padStart(40, "0")}`,
      ),
    },
  },
  action: { kind: "Block" },
});
/** A policy under which changes of policies wait for an approval. */
const GUARD = {
  name: "changes wait",
  activityKind: "Policies:Modify",
  rule: { kind: "AlwaysTrigger", configuration: {} },
  action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
};
const made = z.looseObject({ id: z.string() });
const refused = { status: 422, body: { error: { details: { code: "TooManyPolicies", most: 500 } } } };

describe("K8 the policies of an organisation", () => {
  it("INV-9 are refused beyond their length together, and nothing changes", async () => {
    const first = made.parse((await world.call("POST", "/v2/policies", whitelist(ADDRESSES))).body);
    const second = made.parse((await world.call("POST", "/v2/policies", whitelist(ADDRESSES))).body);
    expect(await world.call("POST", "/v2/policies", whitelist(ADDRESSES))).toMatchObject(refused);
    const small = made.parse((await world.call("POST", "/v2/policies", whitelist(1))).body);
    expect(await world.call("PUT", `/v2/policies/${small.id}`, whitelist(ADDRESSES))).toMatchObject(refused);
    const shown = await world.call("GET", `/v2/policies/${small.id}`);
    expect(shown.body).toMatchObject({ rule: whitelist(1).rule });
    // an archived policy takes no room, and a replaced one does not count
    expect((await world.call("PUT", `/v2/policies/${first.id}`, whitelist(ADDRESSES))).status).toBe(200);
    for (const { id } of [second, first]) await world.call("DELETE", `/v2/policies/${id}`);
    expect((await world.call("PUT", `/v2/policies/${small.id}`, whitelist(ADDRESSES))).status).toBe(200);
    await world.call("DELETE", `/v2/policies/${small.id}`);
  });

  it("INV-9 do not get beyond it by a change that people approve when the room is taken", async () => {
    const alice = await approverOf(world);
    const small = made.parse((await world.call("POST", "/v2/policies", whitelist(1))).body);
    const guard = made.parse((await world.call("POST", "/v2/policies", GUARD)).body);
    const { status, body } = await world.call("PUT", `/v2/policies/${small.id}`, whitelist(ADDRESSES));
    expect(status).toBe(202);
    const waiting = z.looseObject({ approvalId: z.string() }).parse(body);
    const large = [whitelist(ADDRESSES), whitelist(ADDRESSES)];
    const taken: string[] = [];
    for (const each of large)
      taken.push(made.parse((await world.call("POST", "/v2/policies", each)).body).id);
    const path = `/v2/policy-approvals/${waiting.approvalId}/decisions`;
    expect((await alice.call("POST", path, { value: "Approved" })).status).toBe(200);
    const shown = await world.call("GET", `/v2/policies/${small.id}`);
    expect(shown.body).toMatchObject({ rule: whitelist(1).rule });
    await world.database.execute("update policies set status = 'Archived' where id = any($1)", [
      [small.id, guard.id, ...taken],
    ]);
  });

  it("INV-8 are judged as they stand after each change, however often they were read before", async () => {
    const wallet = made.parse((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body);
    const list = made.parse((await world.call("POST", "/v2/policies", whitelist(2, 0xaa0001))).body);
    const pay = async (to: string) => {
      const body = { kind: "Native", to: `0x${to.padStart(40, "0")}`, amount: "1" };
      return (await world.call("POST", `/wallets/${wallet.id}/transfers`, body)).body;
    };
    const at = async (to: string) => z.looseObject({ status: z.string() }).parse(await pay(to)).status;
    expect([await at("aa0002"), await at("bb0002")]).toEqual(["Pending", "Rejected"]);
    await world.call("PUT", `/v2/policies/${list.id}`, whitelist(2, 0xbb0001));
    expect([await at("aa0002"), await at("bb0002")]).toEqual(["Rejected", "Pending"]);
  });
});
