import { FULL_ADMIN_NAME, organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import {
  attestationOf,
  type ClientKey,
  keyFactor,
  makeAuthenticator,
  makeClientKey,
} from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

const SIX_HOURS = 6 * 3_600;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const challengeSchema = z.looseObject({
  challenge: z.string(),
  challengeIdentifier: z.string(),
  allowCredentials: z.looseObject({
    key: z.array(z.object({ type: z.string(), id: z.string() })),
    webauthn: z.array(z.object({ type: z.string(), id: z.string() })),
  }),
});
const challengeOf = (answer: Answer) => challengeSchema.parse(answer.body);
const invitedSchema = z.looseObject({ userId: z.string(), registrationCode: z.string() });
const registrationSchema = z.looseObject({
  challenge: z.string(),
  temporaryAuthenticationToken: z.string(),
});

let invited = 0;
const invite = async () => {
  invited += 1;
  const email = `person-${invited}@acme.example`;
  const answer = await world.call("POST", "/auth/users", { email, kind: "CustomerEmployee" });
  return { email, ...invitedSchema.parse(answer.body) };
};
const open = (username: string, registrationCode: string) =>
  world.call("POST", "/auth/registration/init", { orgId: world.caller.orgId, username, registrationCode });
const register = (temporary: string, body: unknown) =>
  world.call("POST", "/auth/registration", body, { authorization: `Bearer ${temporary}` });
const keyOf = (key: ClientKey, challenge: string) => ({
  firstFactorCredential: { credentialKind: "Key", credentialInfo: attestationOf(key, challenge) },
});
/** A person who has registered a key. */
const member = async () => {
  const { email, userId, registrationCode } = await invite();
  const begun = registrationSchema.parse((await open(email, registrationCode)).body);
  const key = makeClientKey();
  const answer = await register(begun.temporaryAuthenticationToken, keyOf(key, begun.challenge));
  expect(answer.status).toBe(200);
  return { email, userId, key };
};
const begin = (username?: string, orgId: string = world.caller.orgId) =>
  world.call("POST", "/auth/login/init", { orgId, ...(username === undefined ? {} : { username }) });
/** Logs in as DfnsAuthenticator.login of the vendor's library does, with its AsymmetricKeySigner. */
const login = async (username: string, key: ClientKey) => {
  const begun = challengeOf(await begin(username));
  const allowed = begun.allowCredentials.key.map(({ id }) => id);
  if (!allowed.includes(key.credId)) throw new Error(`${key.credId} does not match allowed credentials`);
  const { challengeIdentifier, challenge } = begun;
  return world.call("POST", "/auth/login", { challengeIdentifier, firstFactor: keyFactor(key, challenge) });
};
const tokenOf = (answer: Answer): string => z.object({ token: z.string() }).parse(answer.body).token;
const as = (token: string, method: string, path: string, body?: unknown) =>
  world.call(method, path, body, { authorization: `Bearer ${token}` });

/** Selects transactions of this world that wait for a row. */
const WAITING_FOR_A_ROW = `select from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')`;

it("INV-11 a login at the moment at which its key ends opens no session", async () => {
  const { email, key } = await member();
  const { challenge, challengeIdentifier } = challengeOf(await begin(email));
  const { ended } = await world.database.transaction(async (connection) => {
    await connection.execute("update credentials set is_active = false where id = $1", [key.credId]);
    const begun = world.call("POST", "/auth/login", {
      challengeIdentifier,
      firstFactor: keyFactor(key, challenge),
    });
    await expect.poll(() => world.database.execute(WAITING_FOR_A_ROW, [])).toBe(1);
    return { ended: begun };
  });
  expect(codeOf(await ended)).toEqual([401, "LoginRefused"]);
});

describe("somebody who was invited", () => {
  it("registers a first credential by the code, and logs in with it", async () => {
    const { email, registrationCode, userId } = await invite();
    const begun = await open(email, registrationCode);
    expect(begun).toMatchObject({
      status: 200,
      body: { user: { id: userId, name: email }, rp: { id: "localhost" }, attestation: "none" },
    });
    const { challenge, temporaryAuthenticationToken } = registrationSchema.parse(begun.body);
    const key = makeClientKey();
    const answer = await register(temporaryAuthenticationToken, keyOf(key, challenge));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        credential: { kind: "Key", name: "Key" },
        user: { id: userId, username: email, orgId: world.caller.orgId },
      },
    });
    const token = tokenOf(await login(email, key));
    expect((await as(token, "GET", "/auth/pats")).body).toEqual({ items: [] });
    const user = await world.call("GET", `/auth/users/${userId}`);
    expect(user.body).toMatchObject({ isRegistered: true, isActive: true });
  });

  it("registers an authenticator and a recovery key at once", async () => {
    const { email, registrationCode } = await invite();
    const begun = registrationSchema.parse((await open(email, registrationCode)).body);
    const authenticator = makeAuthenticator();
    const recovery = makeClientKey("P-256");
    const answer = await register(begun.temporaryAuthenticationToken, {
      firstFactorCredential: {
        credentialKind: "Fido2",
        credentialInfo: authenticator.attest(begun.challenge),
        credentialName: "phone",
      },
      recoveryCredential: {
        credentialKind: "RecoveryKey",
        credentialInfo: attestationOf(recovery, begun.challenge),
        encryptedPrivateKey: "sealed",
      },
    });
    expect(answer).toMatchObject({ status: 200, body: { credential: { kind: "Fido2", name: "phone" } } });
    const { challenge, challengeIdentifier, allowCredentials } = challengeOf(await begin(email));
    expect(allowCredentials).toEqual({
      key: [],
      webauthn: [{ type: "public-key", id: authenticator.credId }],
    });
    const firstFactor = { kind: "Fido2", credentialAssertion: authenticator.assert(challenge) };
    const answered = await world.call("POST", "/auth/login", { challengeIdentifier, firstFactor });
    expect(answered.status).toBe(200);
    // an authenticator identifies its user, so no username is needed
    const nobody = challengeOf(await begin());
    const known = await world.call("POST", "/auth/login", {
      challengeIdentifier: nobody.challengeIdentifier,
      firstFactor: { kind: "Fido2", credentialAssertion: authenticator.assert(nobody.challenge) },
    });
    expect(known.status).toBe(200);
  });

  it.each([
    ["another code", "nonsense"],
    ["no code", ""],
  ])("is not let in by %s", async (_, code) => {
    const { email } = await invite();
    expect(codeOf(await open(email, code))).toEqual([400, "RegistrationCodeInvalid"]);
    expect(codeOf(await open("nobody@acme.example", code))).toEqual([400, "RegistrationCodeInvalid"]);
  });

  it("registers once, and nobody registers by an old code, another token, or half of the credentials", async () => {
    const { email, registrationCode } = await invite();
    const begun = registrationSchema.parse((await open(email, registrationCode)).body);
    const key = makeClientKey();
    const body = keyOf(key, begun.challenge);
    const half = { ...body, secondFactorCredential: keyOf(makeClientKey(), "other").firstFactorCredential };
    const token = begun.temporaryAuthenticationToken;
    expect(codeOf(await register(token, half))).toEqual([400, "CredentialRefused"]);
    expect(codeOf(await register(world.token, body))).toEqual([401, "TokenInvalid"]);
    expect(codeOf(await as(token, "GET", "/wallets"))).toEqual([401, "TokenInvalid"]);
    expect((await register(token, body)).status).toBe(200);
    expect(codeOf(await register(token, body))).toEqual([401, "TokenInvalid"]);
    expect(codeOf(await open(email, registrationCode))).toEqual([400, "RegistrationCodeInvalid"]);
  });

  it("is too late after a week", async () => {
    const { email, registrationCode } = await invite();
    await world.database.execute(
      "update users set date_registration_expires = now() - interval '1 second' where username = $1",
      [email],
    );
    expect(codeOf(await open(email, registrationCode))).toEqual([400, "RegistrationCodeExpired"]);
  });
});

