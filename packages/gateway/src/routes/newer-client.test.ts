import type { Operation } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { operationsOf } from "../fuzz/operations.ts";
import { errorOf, listOf } from "../testing/bodies.ts";
import { personWith } from "../testing/people.ts";
import { actionOf, enterKey, makeActor } from "../testing/signed-actions.ts";
import { keyFactor } from "../testing/signers.ts";
import { startWorld, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

type Answer = Awaited<ReturnType<World["call"]>>;
const codeOf = ({ status, body }: Answer) => [status, errorOf(body).details.code];
const issuesOf = ({ body }: Answer) => errorOf(body).details["issues"];

/** Query members that some operations require; other lists may have them too. */
const REQUIRED = ["network", "startTime"];

/** Networks that PyPI 1.0.4 knows and npm 0.8.21 does not. */
const NEW_NETWORKS = [
  "Arc",
  "CeloSepolia",
  "HyperEvm",
  "HyperEvmTestnet",
  "Monad",
  "MonadTestnet",
  "Movement",
  "MovementTestnet",
  "Rayls",
  "RaylsTestnet",
  "Robinhood",
  "RobinhoodSepolia",
];

describe("the request of a client newer than this service", () => {
  it.each(NEW_NETWORKS)("of network %s is read, and not enabled on a cluster without it", async (network) => {
    const rows = await world.rows();
    const answers = [
      await world.call("POST", "/wallets", { network }),
      await world.call("GET", `/networks/fees?network=${network}`),
    ];
    expect(answers.map(codeOf)).toEqual([
      [400, "NetworkNotEnabled"],
      [400, "NetworkNotEnabled"],
    ]);
    expect(await world.rows()).toBe(rows);
  });

  it.each<readonly [Operation, string, string, object | undefined]>([
    ["Permissions:Delete", "DELETE", "/permissions/pm-00000-00000-0000000000000000", undefined],
    ["Policies:Delete", "DELETE", "/v2/policies/plc-00000-00000-0000000000000000", undefined],
    ["Wallets:Tags:Remove", "DELETE", "/wallets/wa-00000-00000-0000000000000000/tags", { tags: ["a"] }],
    ["Auth:Delegated:Login", "POST", "/auth/login/delegated", { username: "nobody@example.com" }],
  ])("under the newer name %s has the permission: %s %s", async (operation, method, path, body) => {
    const [named, other] = [await personWith(world, [operation]), await personWith(world, ["Wallets:Read"])];
    expect((await named.call(method, path, body)).status).toBe(404);
    expect(codeOf(await other.call(method, path, body))).toEqual([403, "PermissionMissing"]);
  });

  it("under a newer name archives a permission and a policy, once and once more", async () => {
    const deleter = await personWith(world, ["Permissions:Delete", "Policies:Delete", "Wallets:Read"]);
    const idOf = async (path: string, body: object): Promise<string> =>
      z.object({ id: z.string() }).parse((await world.call("POST", path, body)).body).id;
    const permission = await idOf("/permissions", { name: "to end", operations: ["Wallets:Read"] });
    const policy = await idOf("/v2/policies", {
      name: "to end",
      activityKind: "Wallets:Sign",
      rule: { kind: "AlwaysTrigger", configuration: {} },
      action: { kind: "Block" },
    });
    for (const path of [`/permissions/${permission}`, `/v2/policies/${policy}`]) {
      expect(await deleter.call("DELETE", path)).toMatchObject({ status: 200 });
    }
    expect(await deleter.call("DELETE", `/permissions/${permission}`)).toMatchObject({ status: 200 });
    const revived = await deleter.call("PUT", `/permissions/${permission}/archive`, { isArchived: false });
    expect(codeOf(revived)).toEqual([403, "PermissionMissing"]);
  });

  it("of a network that nobody knows is a network that nobody knows", async () => {
    expect(codeOf(await world.call("POST", "/wallets", { network: "Monad2" }))).toEqual([
      400,
      "NetworkUnknown",
    ]);
  });

  it.each([
    [
      "/auth/login/init",
      { tenantId: "te-1", username: "admin" },
      "tenantId",
      "nothing stands above an organisation",
    ],
    [
      "/auth/service-accounts",
      { name: "ci", publicKey: "", federatedIdentity: {} },
      "federatedIdentity",
      "identity provider",
    ],
    [
      "/auth/users",
      { email: "a@b.example", kind: "CustomerEmployee", registration: {} },
      "",
      '"registration"',
    ],
    [
      "/wallets",
      { network: "EthereumSepolia", external_id: "7" },
      "external_id",
      "names are written externalId",
    ],
    [
      "/keys",
      { scheme: "ECDSA", curve: "secp256k1", master_key: true },
      "master_key",
      "names are written masterKey",
    ],
  ])("%s, with the new member of %j, is refused by its name", async (path, body, place, words) => {
    const rows = await world.rows();
    const answer = await world.call("POST", path, body);
    expect(codeOf(answer)).toEqual([400, "InvalidBody"]);
    const issues = z.array(z.object({ path: z.string(), message: z.string() })).parse(issuesOf(answer));
    const message = issues.find((each) => each.path === place && each.message.includes(words));
    expect([message, await world.rows()]).toEqual([expect.anything(), rows]);
  });

  it.each([
    ["/keys", { scheme: "Ristretto", curve: "ristretto255" }],
    ["/keys", { scheme: "DH", curve: "secp256k1" }],
    ["/auth/users", { email: "a@b.example", kind: "TenantUser" }],
    [
      "/v2/policies",
      { name: "p", activityKind: "Vaults:Lock", rule: { kind: "AlwaysTrigger" }, action: { kind: "Block" } },
    ],
    ["/webhooks", { url: "https://hooks.example", events: ["vault.lock.created"] }],
  ])("%s with a value that this service does not know is refused: %j", async (path, body) => {
    const rows = await world.rows();
    const answer = await world.call("POST", path, body);
    expect([answer.status, await world.rows()]).toEqual([400, rows]);
    expect(errorOf(answer.body).details.remedy).toMatch(/\w/);
  });

  it("of a query that nobody knows changes no answer: not of one list, and of nothing by itself", async () => {
    const made = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
    const { id } = z.looseObject({ id: z.string() }).parse(made.body);
    const further = `/wallets/${id}`;
    const document: unknown = (await world.call("GET", "/openapi.json")).body;
    const reads = operationsOf(document).operations.filter(
      ({ method, path, query }) =>
        method === "GET" && !path.includes("{") && query.every(({ name }) => !REQUIRED.includes(name)),
    );
    expect(reads.length).toBeGreaterThan(12);
    for (const path of [further, ...reads.map((read) => read.path)]) {
      const plain = await world.call("GET", path);
      const asked = await world.call("GET", `${path}?tenantId=te-1&external_id=7&unexpected=1`);
      expect([path, asked.status, asked.body]).toEqual([path, 200, plain.body]);
    }
  });

  it.each([
    "/wallets?ownerId=&vaultId=v-1&includeArchived=true",
    "/auth/users?kind=TenantUser&tenantId=te-1",
    "/permissions?isArchived=maybe",
    "/webhooks?status=Paused",
    "/v2/policies?activityKind=Vaults:Lock",
  ])("GET %s is answered, or refused by the parameter's name", async (path) => {
    const answer = await world.call("GET", path);
    if (answer.status === 200) expect(listOf(answer.body).items).toBeInstanceOf(Array);
    else expect(codeOf(answer)).toEqual([400, "InvalidParameter"]);
  });

  it.each(["deactivate", "activate"])(
    "of PUT /auth/users/{userId}/%s has a body with `force`, which changes nothing",
    async (act) => {
      const { caller } = await world.tokenOf(["Wallets:Read"]);
      const { status } = await world.call("PUT", `/auth/users/${caller.userId}/${act}`, { force: true });
      expect(status).toBe(200);
    },
  );
});

describe("the Python client's signed action for a body without members", () => {
  it("has an empty payload, and the body {} passes with it; no other body does", async () => {
    const strict = await startWorld({ userActionsRequired: true });
    const actor = makeActor(strict);
    await enterKey(strict, strict.caller, actor.admin);
    const { caller } = await strict.tokenOf(["Wallets:Read"]);
    const path = `/auth/users/${caller.userId}/deactivate`;
    const act = async (body: unknown) => {
      const { challenge, challengeIdentifier } = await actor.begin({ method: "PUT", path });
      const signed = await actor.finish(challengeIdentifier, keyFactor(actor.admin, challenge));
      return actor.send({ method: "PUT", path, body }, actionOf(signed));
    };
    expect(codeOf(await act({ force: true }))).toEqual([403, "UserActionInvalid"]);
    expect((await act({})).status).toBe(200);
    await strict.stop();
  });
});
