import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { enterKey } from "../testing/signed-actions.ts";
import { attestationOf, type ClientKey, makeAuthenticator, makeClientKey } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

const MINUTE_MS = 60_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const inMinutes = (minutes: number) => Date.now() + minutes * MINUTE_MS;
const create = (expiration: unknown) => world.call("POST", "/auth/credentials/code", { expiration });
const made = async () =>
  z
    .strictObject({ code: z.string(), expiration: z.string() })
    .parse((await create(new Date(inMinutes(1)).toISOString())).body).code;
/** Calls from the other device, which has no token. */
const device = (path: string, body: unknown) =>
  world.call("POST", `/auth/credentials/code/${path}`, body, { authorization: "" });
const init = (code: string, credentialKind = "Key") => device("init", { code, credentialKind });
const challengeSchema = z.looseObject({ challenge: z.string(), challengeIdentifier: z.string() });
const begun = async (kind = "Key") => challengeSchema.parse((await init(await made(), kind)).body);
const verify = (key: ClientKey, challenge: z.infer<typeof challengeSchema>, more: object = {}) =>
  device("verify", {
    credentialKind: "Key",
    credentialName: "laptop",
    credentialInfo: attestationOf(key, challenge.challenge),
    challengeIdentifier: challenge.challengeIdentifier,
    ...more,
  });
const listed = async () =>
  z
    .object({ items: z.array(z.looseObject({ credentialId: z.string() })) })
    .parse((await world.call("GET", "/auth/credentials")).body)
    .items.map(({ credentialId }) => credentialId);

describe("a second device", () => {
  it("registers a key of its user by the code that the first one shows", async () => {
    const challenge = await begun();
    expect(challenge).toMatchObject({
      kind: "Key",
      user: { id: world.caller.userId },
      rp: { id: "localhost" },
    });
    const key = makeClientKey();
    const answer = await verify(key, challenge);
    expect(answer).toMatchObject({
      status: 200,
      body: { kind: "Key", credentialId: key.credId, name: "laptop", isActive: true },
    });
    expect(await listed()).toContain(key.credId);
  });

  it("registers an authenticator", async () => {
    const { challenge, challengeIdentifier } = await begun("Fido2");
    const authenticator = makeAuthenticator();
    const answer = await device("verify", {
      credentialKind: "Fido2",
      credentialName: "phone",
      credentialInfo: authenticator.attest(challenge),
      challengeIdentifier,
    });
    expect(answer).toMatchObject({ status: 200, body: { kind: "Fido2", name: "phone" } });
    expect((await begun("Fido2"))["excludeCredentials"]).toContainEqual({
      type: "public-key",
      id: authenticator.credId,
    });
  });

  it.each([
    ["a date", () => new Date(inMinutes(5)).toISOString()],
    ["Unix seconds", () => Math.floor(inMinutes(5) / 1_000)],
    ["Unix milliseconds", () => inMinutes(5)],
  ])("is given as long as the first one says, in %s", async (_, expiration) => {
    const { expiration: given } = z
      .looseObject({ expiration: z.string() })
      .parse((await create(expiration())).body);
    expect(Math.abs(Date.parse(given) - inMinutes(5))).toBeLessThan(MINUTE_MS);
  });
});

it("a code for another device lives an hour at the most, whatever its maker says", async () => {
  const answer = await create("2099-12-31T23:59:59.000Z");
  const { expiration } = z.looseObject({ expiration: z.string() }).parse(answer.body);
  expect(Date.parse(expiration)).toBeLessThanOrEqual(inMinutes(60));
});