describe("logging in", () => {
  it("takes a challenge once", async () => {
    const { email, key } = await member();
    const { challengeIdentifier, challenge } = challengeOf(await begin(email));
    const body = { challengeIdentifier, firstFactor: keyFactor(key, challenge) };
    expect((await world.call("POST", "/auth/login", body)).status).toBe(200);
    expect(codeOf(await world.call("POST", "/auth/login", body))).toEqual([400, "ChallengeInvalid"]);
  });

  it("takes a challenge for five minutes", async () => {
    const { email, key } = await member();
    const { challengeIdentifier, challenge } = challengeOf(await begin(email));
    world.advance(300_000);
    const body = { challengeIdentifier, firstFactor: keyFactor(key, challenge) };
    expect(codeOf(await world.call("POST", "/auth/login", body))).toEqual([400, "ChallengeInvalid"]);
    world.advance(-300_000);
  });

  it("refuses a colleague's key, a challenge of something else, and a signature over another challenge", async () => {
    const { email, key } = await member();
    const other = await member();
    const { challengeIdentifier, challenge } = challengeOf(await begin(email));
    const send = (identifier: string, factor: object) =>
      world.call("POST", "/auth/login", { challengeIdentifier: identifier, firstFactor: factor });
    const refused = [401, "LoginRefused"];
    expect(codeOf(await send(challengeIdentifier, keyFactor(other.key, challenge)))).toEqual(refused);
    expect(codeOf(await send(challengeIdentifier, keyFactor(key, "other")))).toEqual(refused);
    const action = challengeOf(
      await world.call("POST", "/auth/action/init", {
        userActionPayload: "",
        userActionHttpMethod: "GET",
        userActionHttpPath: "/",
      }),
    );
    expect(codeOf(await send(action.challengeIdentifier, keyFactor(key, action.challenge)))).toEqual([
      400,
      "ChallengeInvalid",
    ]);
  });

  it("is refused to somebody who was deactivated, and logged out they are at once", async () => {
    const { email, key, userId } = await member();
    const token = tokenOf(await login(email, key));
    expect((await world.call("PUT", `/auth/users/${userId}/deactivate`, {})).status).toBe(200);
    expect(codeOf(await as(token, "GET", "/auth/pats"))).toEqual([401, "TokenInvalid"]);
    expect(codeOf(await login(email, key))).toEqual([400, "UserDeactivated"]);
    expect((await world.call("PUT", `/auth/users/${userId}/activate`, {})).status).toBe(200);
    expect(codeOf(await as(token, "GET", "/auth/pats"))).toEqual([401, "TokenInvalid"]);
    expect((await as(tokenOf(await login(email, key)), "GET", "/auth/pats")).status).toBe(200);
  });

  it("ends when the credential that it was opened with is deactivated, but for one's own", async () => {
    const { email, key, userId } = await member();
    const session = async (by: ClientKey) => tokenOf(await login(email, by));
    const [stolen, old] = [await session(key), await session(key)];
    const operations = ["Auth:Creds:Create", "Auth:Creds:Read", "Auth:Creds:Update"];
    const made = await world.call("POST", "/permissions", { name: "own credentials", operations });
    const { id } = z.looseObject({ id: z.string() }).parse(made.body);
    await world.call("POST", `/permissions/${id}/assignments`, { identityId: userId });
    const begun = z
      .looseObject({ challenge: z.string(), challengeIdentifier: z.string() })
      .parse((await as(old, "POST", "/auth/credentials/init", { kind: "Key" })).body);
    const fresh = makeClientKey();
    const added = await as(old, "POST", "/auth/credentials", {
      challengeIdentifier: begun.challengeIdentifier,
      credentialName: "fresh",
      credentialKind: "Key",
      credentialInfo: attestationOf(fresh, begun.challenge),
    });
    expect(added.status).toBe(200);
    const { items } = z
      .looseObject({ items: z.array(z.looseObject({ credentialUuid: z.string(), name: z.string() })) })
      .parse((await as(old, "GET", "/auth/credentials")).body);
    const credentialUuid = items.find(({ name }) => name !== "fresh")?.credentialUuid;
    const other = await session(fresh);
    expect((await as(old, "PUT", "/auth/credentials/deactivate", { credentialUuid })).status).toBe(200);
    const read = async (token: string) => (await as(token, "GET", "/auth/credentials")).status;
    expect([await read(stolen), await read(old), await read(other)]).toEqual([401, 200, 200]);
  });

  it("lasts six hours", async () => {
    const { email, key } = await member();
    const token = tokenOf(await login(email, key));
    const [, payload = ""] = token.split(".");
    const { exp, iat } = z
      .looseObject({ exp: z.int(), iat: z.int() })
      .parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
    expect(exp - iat).toBe(SIX_HOURS);
  });

  it.each([
    ["PUT", {}, [401, 200]],
    ["POST", undefined, [401, 200]],
    ["PUT", { allSessions: true }, [401, 401]],
  ] as const)("out by %s with %j ends the session", async (method, body, statuses) => {
    const { email, key } = await member();
    const token = tokenOf(await login(email, key));
    const other = tokenOf(await login(email, key));
    expect((await as(token, method, "/auth/logout", body)).body).toEqual({ message: "success" });
    const answers = [await as(token, "GET", "/auth/pats"), await as(other, "GET", "/auth/pats")];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });
});

