import { organisationIdSchema } from "@conclave/custody";
import { freshId, makeLogger } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../../testing/bodies.ts";
import {
  type ProviderAccount,
  startTestProvider,
  type TestProvider,
} from "../../testing/identity-provider.ts";
import { userOf } from "../../testing/people.ts";
import { attestationOf, keyFactor, makeClientKey } from "../../testing/signers.ts";
import { type Answer, startWorld, type World } from "../../testing/world.ts";
import { type IdentityProviders, makeIdentityProviders } from "./identity-providers.ts";

let provider: TestProvider;
let world: World;
/** the providers of the world, once its organisation has an id */
let providers: IdentityProviders;
beforeAll(async () => {
  provider = await startTestProvider();
  world = await startWorld({
    identityProviders: {
      of: (orgId) => providers.of(orgId),
      codeVerifierOf: (id) => providers.codeVerifierOf(id),
    },
  });
  providers = openProviders();
});
afterAll(async () => {
  await Promise.all([world.stop(), provider.stop()]);
});

const openProviders = (): IdentityProviders => {
  const { issuer, clientId, clientSecret, redirectUri } = provider;
  const entry = {
    issuer,
    clientId,
    clientSecret,
    redirectUris: [redirectUri],
    usernameClaim: "email",
    requiredClaims: {},
  };
  return makeIdentityProviders([{ ...entry, orgId: world.caller.orgId }], world.tokenKey, {
    world: processWorld,
    logger: makeLogger({ name: "gateway", level: "silent" }),
  });
};

const ANYBODY = { authorization: "" };
const codeOf = ({ status, body }: Answer) => [status, errorOf(body).details.code];
const begin = (body: object = {}) =>
  world.call(
    "POST",
    "/auth/login/oidc/init",
    { orgId: world.caller.orgId, redirectUri: provider.redirectUri, ...body },
    ANYBODY,
  );
const pageOf = ({ body }: Answer): string => z.object({ redirectUrl: z.string() }).parse(body).redirectUrl;
const answerOf = (sent: URLSearchParams) => ({ code: sent.get("code"), state: sent.get("state") });
const complete = (body: object) => world.call("POST", "/auth/login/oidc", body, ANYBODY);
const verified = (email: string): ProviderAccount => ({ sub: email, email, email_verified: true });
/** A whole login, as a client library does it with a browser between its two calls. */
const login = async (account: ProviderAccount): Promise<Answer> =>
  complete(answerOf(await provider.signIn(pageOf(await begin()), account)));

const loginSchema = z.object({
  token: z.string(),
  credentialChallenge: z.object({ challenge: z.string(), challengeIdentifier: z.string() }).optional(),
});
const as = (token: string, method: string, path: string, body?: unknown) =>
  world.call(method, path, body, { authorization: `Bearer ${token}` });

let named = 0;
const email = () => {
  named += 1;
  return `person-${named}@acme.example`;
};
const invite = async () => {
  const username = email();
  const { body } = await world.call("POST", "/auth/users", { email: username, kind: "CustomerEmployee" });
  return { username, ...z.object({ userId: z.string() }).parse(body) };
};

