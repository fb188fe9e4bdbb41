import { createHash, createPublicKey, randomUUID, verify } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { type Actor, actionOf, enterKey, makeActor, type Signed } from "../testing/signed-actions.ts";
import { keyFactor, makeClientKey } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

let world: World;
let actor: Actor;
beforeAll(async () => {
  world = await startWorld({ userActionsRequired: true });
  actor = makeActor(world);
  await enterKey(world, world.caller, actor.admin);
});
afterAll(() => world.stop());

const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
let named = 0;
/** A unique change. */
const fresh = (): Signed => {
  named += 1;
  return { method: "POST", path: "/permissions", body: { name: `role-${named}`, operations: [] } };
};

describe("under a long-lived token", () => {
  const patSchema = z.looseObject({ tokenId: z.string(), credId: z.string(), accessToken: z.string() });
  const makePat = async () => {
    const key = makeClientKey();
    const body = { name: "ci", publicKey: key.publicKey };
    const pat = patSchema.parse((await actor.act({ method: "POST", path: "/auth/pats", body })).body);
    return { ...pat, key: { ...key, credId: pat.credId } };
  };

  it("that token's credential signs, and no other; nor does it sign anywhere else", async () => {
    const { accessToken, key } = await makePat();
    const begun = await actor.begin(fresh(), accessToken);
    expect(begun.allowCredentials).toEqual({
      key: [{ type: "public-key", id: key.credId }],
      webauthn: [],
    });
    expect((await actor.act(fresh(), key, accessToken)).status).toBe(200);
    const foreign = await actor.finish(begun.challengeIdentifier, keyFactor(actor.admin, begun.challenge), {
      token: accessToken,
    });
    expect(codeOf(foreign)).toEqual([403, "UserActionInvalid"]);
    const own = await actor.begin(fresh());
    expect(JSON.stringify(own.allowCredentials)).not.toContain(key.credId);
    expect(codeOf(await actor.finish(own.challengeIdentifier, keyFactor(key, own.challenge)))).toEqual([
      403,
      "UserActionInvalid",
    ]);
  });

  it("a signed action serves under no other token of the same user", async () => {
    const { accessToken, key } = await makePat();
    const request = fresh();
    const begun = await actor.begin(request, accessToken);
    const factor = keyFactor(key, begun.challenge);
    expect(codeOf(await actor.finish(begun.challengeIdentifier, factor))).toEqual([400, "ChallengeInvalid"]);
    const signed = await actor.finish(begun.challengeIdentifier, factor, { token: accessToken });
    expect(codeOf(await actor.send(request, actionOf(signed)))).toEqual([403, "UserActionInvalid"]);
    expect((await actor.send(request, actionOf(signed), accessToken)).status).toBe(200);
  });
});

describe("a user who is deactivated between signing and sending", () => {
  it("changes nothing", async () => {
    const { caller, token } = await world.tokenOf(["Permissions:Create"]);
    const key = makeClientKey();
    await enterKey(world, caller, key);
    const request = fresh();
    const begun = await actor.begin(request, token);
    const signed = await actor.finish(begun.challengeIdentifier, keyFactor(key, begun.challenge), { token });
    const action = actionOf(signed);
    expect(codeOf(await actor.send(request, action))).toEqual([403, "UserActionInvalid"]);
    const path = `/auth/users/${caller.userId}/deactivate`;
    expect((await actor.act({ method: "PUT", path, body: {} })).status).toBe(200);
    expect(codeOf(await actor.send(request, action, token))).toEqual([401, "TokenInvalid"]);
  });
});