describe("an end user", () => {
  const delegate = (email: string, path = "/auth/registration/delegated") =>
    world.call("POST", path, { email, kind: "EndUser" });

  it("is registered and logged in on the word of their organisation", async () => {
    const begun = registrationSchema.parse((await delegate("customer-1")).body);
    const again = await delegate("customer-1", "/auth/registration/delegated/restart");
    const { challenge, temporaryAuthenticationToken } = registrationSchema.parse(again.body);
    expect(challenge).not.toBe(begun.challenge);
    const registered = await register(temporaryAuthenticationToken, keyOf(makeClientKey(), challenge));
    expect(registered.body).toMatchObject({ user: { username: "customer-1" } });
    expect(codeOf(await delegate("customer-1"))).toEqual([409, "UserNameTaken"]);
    expect(codeOf(await delegate("customer-1", "/auth/registration/delegated/restart"))).toEqual([
      404,
      "UserNotFound",
    ]);
    const token = tokenOf(await world.call("POST", "/auth/login/delegated", { username: "customer-1" }));
    expect((await as(token, "GET", "/auth/pats")).body).toEqual({ items: [] });
    expect((await as(token, "GET", "/auth/credentials")).status).toBe(200);
    expect((await as(token, "GET", "/auth/users")).status).toBe(403);
  });

  it("is not vouched for without the permission, nor is an employee, nor another organisation's", async () => {
    const { email } = await member();
    await delegate("customer-2");
    const send = (token: string, username: string) =>
      as(token, "POST", "/auth/login/delegated", { username });
    const { token } = await world.tokenOf(["Auth:Users:Read"]);
    expect(codeOf(await send(token, "customer-2"))).toEqual([403, "PermissionMissing"]);
    expect(codeOf(await send(world.token, email))).toEqual([404, "UserNotFound"]);
    expect(codeOf(await send(world.strangersToken, "customer-2"))).toEqual([404, "UserNotFound"]);
  });
});

