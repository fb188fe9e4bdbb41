import { organisationIdSchema } from "@conclave/custody";
import type { JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshId } from "../fresh-id.ts";
import { type LyingAnswer, type LyingProvider, startLyingProvider } from "../testing/lying-provider.ts";
import { processWorld } from "../world.ts";
import { openIdentityProvider } from "./provider.ts";

const LOGIN = {
  redirectUri: "https://wallets.example.com/signed-in",
  state: "a state",
  nonce: "a nonce",
  codeVerifier: "v".repeat(43),
};
const EMAIL = "jane@acme.example";

let lying: LyingProvider;
const failures: unknown[] = [];
beforeAll(async () => {
  lying = await startLyingProvider();
});
afterAll(() => lying.stop());

const open = (usernameClaim = "email", requiredClaims: Readonly<Record<string, string>> = {}) =>
  openIdentityProvider(
    {
      orgId: freshId(organisationIdSchema, "or"),
      issuer: lying.issuer,
      clientId: "conclave",
      clientSecret: undefined,
      redirectUris: [LOGIN.redirectUri],
      usernameClaim,
      requiredClaims,
    },
    { world: processWorld, onFailure: (failure) => void failures.push(failure) },
  );

const claims = (differing: JWTPayload = {}): JWTPayload => {
  const now = Math.floor(processWorld.nowMs() / 1_000);
  const times = { iat: now, exp: now + 300 };
  const jane = { sub: "jane", email: EMAIL, email_verified: true };
  return { iss: lying.issuer, aud: "conclave", nonce: LOGIN.nonce, ...times, ...jane, ...differing };
};
const tokens = (idToken: string | undefined): string =>
  JSON.stringify({ access_token: "a", token_type: "Bearer", id_token: idToken });
const answering =
  (differing: JWTPayload, by?: "another key" | "no key"): LyingAnswer =>
  async ({ sign }) => ({ body: tokens(await sign(claims(differing), by)) });

const HOUR = 3_600;
const ago = (seconds: number): number => Math.floor(processWorld.nowMs() / 1_000) - seconds;

describe("an identity provider's answer", () => {
  it("is taken where signature, issuer, audience, nonce and times are those of the login", async () => {
    lying.answers(answering({}));
    expect(await open().usernameOf(LOGIN, "a code")).toEqual({ ok: true, value: EMAIL });
  });

  it("may name the employee by a claim that the operator chose", async () => {
    lying.answers(answering({ upn: "jane", email_verified: false }));
    expect(await open("upn").usernameOf(LOGIN, "a code")).toEqual({ ok: true, value: "jane" });
  });

  it("has the claims that the operator requires, with exactly these values", async () => {
    const jane = { ok: true, value: EMAIL };
    lying.answers(answering({ hd: "acme.example" }));
    expect(await open("email", { hd: "acme.example" }).usernameOf(LOGIN, "a code")).toEqual(jane);
    for (const hd of ["else.example", ["acme.example"], undefined]) {
      lying.answers(answering({ hd }));
      expect(await open("email", { hd: "acme.example" }).usernameOf(LOGIN, "a code")).toMatchObject({
        problem: { code: "IdentityNotVerified", details: { reason: "the ID token has another hd, or none" } },
      });
    }
  });

  it.each([
    ["calls itself by another name", { issuer: `http://127.0.0.1:1` }],
    ["names an address without TLS", { token_endpoint: "http://login.acme.example/token" }],
  ])("is not asked for where the provider %s", async (_, metadata) => {
    lying.answers(answering({}));
    lying.names(metadata);
    const answer = await open().usernameOf(LOGIN, "a code");
    lying.names({});
    expect(answer).toMatchObject({ ok: false, problem: { code: "IdentityProviderUnavailable" } });
  });

  it("is waited for by sixteen logins at a time: the next one is refused at once", async () => {
    let answer: (body: { readonly body: string }) => void = () => undefined;
    const silent = new Promise<{ readonly body: string }>((resolve) => {
      answer = resolve;
    });
    lying.answers(() => silent);
    const provider = open();
    const waiting = Array.from({ length: 16 }, () => provider.usernameOf(LOGIN, "a code"));
    expect(await provider.addressOf(LOGIN)).toMatchObject({
      problem: { code: "IdentityProviderUnavailable" },
    });
    answer({ body: "{}" });
    await Promise.all(waiting);
    expect((await provider.addressOf(LOGIN)).ok).toBe(true);
  });

  it.each<[string, LyingAnswer]>([
    ["a signature by another key", answering({}, "another key")],
    ["no signature", answering({}, "no key")],
    ["another issuer", answering({ iss: "https://else.example" })],
    ["another audience", answering({ aud: "another client" })],
    ["several audiences, and another client that asked", answering({ aud: ["conclave", "b"], azp: "b" })],
    ["the nonce of another login", answering({ nonce: "another" })],
    ["no nonce", answering({ nonce: undefined })],
    ["an end in the past", answering({ exp: ago(HOUR), iat: ago(2 * HOUR) })],
    ["a beginning in the future", answering({ nbf: ago(-HOUR) })],
    ["an address that is not verified", answering({ email_verified: false })],
    ["an address that is said to be verified by a text", answering({ email_verified: "true" })],
    ["an address that is no text", answering({ email: [EMAIL] })],
    ["an address that holds NUL", answering({ email: `${EMAIL}\0` })],
    ["an address longer than any", answering({ email: "a".repeat(300) })],
    ["no ID token", async () => ({ body: tokens(undefined) })],
    ["a refusal of the code", async () => ({ status: 400, body: '{"error":"invalid_grant"}' })],
  ])("does not vouch for a login with %s", async (_, answer) => {
    lying.answers(answer);
    expect(await open().usernameOf(LOGIN, "a code")).toMatchObject({
      ok: false,
      problem: { code: "IdentityNotVerified", details: { reason: expect.stringMatching(/^.{5,200}$/) } },
    });
  });

  it.each<[string, LyingAnswer]>([
    ["refuses the client", async () => ({ status: 401, body: '{"error":"invalid_client"}' })],
    ["fails", async () => ({ status: 500, body: "oops" })],
    ["redirects", async () => ({ status: 302, body: "" })],
    ["gives a text that is no ID token", async () => ({ body: tokens("a.b.c") })],
    ["answers no JSON", async () => ({ body: "<html>" })],
    ["answers without end", async () => ({ body: `{"a":"${"a".repeat(2_000_000)}"}` })],
  ])("is none where the provider %s", async (_, answer) => {
    lying.answers(answer);
    expect(await open().usernameOf(LOGIN, "a code")).toMatchObject({
      ok: false,
      problem: { code: "IdentityProviderUnavailable", details: {} },
    });
    expect(failures.at(-1)).toMatchObject({
      issuer: lying.issuer,
      reason: expect.stringMatching(/^.{5,200}$/),
    });
  });
});