describe("the record of signed actions", () => {
  const logSchema = z.looseObject({
    id: z.string(),
    action: z.string(),
    payloadDigest: z.string(),
    firstFactorCredential: z.object({
      id: z.string(),
      kind: z.string(),
      publicKey: z.string(),
      assertion: z.object({
        authenticatorData: z.null(),
        clientData: z.string(),
        signature: z.string(),
      }),
    }),
  });
  const listOf = async (query: string) =>
    z
      .object({ items: z.array(logSchema), nextPageToken: z.string().optional() })
      .parse((await world.call("GET", `/auth/action/logs${query}`)).body);

  it("says who did what, with a signature that anybody can check again", async () => {
    const body = { operations: [], name: "on record" };
    await actor.act({ method: "POST", path: "/permissions", body });
    const { items, nextPageToken } = await listOf("?limit=1");
    const [log] = items;
    if (log === undefined) throw new Error("no log");
    expect(log).toMatchObject({
      action: "POST /permissions",
      userId: world.caller.userId,
      username: "admin",
      payloadDigest: createHash("sha256").update('{"name":"on record","operations":[]}').digest("hex"),
      firstFactorCredential: { id: actor.admin.credId, kind: "Key" },
    });
    const { publicKey, assertion } = log.firstFactorCredential;
    const bytes = (text: string) => Buffer.from(text, "base64url");
    const holds = verify(
      null,
      bytes(assertion.clientData),
      createPublicKey(publicKey),
      bytes(assertion.signature),
    );
    expect([holds, nextPageToken]).toEqual([true, expect.any(String)]);
    expect((await world.call("GET", `/auth/action/logs/${log.id}`)).body).toEqual(log);
  });

  it("holds every action once, by time and user, and nothing that was refused", async () => {
    const from = encodeURIComponent(new Date().toISOString());
    const request = fresh();
    const { challenge, challengeIdentifier } = await actor.begin(request);
    const action = actionOf(await actor.finish(challengeIdentifier, keyFactor(actor.admin, challenge)));
    await actor.send(fresh(), action);
    expect((await listOf(`?startTime=${from}`)).items).toEqual([]);
    await Promise.all([actor.send(request, action), actor.send(request, action)]);
    expect((await listOf(`?startTime=${from}&userId=${world.caller.userId}`)).items).toHaveLength(1);
    expect((await listOf(`?endTime=${from}&startTime=${from}`)).items).toEqual([]);
  });

  it("INV-11 is an organisation's own", async () => {
    const [log] = (await listOf("?limit=1")).items;
    const stranger = { authorization: `Bearer ${world.strangersToken}` };
    const theirs = await world.call("GET", `/auth/action/logs/${log?.id}`, undefined, stranger);
    expect(codeOf(theirs)).toEqual([404, "AuditLogNotFound"]);
    expect((await world.call("GET", "/auth/action/logs", undefined, stranger)).body).toEqual({ items: [] });
  });
});

describe("a request's nonce", () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const read = (nonce: string, token = world.token) =>
    world.call("GET", "/wallets", undefined, { authorization: `Bearer ${token}`, "x-dfns-nonce": nonce });
  const now = () => new Date().toISOString();

  it("is taken once by an organisation, as clients of before send it", async () => {
    const nonce = encode({ uuid: randomUUID(), date: now() });
    expect((await read(nonce)).status).toBe(200);
    const again = await read(nonce);
    expect([codeOf(again), errorOf(again.body).message]).toEqual([
      [400, "NonceReplayed"],
      "request nonce has already been used",
    ]);
    expect((await read(nonce, world.strangersToken)).status).toBe(200);
  });

  it.each([
    ["is no base64url of JSON", () => "nonsense"],
    ["has a short uuid", () => encode({ uuid: "short", date: now() })],
    ["has no date", () => encode({ uuid: randomUUID() })],
    [
      "is of yesterday",
      () => encode({ uuid: randomUUID(), date: new Date(Date.now() - 86_400_000).toISOString() }),
    ],
    [
      "is of tomorrow",
      () => encode({ uuid: randomUUID(), date: new Date(Date.now() + 86_400_000).toISOString() }),
    ],
    ["is endless", () => "A".repeat(2_000)],
  ])("that %s is refused", async (_, make) => {
    expect(codeOf(await read(make()))).toEqual([400, "NonceInvalid"]);
  });

  it("is not asked for, and no other header of any generation is in the way", async () => {
    const answer = await world.call("GET", "/wallets", undefined, {
      "x-dfns-appid": "ap-00000-00000-0000000000000000",
      "x-dfns-appsecret": "x",
      "x-dfns-apisignature": "x",
      "x-dfns-sdk-version": "0.8.21",
    });
    expect(answer.status).toBe(200);
  });
});