describe("row 16: who logs end users in on their own word", () => {
  const vouching = ["Auth:Login:Delegated", "Auth:Register:Delegated"] as const;
  const permissionOf = async (name: string, operations: readonly string[]) => {
    const answer = await world.call("POST", "/permissions", { name, operations });
    return z.looseObject({ id: z.string() }).parse(answer.body).id;
  };
  const endUser = async (username: string, ...operations: readonly string[]) => {
    const path = "/auth/registration/delegated";
    const answer = await world.call("POST", path, { email: username, kind: "EndUser" });
    const { id } = z.looseObject({ user: z.looseObject({ id: z.string() }) }).parse(answer.body).user;
    if (operations.length === 0) return;
    const permissionId = await permissionOf(`of-${username}`, operations);
    await world.call("POST", `/permissions/${permissionId}/assignments`, { identityId: id });
  };

  it("comes to no right that it does not hold, by an end user who was given it", async () => {
    await endUser("plain");
    await endUser("treasurer", "Wallets:Read", "Policies:Archive");
    const send = async (token: string, username: string) =>
      (await as(token, "POST", "/auth/login/delegated", { username })).status;
    const { token } = await world.tokenOf(vouching);
    expect([await send(token, "plain"), await send(token, "treasurer")]).toEqual([200, 403]);
    const { token: wider } = await world.tokenOf([...vouching, "Policies:Archive"]);
    expect(await send(wider, "treasurer")).toBe(200);
    expect(await send(world.token, "treasurer")).toBe(200);
  });

  it("registers no first credential for such an end user either", async () => {
    await endUser("plain-2");
    await endUser("treasurer-2", "Policies:Archive");
    const { token } = await world.tokenOf(vouching);
    const restart = async (email: string) =>
      as(token, "POST", "/auth/registration/delegated/restart", { email, kind: "EndUser" });
    expect((await restart("plain-2")).status).toBe(200);
    expect(codeOf(await restart("treasurer-2"))).toEqual([403, "PermissionMissing"]);
  });
});

