import { createHash } from "node:crypto";
import { createApplicationBodySchema } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readGatewayConfig } from "../config.ts";
import { errorOf } from "../testing/bodies.ts";
import { type Actor, actionOf, enterKey, makeActor, type Signed } from "../testing/signed-actions.ts";
import { type Authenticator, makeAuthenticator } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

/** The origin of an Android app (CallingAppInfo.getOrigin): the SHA-256 of its signing certificate, in base64url. */
const appOf = (certificate: string): string =>
  `android:apk-key-hash:${createHash("sha256").update(certificate).digest("base64url")}`;
const APP = appOf("the shop's certificate");
const STRANGER = appOf("another certificate");
const SHOP = { name: "shop for Android", relyingPartyId: "shop.example", origin: APP };

const HASH = APP.slice("android:apk-key-hash:".length);
const REFUSED: readonly (readonly [string, string])[] = [
  ["without a hash", "android:apk-key-hash:"],
  ["with a digit too few", APP.slice(0, -1)],
  ["with a digit too many", `${APP}A`],
  ["with padding", `${APP}=`],
  ["with digits of base64 that are none of base64url", `android:apk-key-hash:${"+/".repeat(21)}A`],
  ["with bits that no hash has", `android:apk-key-hash:${"A".repeat(42)}B`],
  ["with the hash in hexadecimal", `android:apk-key-hash:${Buffer.from(HASH, "base64url").toString("hex")}`],
  ["with colons, as keytool prints it", `android:apk-key-hash:${"AB:".repeat(31)}AB`],
  ["in capitals", APP.toUpperCase()],
  ["of another system", `ios:bundle-id:${HASH}`],
  ["with a path", `${APP}/`],
  ["with a line's end", `${APP}\n`],
];

describe("the origin of an app of Android", () => {
  const body = { ...SHOP, kind: "ClientSideApplication" };
  const configured = (party: string) =>
    readGatewayConfig({
      DATABASE_URL: "postgres://conclave@localhost/one",
      CONCLAVE_NATS_URL: "nats://localhost:4222",
      CONCLAVE_NATS_TOKEN: "token",
      CONCLAVE_GATEWAY_DIR: "/gateway",
      CONCLAVE_ROSTER: "/roster.json",
      CONCLAVE_NETWORKS: "/networks.json",
      CONCLAVE_RELYING_PARTIES: party,
    }).CONCLAVE_RELYING_PARTIES;

  it("is taken of an application, and of the cluster's own relying parties", () => {
    expect(createApplicationBodySchema.parse(body)).toMatchObject({ origin: APP });
    const pages = "shop.example=https://shop.example";
    expect(configured(`${pages},shop.example=${APP}`)).toEqual([
      { id: "shop.example", origin: "https://shop.example" },
      { id: "shop.example", origin: APP },
    ]);
  });

  it.each(REFUSED)("INV-9 is refused %s", (_, origin) => {
    expect(createApplicationBodySchema.safeParse({ ...body, origin }).success).toBe(false);
    expect(() => configured(`shop.example=${origin}`)).toThrow(/CONCLAVE_RELYING_PARTIES/);
  });
});

let world: World;
let actor: Actor;
let appId: string;
beforeAll(async () => {
  world = await startWorld({ userActionsRequired: true });
  actor = makeActor(world);
  await enterKey(world, world.caller, actor.admin);
  const body = { ...SHOP, kind: "ClientSideApplication" };
  const made = await actor.act({ method: "POST", path: "/auth/apps", body });
  appId = z.looseObject({ appId: z.string() }).parse(made.body).appId;
  const page = { ...body, name: "shop", relyingPartyId: "page.example", origin: "https://page.example" };
  expect((await actor.act({ method: "POST", path: "/auth/apps", body: page })).status).toBe(200);
});
afterAll(() => world.stop());

const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const begunSchema = z.looseObject({ challenge: z.string(), challengeIdentifier: z.string() });
const register = async (authenticator: Authenticator): Promise<Answer> => {
  const begun = await world.call("POST", "/auth/credentials/init", { kind: "Fido2" });
  const { challenge, challengeIdentifier } = begunSchema.parse(begun.body);
  const credentialInfo = authenticator.attest(challenge);
  const body = { credentialKind: "Fido2", credentialName: "phone", challengeIdentifier, credentialInfo };
  return actor.act({ method: "POST", path: "/auth/credentials", body });
};
let named = 0;
/** Makes a unique change, signed by an authenticator. @returns the answers to the signature and to the change */
const sign = async (authenticator: Authenticator, more: Readonly<Record<string, unknown>> = {}) => {
  named += 1;
  const request: Signed = {
    method: "POST",
    path: "/permissions",
    body: { name: `role-${named}`, operations: [] },
  };
  const { challenge, challengeIdentifier } = await actor.begin(request);
  const credentialAssertion = authenticator.assert(challenge, more);
  const signed = await actor.finish(challengeIdentifier, { kind: "Fido2", credentialAssertion });
  return { signed, send: () => actor.send(request, actionOf(signed)) };
};
const passkey = (origin: string, rpId = "shop.example") => makeAuthenticator({ origin, rpId });

describe("a passkey in an app of Android", () => {
  it("is registered where the app is listed, and signs actions", async () => {
    const authenticator = passkey(APP);
    expect(await register(authenticator)).toMatchObject({
      status: 200,
      body: { kind: "Fido2", relyingPartyId: "shop.example", origin: APP },
    });
    const { send } = await sign(authenticator);
    expect((await send()).status).toBe(200);
  });

  it.each<readonly [string, string, string | undefined]>([
    ["an app of another certificate", STRANGER, undefined],
    ["the page of the same domain, which is not listed", "https://shop.example", undefined],
    ["the app for the relying party of a page", APP, "page.example"],
    ["the app for a relying party that nobody listed", APP, "evil.example"],
    ["an app whose hash has padding", `${APP}=`, undefined],
  ])("INV-9 is not registered from %s", async (_, origin, rpId) => {
    expect(codeOf(await register(passkey(origin, rpId)))).toEqual([400, "CredentialRefused"]);
  });

  it.each<readonly [string, string]>([
    ["an app of another certificate", STRANGER],
    ["the page of the same domain", "https://shop.example"],
    ["the page of another listed application", "https://page.example"],
  ])("INV-9 does not sign from %s", async (_, origin) => {
    const authenticator = passkey(APP);
    expect((await register(authenticator)).status).toBe(200);
    expect(codeOf((await sign(authenticator, { origin })).signed)).toEqual([403, "UserActionInvalid"]);
  });

  it("INV-9 of a page does not sign from an app, though both are listed", async () => {
    const authenticator = passkey("https://page.example", "page.example");
    expect((await register(authenticator)).status).toBe(200);
    expect(codeOf((await sign(authenticator, { origin: APP })).signed)).toEqual([403, "UserActionInvalid"]);
  });

  it("INV-9 is not registered once its application is deactivated", async () => {
    const path = `/auth/apps/${appId}/deactivate`;
    expect((await actor.act({ method: "PUT", path, body: {} })).status).toBe(200);
    expect(codeOf(await register(passkey(APP)))).toEqual([400, "CredentialRefused"]);
  });
});