describe("INV-9 a code for another device", () => {
  it("serves once, also of several that show it at the same time", async () => {
    const code = await made();
    const answers = await Promise.all([init(code), init(code), init(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(codeOf(await init(code))).toEqual([400, "OneTimeCodeInvalid"]);
  });

  it("is replaced by a later one, and expires", async () => {
    const [earlier, later] = [await made(), await made()];
    expect(codeOf(await init(earlier))).toEqual([400, "OneTimeCodeInvalid"]);
    await world.database.execute("update one_time_codes set date_expires = now()");
    expect(codeOf(await init(later))).toEqual([400, "OneTimeCodeInvalid"]);
  });

  it.each(["", "unknown", "\u0000"])("is none: %j", async (code) => {
    expect(codeOf(await init(code))).toEqual([400, "OneTimeCodeInvalid"]);
  });

  it.each([
    ["in the past", () => inMinutes(-1)],
    ["beyond all dates", () => 8_640_000_000_000_001],
    ["no date", () => "tomorrow"],
    ["none", () => undefined],
  ])("is not made with an expiration %s", async (_, expiration) => {
    expect(codeOf(await create(expiration()))).toEqual([400, "InvalidBody"]);
  });

  it("is not made by a token that holds a part of what its user may do", async () => {
    const idSchema = z.looseObject({ id: z.string() });
    const asked = { name: "narrow", operations: ["Auth:Creds:Create"] };
    const permissionId = idSchema.parse((await world.call("POST", "/permissions", asked)).body).id;
    const pat = { name: "narrow", publicKey: makeClientKey().publicKey, permissionId };
    const { accessToken } = z
      .looseObject({ accessToken: z.string() })
      .parse((await world.call("POST", "/auth/pats", pat)).body);
    const headers = { authorization: `Bearer ${accessToken}` };
    const body = { expiration: inMinutes(1) };
    const answer = await world.call("POST", "/auth/credentials/code", body, headers);
    expect(codeOf(answer)).toEqual([403, "TokenNarrowed"]);
  });

  it("is not made without the permission", async () => {
    const { token } = await world.tokenOf(["Auth:Creds:Read"]);
    const body = { expiration: inMinutes(1) };
    const headers = { authorization: `Bearer ${token}` };
    expect((await world.call("POST", "/auth/credentials/code", body, headers)).status).toBe(403);
  });

  it("is worth nothing once its user may act no longer", async () => {
    const { caller, token } = await world.tokenOf(["Auth:Creds:Code:Create"]);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await world.call("POST", "/auth/credentials/code", { expiration: inMinutes(1) }, headers);
    const { code } = z.looseObject({ code: z.string() }).parse(answer.body);
    await world.call("PUT", `/auth/users/${caller.userId}/deactivate`, {});
    expect(codeOf(await init(code))).toEqual([400, "OneTimeCodeInvalid"]);
  });
});

describe("INV-9 a code for another device ends, also once it was shown,", () => {
  /** A person with a session, whose administrators could log them out. */
  const person = async () => {
    const mayDo = ["Auth:Creds:Code:Create", "Auth:Creds:Read", "Auth:Creds:Update"] as const;
    const { caller, token } = await world.tokenOf(mayDo);
    for (const key of [makeClientKey(), makeClientKey()]) await enterKey(world, caller, key);
    const as = (method: string, path: string, body?: object) =>
      world.call(method, path, body, { authorization: `Bearer ${token}` });
    const newCode = async () =>
      z
        .looseObject({ code: z.string() })
        .parse((await as("POST", "/auth/credentials/code", { expiration: inMinutes(9) })).body).code;
    const code = await newCode();
    const challenge = challengeSchema.parse((await init(code)).body);
    return { caller, as, code: await newCode(), challenge };
  };

  it("when its user logs out everywhere", async () => {
    const { as, code, challenge } = await person();
    expect((await as("PUT", "/auth/logout", { allSessions: true })).status).toBe(200);
    expect(codeOf(await init(code))).toEqual([400, "OneTimeCodeInvalid"]);
    expect(codeOf(await verify(makeClientKey(), challenge))).toEqual([400, "ChallengeInvalid"]);
  });

  it("when its user is deactivated, whatever comes after that", async () => {
    const { caller, code, challenge } = await person();
    await world.call("PUT", `/auth/users/${caller.userId}/deactivate`, {});
    await world.call("PUT", `/auth/users/${caller.userId}/activate`, {});
    expect(codeOf(await init(code))).toEqual([400, "OneTimeCodeInvalid"]);
    expect(codeOf(await verify(makeClientKey(), challenge))).toEqual([400, "ChallengeInvalid"]);
  });

  it("when its user takes a credential out of use", async () => {
    const { as, code, challenge } = await person();
    const [credential] = z
      .object({ items: z.array(z.looseObject({ credentialUuid: z.string() })) })
      .parse((await as("GET", "/auth/credentials")).body).items;
    const answer = await as("PUT", "/auth/credentials/deactivate", {
      credentialUuid: credential?.credentialUuid,
    });
    expect(answer.status).toBe(200);
    expect(codeOf(await init(code))).toEqual([400, "OneTimeCodeInvalid"]);
    expect(codeOf(await verify(makeClientKey(), challenge))).toEqual([400, "ChallengeInvalid"]);
  });
});

describe("INV-9 a challenge by code", () => {
  it("is answered once, by a credential of its kind that signed it", async () => {
    const challenge = await begun();
    const key = makeClientKey();
    const invalid = [400, "ChallengeInvalid"];
    expect(codeOf(await verify(key, challenge, { credentialKind: "RecoveryKey" }))).toEqual(invalid);
    expect(codeOf(await verify(key, { ...(await begun()), challenge: challenge.challenge }))).toEqual([
      400,
      "CredentialRefused",
    ]);
    expect((await verify(key, challenge)).status).toBe(200);
    expect(codeOf(await verify(makeClientKey(), challenge))).toEqual(invalid);
  });

  it("is none of those that a logged-in user gets, and the other way round", async () => {
    const own = challengeSchema.parse(
      (await world.call("POST", "/auth/credentials/init", { kind: "Key" })).body,
    );
    expect(codeOf(await verify(makeClientKey(), own))).toEqual([400, "ChallengeInvalid"]);
    const { challenge, challengeIdentifier } = await begun();
    const answer = await world.call("POST", "/auth/credentials", {
      credentialKind: "Key",
      credentialName: "laptop",
      credentialInfo: attestationOf(makeClientKey(), challenge),
      challengeIdentifier,
    });
    expect(codeOf(answer)).toEqual([400, "ChallengeInvalid"]);
  });

  it("registers nothing for somebody who was deactivated meanwhile", async () => {
    const { caller, token } = await world.tokenOf(["Auth:Creds:Code:Create"]);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await world.call("POST", "/auth/credentials/code", { expiration: inMinutes(1) }, headers);
    const { code } = z.looseObject({ code: z.string() }).parse(answer.body);
    const challenge = challengeSchema.parse((await init(code)).body);
    await world.call("PUT", `/auth/users/${caller.userId}/deactivate`, {});
    expect(codeOf(await verify(makeClientKey(), challenge))).toEqual([400, "ChallengeInvalid"]);
  });
});
