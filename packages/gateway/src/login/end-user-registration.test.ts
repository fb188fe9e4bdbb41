import { randomUUID } from "node:crypto";
import { problem } from "@conclave/custody";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { attestationOf, keyFactor, makeClientKey } from "../testing/signers.ts";
import { ACTIVATED, ADDRESS, type Answer, startWorld, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ settlementWaitMs: 500 });
});
afterEach(() => world.script(ACTIVATED));
afterAll(() => world.stop());

const network = "EthereumSepolia";
const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const as = (token: string, method: string, path: string, body?: unknown) =>
  world.call(method, path, body, { authorization: `Bearer ${token}` });
const begunSchema = z.looseObject({
  challenge: z.string(),
  temporaryAuthenticationToken: z.string(),
  user: z.looseObject({ id: z.string() }),
});
const registeredSchema = z.looseObject({
  authentication: z.strictObject({ token: z.string() }),
  wallets: z.array(z.looseObject({ id: z.string(), signingKey: z.looseObject({ id: z.string() }) })),
});

/** An end user for whom the organisation vouches, and the key that they sign with. */
const invited = async () => {
  const email = randomUUID();
  const answer = await world.call("POST", "/auth/registration/delegated", { email, kind: "EndUser" });
  const { challenge, temporaryAuthenticationToken: token, user } = begunSchema.parse(answer.body);
  const key = makeClientKey();
  const register = (wallets: unknown) =>
    as(token, "POST", "/auth/registration/enduser", {
      firstFactorCredential: { credentialKind: "Key", credentialInfo: attestationOf(key, challenge) },
      wallets,
    });
  return { email, userId: user.id, key, token, register };
};
const isRegistered = async (userId: string) =>
  z.looseObject({ isRegistered: z.boolean() }).parse((await world.call("GET", `/auth/users/${userId}`)).body)
    .isRegistered;

describe("an end user", () => {
  it("is registered, logged in and has wallets by one call", async () => {
    const { email, userId, register } = await invited();
    const answer = await register([{ network, name: "first" }, { network: "KeyECDSA" }]);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        credential: { kind: "Key", name: "Key" },
        user: { id: userId, username: email, orgId: world.caller.orgId },
        wallets: [
          { network, name: "first", address: ADDRESS, status: "Active", custodial: false },
          { network: "KeyECDSA", status: "Active", signingKey: { delegatedTo: userId } },
        ],
      },
    });
    const { authentication, wallets } = registeredSchema.parse(answer.body);
    expect(new Set(wallets.map(({ signingKey }) => signingKey.id)).size).toBe(2);
    const own = await as(authentication.token, "GET", "/wallets");
    const listed = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) }).parse(own.body).items;
    expect(listed.map(({ id }) => id).sort()).toEqual(wallets.map(({ id }) => id).sort());
  });

  it("may register without a wallet", async () => {
    expect(await (await invited()).register([])).toMatchObject({ status: 200, body: { wallets: [] } });
  });

  it("is registered all the same when the signers take longer than callers wait, and finds the wallet later", async () => {
    world.script(undefined);
    const { email, userId, key, register } = await invited();
    expect(codeOf(await register([{ network }]))).toEqual([503, "RequestInProgress"]);
    expect(await isRegistered(userId)).toBe(true);
    const again = await register([{ network }]);
    expect(codeOf(again)).toEqual([401, "TokenInvalid"]);
    expect(errorOf(again.body)).toMatchObject({
      message: "The user has registered already.",
      details: { startAgain: "POST /auth/login/init" },
    });
    const { orgId } = world.caller;
    const begun = await world.call("POST", "/auth/login/init", { orgId, username: email });
    const { challenge, challengeIdentifier } = z
      .looseObject({ challenge: z.string(), challengeIdentifier: z.string() })
      .parse(begun.body);
    const firstFactor = keyFactor(key, challenge);
    expect((await world.call("POST", "/auth/login", { challengeIdentifier, firstFactor })).status).toBe(200);
  });

  it("receives the signers' result for the wallet", async () => {
    const refused = problem("SignersUnavailable", { unavailable: ["signer-2"] });
    world.script({ kind: "GenerationFailed", problem: refused });
    const { userId, register } = await invited();
    expect(codeOf(await register([{ network }]))).toEqual([503, "SignersUnavailable"]);
    expect(await isRegistered(userId)).toBe(true);
  });
});

describe("INV-9 the registration of an end user with wallets", () => {
  it.each([
    ["a network that is none", [{ network }, { network: "Atlantis" }], "NetworkUnknown"],
    ["a network that is not served", [{ network: "Polygon" }], "NetworkNotEnabled"],
    ["eleven wallets", Array.from({ length: 11 }, () => ({ network })), "InvalidBody"],
    ["no list", undefined, "InvalidBody"],
    ["a name that cannot be stored", [{ network, name: "a\u0000b" }], "InvalidBody"],
    ["a field of nobody", [{ network, delegateTo: "us-1" }], "InvalidBody"],
  ])("is refused with %s, and nobody is registered", async (_, wallets, code) => {
    const { userId, register } = await invited();
    const before = await world.rows();
    expect(codeOf(await register(wallets))).toEqual([400, code]);
    expect([await world.rows(), await isRegistered(userId)]).toEqual([before, false]);
    expect((await register([])).status).toBe(200);
  });

  it("serves once, and no employee, and takes no other token", async () => {
    const { register } = await invited();
    const invalid = [401, "TokenInvalid"];
    const answers = await Promise.all([register([{ network }]), register([{ network }])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(codeOf(await register([{ network }]))).toEqual(invalid);

    const employee = await world.call("POST", "/auth/users", {
      email: "employee@acme.example",
      kind: "CustomerEmployee",
    });
    const { registrationCode } = z.looseObject({ registrationCode: z.string() }).parse(employee.body);
    const asked = { orgId: world.caller.orgId, username: "employee@acme.example", registrationCode };
    const begun = begunSchema.parse((await world.call("POST", "/auth/registration/init", asked)).body);
    const body = {
      firstFactorCredential: {
        credentialKind: "Key",
        credentialInfo: attestationOf(makeClientKey(), begun.challenge),
      },
      wallets: [{ network }],
    };
    for (const other of [begun.temporaryAuthenticationToken, world.token, "none"]) {
      expect(codeOf(await as(other, "POST", "/auth/registration/enduser", body))).toEqual(invalid);
    }
  });

  it("needs the new credential to sign the challenge", async () => {
    const { token, userId } = await invited();
    const before = await world.rows();
    const wrong = {
      firstFactorCredential: {
        credentialKind: "Key",
        credentialInfo: attestationOf(makeClientKey(), "other"),
      },
      wallets: [{ network }],
    };
    const answer = await as(token, "POST", "/auth/registration/enduser", wrong);
    expect(codeOf(answer)).toEqual([400, "CredentialRefused"]);
    expect([await world.rows(), await isRegistered(userId)]).toEqual([before, false]);
  });
});
