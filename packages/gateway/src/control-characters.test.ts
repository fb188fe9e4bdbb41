import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf, walletOf } from "./testing/bodies.ts";
import { makeClientKey } from "./testing/signers.ts";
import { type Answer, startWorld, type World } from "./testing/world.ts";

let world: World;
let wallet: string;
let policy: string;
let permission: string;
beforeAll(async () => {
  world = await startWorld();
  const idOf = ({ body }: Answer) => walletOf({ dateCreated: "", ...Object(body) }).id;
  wallet = idOf(await world.call("POST", "/wallets", { network: "EthereumSepolia" }));
  policy = idOf(await world.call("POST", "/v2/policies", policyNamed("plain")));
  permission = idOf(await world.call("POST", "/permissions", { name: "plain", operations: [] }));
});
afterAll(() => world.stop());

const policyNamed = (name: string, group = "approvers") => ({
  name,
  activityKind: "Wallets:Sign",
  rule: { kind: "AlwaysTrigger" },
  action: { kind: "RequestApproval", approvalGroups: [{ name: group, quorum: 1, approvers: {} }] },
  filters: { walletId: { in: [wallet] } },
});
const { publicKey } = makeClientKey();
const application = {
  kind: "ServerSideApplication",
  relyingPartyId: "shop.example",
  origin: "https://shop.example",
  publicKey,
};

/** Every operation that sets a name, by method, path and body. */
const named: readonly (readonly [string, string, () => string, (name: string) => unknown])[] = [
  ["a wallet", "POST", () => "/wallets", (name) => ({ network: "EthereumSepolia", name })],
  ["a wallet anew", "PUT", () => `/wallets/${wallet}`, (name) => ({ name })],
  ["a key", "POST", () => "/keys", (name) => ({ scheme: "ECDSA", curve: "secp256k1", name })],
  ["a permission", "POST", () => "/permissions", (name) => ({ name, operations: [] })],
  ["a permission anew", "PUT", () => `/permissions/${permission}`, (name) => ({ name })],
  ["a service account", "POST", () => "/auth/service-accounts", (name) => ({ name, publicKey })],
  ["a token", "POST", () => "/auth/pats", (name) => ({ name, publicKey })],
  ["an application", "POST", () => "/auth/apps", (name) => ({ name, ...application })],
  ["an end user", "POST", () => "/auth/registration/delegated", (email) => ({ email, kind: "EndUser" })],
  ["a policy", "POST", () => "/v2/policies", (name) => policyNamed(name)],
  ["a policy anew", "PUT", () => `/v2/policies/${policy}`, (name) => policyNamed(name)],
  ["a group of approvers", "POST", () => "/v2/policies", (name) => policyNamed("plain", name)],
];

const UNREADABLE: readonly (readonly [string, string])[] = [
  ["a line feed", "a\nb"],
  ["an escape of terminals", "a\u001b[2Kb"],
  ["a delete", "a\u007f"],
  ["a control of Latin-1", "a\u0085"],
  ["text that is turned around", "a\u202egnp.b"],
  ["an isolate", "a\u2066b\u2069"],
  ["a line separator", "a\u2028b"],
];

describe("row 16: a name with control characters is refused to", () => {
  it.each(named)("%s", async (of, method, path, body) => {
    for (const [what, name] of UNREADABLE) {
      const { status, body: answer } = await world.call(method, path(), body(name));
      expect([what, status, errorOf(answer).details.code]).toEqual([what, 400, "InvalidBody"]);
    }
    expect((await world.call(method, path(), body(`Zoë 👩‍💻 שלום 組織, ${of}`))).status).toBe(200);
  });
});

it("row 16: what was named so before is read and judged as ever", async () => {
  await world.database.execute(
    `update policies set body = jsonb_set(jsonb_set(body, '{name}', '"old\\nname"'),
       '{action,approvalGroups,0,name}', '"old\\ngroup"') where id = $1`,
    [policy],
  );
  expect((await world.call("GET", `/v2/policies/${policy}`)).body).toMatchObject({ name: "old\nname" });
  const body = { kind: "Native", to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", amount: "1" };
  const asked = await world.call("POST", `/wallets/${wallet}/transfers`, body);
  expect(asked.body).toMatchObject({ status: "Pending", approvalId: expect.any(String) });
  const { approvalId } = Object(asked.body);
  expect((await world.call("GET", `/v2/policy-approvals/${approvalId}`)).status).toBe(200);
});