describe("row 16: a token of the launcher, which has no row,", () => {
  const person = () => world.tokenOf(["Wallets:Read"]);
  it.each([
    ["PUT", "of its own", {}],
    ["POST", "of its own, as older clients end it", undefined],
    ["PUT", "and all others", { allSessions: true }],
  ] as const)("is ended by %s /auth/logout %s", async (method, _, body) => {
    const { token } = await person();
    expect((await as(token, "GET", "/wallets")).status).toBe(200);
    expect((await as(token, method, "/auth/logout", body)).status).toBe(200);
    expect(codeOf(await as(token, "GET", "/wallets"))).toEqual([401, "TokenInvalid"]);
  });

  it("ends when its user is deactivated, and is not good again once that one is active", async () => {
    const { token, caller } = await person();
    for (const act of ["deactivate", "activate"]) {
      expect((await world.call("PUT", `/auth/users/${caller.userId}/${act}`, {})).status).toBe(200);
    }
    expect(codeOf(await as(token, "GET", "/wallets"))).toEqual([401, "TokenInvalid"]);
  });

  it("stays when its user ends a session that has a row, or logs out a long-lived token", async () => {
    const { email, key, userId } = await member();
    const session = tokenOf(await login(email, key));
    const permissionId = await permissionOfAll();
    await world.call("POST", `/permissions/${permissionId}/assignments`, { identityId: userId });
    const publicKey = key.publicKey;
    const made = await as(session, "POST", "/auth/pats", { name: "pat", publicKey });
    const { accessToken } = z.looseObject({ accessToken: z.string() }).parse(made.body);
    const launched = await world.issue({
      ...world.caller,
      userId: userIdSchema.parse(userId),
      tokenId: freshId(tokenIdSchema, "to"),
    });
    for (const token of [accessToken, session]) {
      expect((await as(token, "PUT", "/auth/logout", {})).status).toBe(200);
    }
    expect((await as(launched, "GET", "/auth/pats")).status).toBe(200);
    expect((await as(accessToken, "GET", "/auth/pats")).status).toBe(200);
    expect(codeOf(await as(session, "GET", "/auth/pats"))).toEqual([401, "TokenInvalid"]);
  });
});

/** The permission with all operations. */
const permissionOfAll = async (): Promise<string> => {
  const list = z.looseObject({ items: z.array(z.looseObject({ id: z.string(), name: z.string() })) });
  const { items } = list.parse((await world.call("GET", "/permissions?limit=500")).body);
  return items.find(({ name }) => name === FULL_ADMIN_NAME)?.id ?? "";
};

describe("INV-9 refused:", () => {
  const orgId = freshId(organisationIdSchema, "or");
  const firstFactor = keyFactor(makeClientKey(), "AAAA");
  it.each<readonly [string, string, unknown, number, string]>([
    ["no organisation", "/auth/login/init", { username: "a" }, 400, "InvalidBody"],
    ["an organisation of another shape", "/auth/login/init", { orgId: "acme" }, 400, "InvalidBody"],
    ["a username of NUL", "/auth/login/init", { orgId, username: "\0" }, 400, "InvalidBody"],
    ["an unknown field", "/auth/login/init", { orgId, password: "x" }, 400, "InvalidBody"],
    ["no challenge", "/auth/login", { firstFactor }, 400, "InvalidBody"],
    ["no signature", "/auth/login", { challengeIdentifier: "a" }, 400, "InvalidBody"],
    [
      "a password",
      "/auth/login",
      { challengeIdentifier: "a", firstFactor: { kind: "Password", password: "b" } },
      400,
      "InvalidBody",
    ],
    [
      "a forged challenge",
      "/auth/login",
      { challengeIdentifier: "a.b.c", firstFactor },
      400,
      "ChallengeInvalid",
    ],
    [
      "a credId of NUL",
      "/auth/login",
      { challengeIdentifier: "a", firstFactor: keyFactor({ ...makeClientKey(), credId: "\0" }, "AAAA") },
      400,
      "InvalidBody",
    ],
    ["no code", "/auth/registration/init", { orgId, username: "a" }, 400, "InvalidBody"],
    [
      "a code of nobody",
      "/auth/registration/init",
      { orgId, username: "a", registrationCode: "b" },
      400,
      "RegistrationCodeInvalid",
    ],
    ["no credential", "/auth/registration", {}, 400, "InvalidBody"],
    [
      "a delegated employee",
      "/auth/registration/delegated",
      { email: "a", kind: "CustomerEmployee" },
      400,
      "InvalidBody",
    ],
    [
      "a name like an id",
      "/auth/registration/delegated",
      { email: "us-1", kind: "EndUser" },
      400,
      "InvalidBody",
    ],
    ["a session of nobody", "/auth/login/delegated", { username: "nobody" }, 404, "UserNotFound"],
  ])("%s", async (_, path, body, status, code) => {
    expect(codeOf(await world.call("POST", path, body))).toEqual([status, code]);
  });

  it("a registration without its token", async () => {
    const answer = await world.call("POST", "/auth/registration", keyOf(makeClientKey(), "AAAA"), {
      authorization: "",
    });
    expect(codeOf(answer)).toEqual([401, "TokenInvalid"]);
  });

  it("a code asked for again is answered the same way for everybody", async () => {
    const { email } = await invite();
    const ask = (username: string) => world.call("PUT", "/auth/registration/code", { orgId, username });
    const answer = await ask(email);
    expect([answer.status, (await ask("nobody")).body]).toEqual([200, answer.body]);
  });
});
