import { randomUUID } from "node:crypto";
import { applicationIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { makeClientKey } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

let world: World;
let walletId: string;
beforeAll(async () => {
  world = await startWorld();
  const made = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  walletId = z.looseObject({ id: z.string() }).parse(made.body).id;
});
afterAll(() => world.stop());

const APP = { name: "shop", relyingPartyId: "shop.example", origin: "https://shop.example" };
const appIdOf = (answer: Answer) => z.looseObject({ appId: z.string() }).parse(answer.body).appId;
const register = async (headers: Readonly<Record<string, string>> = {}) =>
  appIdOf(await world.call("POST", "/auth/apps", { ...APP, kind: "ClientSideApplication" }, headers));
const naming = (appId: string) => ({ "x-dfns-appid": appId });

/** The recorded requester of a transfer. */
const requesterOf = async (headers: Readonly<Record<string, string>>) => {
  const body = { kind: "Native", to: `0x${"12".repeat(20)}`, amount: "1" };
  const { id } = z
    .looseObject({ id: z.string() })
    .parse((await world.call("POST", `/wallets/${walletId}/transfers`, body, headers)).body);
  const read = await world.call("GET", `/wallets/${walletId}/transfers/${id}`);
  return z.looseObject({ requester: z.looseObject({}) }).parse(read.body).requester;
};
const own = () => ({ userId: world.caller.userId, tokenId: world.caller.tokenId });

describe("an application that a request names in x-dfns-appid", () => {
  it("is on record as the requester's, once it is registered", async () => {
    const appId = await register();
    expect(await requesterOf(naming(appId))).toEqual({ ...own(), appId });
  });

  it("INV-11 is not, when it is unknown, another organisation's, deactivated, archived, or no id", async () => {
    const [deactivated, archived] = [await register(), await register()];
    await world.call("PUT", `/auth/apps/${deactivated}/deactivate`, {});
    await world.call("DELETE", `/auth/apps/${archived}`, {});
    const foreign = await register({ authorization: `Bearer ${world.strangersToken}` });
    const unknown = freshId(applicationIdSchema, "ap");
    for (const appId of [unknown, foreign, deactivated, archived, "ap-", "'"]) {
      expect(await requesterOf(naming(appId))).toEqual(own());
    }
  });

  it("does not stand for the application whose token it is", async () => {
    const kind = { kind: "ServerSideApplication", publicKey: makeClientKey().publicKey };
    const made = await world.call("POST", "/auth/apps", { ...APP, ...kind });
    const { appId, accessTokens } = z
      .looseObject({ appId: z.string(), accessTokens: z.tuple([z.looseObject({ accessToken: z.string() })]) })
      .parse(made.body);
    const { permissionId } = z
      .looseObject({ items: z.tuple([z.looseObject({ id: z.string() })]).rest(z.unknown()) })
      .transform(({ items }) => ({ permissionId: items[0].id }))
      .parse((await world.call("GET", "/permissions")).body);
    await world.call("POST", `/permissions/${permissionId}/assignments`, { identityId: appId });
    const authorization = `Bearer ${accessTokens[0].accessToken}`;
    const requester = await requesterOf({ ...naming(await register()), authorization });
    expect(requester).toMatchObject({ appId });
  });

  it("gives its caller no identity: the caller may switch it off", async () => {
    const appId = await register();
    const answer = await world.call("PUT", `/auth/apps/${appId}/deactivate`, {}, naming(appId));
    expect(answer.status).toBe(200);
  });

  it("is changed by POST too, as clients up to 0.6.12 do", async () => {
    const path = `/auth/apps/${await register()}`;
    expect(await world.call("POST", path, { name: "new", externalId: "e" })).toMatchObject({
      status: 200,
      body: { name: "new" },
    });
    expect((await world.call("GET", path)).body).toMatchObject({ name: "new" });
    expect((await world.call("POST", path, { kind: "x" })).status).toBe(400);
  });
});

describe("the relying party of a challenge", () => {
  const rpOf = ({ body }: Answer) =>
    z.looseObject({ rp: z.strictObject({ id: z.string(), name: z.string() }) }).parse(body).rp;
  const CALLS = [
    ["POST /auth/login/init", () => ({ orgId: world.caller.orgId, username: "nobody" })],
    [
      "POST /auth/action/init",
      () => ({ userActionPayload: "{}", userActionHttpMethod: "POST", userActionHttpPath: "/wallets" }),
    ],
    ["POST /auth/credentials/init", () => ({ kind: "Fido2" })],
    ["POST /auth/registration/delegated", () => ({ email: randomUUID(), kind: "EndUser" })],
  ] as const;

  it.each(CALLS)(
    "of %s is the cluster's, or that of the application which the request names",
    async (call, body) => {
      const [method = "", path = ""] = call.split(" ");
      expect(rpOf(await world.call(method, path, body()))).toEqual({ id: "localhost", name: "localhost" });
      const appId = await register();
      expect(rpOf(await world.call(method, path, body(), naming(appId)))).toEqual({
        id: "shop.example",
        name: "shop",
      });
    },
  );
});