describe("a login at an identity provider", () => {
  it("opens a session of the employee whose address the provider has verified", async () => {
    const username = email();
    const userId = await userOf(world, "CustomerEmployee", username);
    const { status, body } = await login(verified(username));
    expect(status).toBe(200);
    const { token, credentialChallenge } = loginSchema.parse(body);
    expect(credentialChallenge).toBe(undefined);
    expect(await as(token, "GET", `/auth/users/${userId}`)).toMatchObject({
      status: 403,
      body: { error: { details: { code: "PermissionMissing" } } },
    });
    expect((await as(token, "PUT", "/auth/logout")).status).toBe(200);
    expect(codeOf(await as(token, "GET", "/auth/credentials"))[0]).toBe(401);
  });

  it("sends the browser with PKCE, a state that carries no secret, and the nonce of the client", async () => {
    const page = new URL(pageOf(await begin({ nonce: "chosen by the client" })));
    expect(page.origin).toBe(provider.issuer);
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      response_type: "code",
      client_id: provider.clientId,
      redirect_uri: provider.redirectUri,
      nonce: "chosen by the client",
      code_challenge_method: "S256",
    });
    const state = page.searchParams.get("state") ?? "";
    const { jti } = z.object({ jti: z.string() }).parse(JSON.parse(atob(state.split(".")[1] ?? "")));
    expect(Buffer.from(atob(state.split(".")[1] ?? "")).toString()).not.toContain(
      providers.codeVerifierOf(jti),
    );
  });

  it("gives an invited employee the challenge of a first credential, which registers the employee once", async () => {
    const { username } = await invite();
    const { credentialChallenge } = loginSchema.parse((await login(verified(username))).body);
    const { challenge, challengeIdentifier } = credentialChallenge ?? expect.fail("there is a challenge");
    const key = makeClientKey();
    const first = {
      credentialKind: "Key",
      credentialName: "Laptop",
      credentialInfo: attestationOf(key, challenge),
      challengeIdentifier,
    };
    const register = () => world.call("POST", "/auth/login/oidc/credentials", first, ANYBODY);
    expect(await register()).toMatchObject({ status: 200, body: { kind: "Key", name: "Laptop" } });
    expect(codeOf(await register())).toEqual([401, "TokenInvalid"]);
    const begun = await world.call("POST", "/auth/login/init", { orgId: world.caller.orgId, username });
    const asked = z.object({ challenge: z.string(), challengeIdentifier: z.string() }).parse(begun.body);
    const { challengeIdentifier: identifier } = asked;
    const signed = { challengeIdentifier: identifier, firstFactor: keyFactor(key, asked.challenge) };
    expect((await world.call("POST", "/auth/login", signed, ANYBODY)).status).toBe(200);
    expect(loginSchema.parse((await login(verified(username))).body).credentialChallenge).toBe(undefined);
  });

  it("is the same by the names of older clients", async () => {
    const username = email();
    await userOf(world, "CustomerEmployee", username);
    const body = {
      orgId: world.caller.orgId,
      clientId: provider.clientId,
      redirectUri: provider.redirectUri,
    };
    const begun = await world.call("POST", "/auth/login/sso/init", body, ANYBODY);
    const page = z.object({ ssoRedirectUrl: z.string() }).parse(begun.body).ssoRedirectUrl;
    const sent = answerOf(await provider.signIn(page, verified(username)));
    const { status, body: session } = await world.call("POST", "/auth/login/sso", sent, ANYBODY);
    expect([status, Object.keys(session ?? {})]).toEqual([200, ["token"]]);
    expect(
      codeOf(await world.call("POST", "/auth/login/sso/init", { ...body, clientId: "another" }, ANYBODY)),
    ).toEqual([400, "IdentityProviderNotConfigured"]);
  });

  it.each<[string, (username: string) => ProviderAccount, readonly unknown[]]>([
    [
      "that the provider has not verified",
      (name) => ({ ...verified(name), email_verified: false }),
      [401, "IdentityNotVerified"],
    ],
    [
      "of which the provider does not say that it has verified it",
      (name) => ({ sub: name, email: name }),
      [401, "IdentityNotVerified"],
    ],
    [
      "that the provider does not tell",
      (name) => ({ sub: name, email_verified: true }),
      [401, "IdentityNotVerified"],
    ],
    ["that no employee has", (name) => verified(`no.${name}`), [401, "LoginRefused"]],
  ])("is refused for an address %s", async (_, accountOf, refusal) => {
    const username = email();
    await userOf(world, "CustomerEmployee", username);
    expect(codeOf(await login(accountOf(username)))).toEqual(refusal);
  });

  it("is refused for an end user, whom the organisation's provider does not know", async () => {
    const username = email();
    await userOf(world, "EndUser", username);
    expect(codeOf(await login(verified(username)))).toEqual([401, "LoginRefused"]);
  });

  it("is refused for a deactivated employee", async () => {
    const username = email();
    const userId = await userOf(world, "CustomerEmployee", username);
    await world.call("PUT", `/auth/users/${userId}/deactivate`);
    expect(codeOf(await login(verified(username)))).toEqual([400, "UserDeactivated"]);
  });

  it("serves once: a state and a code are spent, whether or not the login succeeds", async () => {
    const username = email();
    await userOf(world, "CustomerEmployee", username);
    const sent = answerOf(await provider.signIn(pageOf(await begin()), verified(username)));
    const twice = await Promise.all([complete(sent), complete(sent)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(codeOf(await complete(sent))).toEqual([400, "ChallengeInvalid"]);
    const later = answerOf(await provider.signIn(pageOf(await begin()), verified(username)));
    expect(codeOf(await complete({ ...later, code: sent.code }))).toEqual([401, "IdentityNotVerified"]);
    expect(codeOf(await complete(later))).toEqual([400, "ChallengeInvalid"]);
  });

  it("takes no code that was given for another state: its verifier and nonce differ", async () => {
    const username = email();
    await userOf(world, "CustomerEmployee", username);
    const victims = answerOf(await provider.signIn(pageOf(await begin()), verified(username)));
    const own = new URL(pageOf(await begin())).searchParams.get("state");
    expect(codeOf(await complete({ code: victims.code, state: own }))).toEqual([401, "IdentityNotVerified"]);
  });

  it("takes no answer of another provider, and no state that is a challenge of another purpose", async () => {
    const username = email();
    await userOf(world, "CustomerEmployee", username);
    const sent = answerOf(await provider.signIn(pageOf(await begin()), verified(username)));
    expect(codeOf(await complete({ ...sent, iss: "https://else.example" }))).toEqual([
      401,
      "IdentityNotVerified",
    ]);
    expect((await complete({ ...sent, iss: provider.issuer })).status).toBe(200);
    const begun = await world.call("POST", "/auth/login/init", { orgId: world.caller.orgId, username });
    const { challengeIdentifier } = z.object({ challengeIdentifier: z.string() }).parse(begun.body);
    expect(codeOf(await complete({ ...sent, state: challengeIdentifier }))).toEqual([
      400,
      "ChallengeInvalid",
    ]);
  });

  it("is refused where the organisation has no provider, or the redirect address is not listed", async () => {
    const orgId = freshId(organisationIdSchema, "or");
    expect(codeOf(await begin({ orgId }))).toEqual([400, "IdentityProviderNotConfigured"]);
    const near = `${provider.redirectUri}/`;
    expect(codeOf(await begin({ redirectUri: near }))).toEqual([400, "RedirectUriUnknown"]);
  });

  it("waits for nobody while the provider is away, and goes on once it is back", async () => {
    const username = email();
    await userOf(world, "CustomerEmployee", username);
    providers = openProviders();
    provider.setAway(true);
    expect(codeOf(await begin())).toEqual([503, "IdentityProviderUnavailable"]);
    provider.setAway(false);
    // a failed reading of the provider's metadata is repeated after some seconds
    await expect.poll(async () => (await begin()).status).toBe(200);
    const sent = answerOf(await provider.signIn(pageOf(await begin()), verified(username)));
    provider.setAway(true);
    expect(codeOf(await complete(sent))).toEqual([503, "IdentityProviderUnavailable"]);
    provider.setAway(false);
    expect((await login(verified(username))).status).toBe(200);
  });
});
