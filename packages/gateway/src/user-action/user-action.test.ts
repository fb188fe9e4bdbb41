import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { credentialUuidSchema } from "@conclave/custody";
import { freshId, insertCredential } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, walletOf } from "../testing/bodies.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

const ed25519 = generateKeyPairSync("ed25519");
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const CREDENTIALS = { ed25519, p256, rsa };
const body = { network: "EthereumSepolia", name: "signed" };
const FIVE_MINUTES_MS = 300_000;

let world: World;
beforeAll(async () => {
  world = await startWorld({ userActionsRequired: true });
  for (const [id, { publicKey }] of Object.entries(CREDENTIALS)) {
    await insertCredential(world.database, {
      id,
      uuid: freshId(credentialUuidSchema, "cr"),
      kind: "Key",
      orgId: world.caller.orgId,
      userId: world.caller.userId,
      name: id,
      publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
      isActive: true,
      relyingPartyId: "",
      origin: "",
      encryptedPrivateKey: undefined,
      signCount: 0,
      coseKey: undefined,
      tokenId: undefined,
      dateCreated: "2026-01-01T00:00:00.000Z",
    });
  }
});
afterAll(() => world.stop());

const challengeOf = (answer: Answer) =>
  z.looseObject({ challenge: z.string(), challengeIdentifier: z.string() }).parse(answer.body);
const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");

const init = (payload: string, method = "POST", path = "/wallets") =>
  world.call("POST", "/auth/action/init", {
    userActionPayload: payload,
    userActionHttpMethod: method,
    userActionHttpPath: path,
    userActionServerKind: "Api",
  });

const assertion = (challenge: string, credId: string, key: KeyObject, type = "key.get") => {
  const clientData = Buffer.from(JSON.stringify({ type, challenge }));
  const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  return { credId, clientData: base64url(clientData), signature: base64url(sign(digest, clientData, key)) };
};

const complete = (challengeIdentifier: string, credentialAssertion: object, headers = {}) =>
  world.call(
    "POST",
    "/auth/action",
    { challengeIdentifier, firstFactor: { kind: "Key", credentialAssertion } },
    headers,
  );

/** The token of a signed action, obtained as a client library does. */
const signedAction = async (payload: string, method = "POST", path = "/wallets") => {
  const { challenge, challengeIdentifier } = challengeOf(await init(payload, method, path));
  const answer = await complete(challengeIdentifier, assertion(challenge, "ed25519", ed25519.privateKey));
  return z.object({ userAction: z.string() }).parse(answer.body).userAction;
};
const act = (token: string, payload: unknown = body) =>
  world.call("POST", "/wallets", payload, { "x-dfns-useraction": token });

describe("a signed user action", () => {
  it("begins with a challenge that names the user's credentials", async () => {
    const { status, body: challenge } = await init("{}");
    expect(status).toBe(200);
    expect(challenge).toEqual({
      rp: { id: "localhost", name: "localhost" },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      challengeIdentifier: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      supportedCredentialKinds: [{ kind: "Key", factor: "either", requiresSecondFactor: false }],
      allowCredentials: {
        key: ["ed25519", "p256", "rsa"].map((id) => ({ type: "public-key", id })),
        webauthn: [],
      },
      userVerification: "required",
      attestation: "none",
      externalAuthenticationUrl: "",
    });
  });

  it.each(["ed25519", "p256", "rsa"] as const)(
    "with a key of kind %s lets its request pass",
    async (kind) => {
      const { challenge, challengeIdentifier } = challengeOf(await init(JSON.stringify(body)));
      const signed = await complete(
        challengeIdentifier,
        assertion(challenge, kind, CREDENTIALS[kind].privateKey),
      );
      const { userAction } = z.object({ userAction: z.string() }).parse(signed.body);
      const answer = await act(userAction);
      expect([answer.status, walletOf(answer.body)["name"]]).toEqual([200, "signed"]);
    },
  );

  it("passes once only, also for requests at the same moment", async () => {
    const token = await signedAction(JSON.stringify(body));
    const answers = await Promise.all([act(token), act(token), act(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(codeOf(await act(token))).toEqual([400, "UserActionUsed"]);
  });

  it("holds for the same JSON spelled with other spaces and another order", async () => {
    const token = await signedAction('{ "name" : "signed",\n "network": "EthereumSepolia" }');
    expect((await act(token)).status).toBe(200);
  });

  it.each([
    ["payload", () => signedAction(JSON.stringify({ ...body, name: "other" }))],
    ["method", () => signedAction(JSON.stringify(body), "PUT")],
    ["path", () => signedAction(JSON.stringify(body), "POST", "/wallets/import")],
    ["kind of token", async () => challengeOf(await init(JSON.stringify(body))).challengeIdentifier],
    ["token altogether", async () => world.token],
  ])("does not hold for another %s, and nothing is written", async (_, token) => {
    const action = await token();
    const rows = await world.rows();
    expect([codeOf(await act(action)), await world.rows()]).toEqual([[403, "UserActionInvalid"], rows]);
  });

  it("has expired after five minutes", async () => {
    const token = await signedAction(JSON.stringify(body));
    const identifier = challengeOf(await init("{}"));
    world.advance(FIVE_MINUTES_MS);
    const late = await complete(
      identifier.challengeIdentifier,
      assertion(identifier.challenge, "ed25519", ed25519.privateKey),
    );
    expect([codeOf(await act(token)), codeOf(late)]).toEqual([
      [403, "UserActionInvalid"],
      [400, "ChallengeInvalid"],
    ]);
  });

  it("is required of every change where the cluster says so, and of no read", async () => {
    const rows = await world.rows();
    expect(codeOf(await world.call("POST", "/wallets", body))).toEqual([403, "UserActionInvalid"]);
    expect([(await world.call("GET", "/wallets")).status, await world.rows()]).toEqual([200, rows]);
  });
});

describe("POST /auth/action refuses", () => {
  const other = generateKeyPairSync("ed25519").privateKey;
  it.each([
    ["a signature of another key", (challenge: string) => assertion(challenge, "ed25519", other)],
    ["a credential that the user does not have", (challenge: string) => assertion(challenge, "none", other)],
    ["a signature over another challenge", () => assertion("AAAA", "ed25519", ed25519.privateKey)],
    [
      "client data of another type",
      (challenge: string) => assertion(challenge, "ed25519", ed25519.privateKey, "key.create"),
    ],
    [
      "client data that is not JSON",
      () => ({
        credId: "ed25519",
        clientData: base64url("nonsense"),
        signature: base64url(sign(null, Buffer.from("nonsense"), ed25519.privateKey)),
      }),
    ],
  ])("%s", async (_, make) => {
    const { challenge, challengeIdentifier } = challengeOf(await init("{}"));
    expect(codeOf(await complete(challengeIdentifier, make(challenge)))).toEqual([403, "UserActionInvalid"]);
  });

  it("a challenge that was signed before", async () => {
    const { challenge, challengeIdentifier } = challengeOf(await init("{}"));
    const signed = assertion(challenge, "ed25519", ed25519.privateKey);
    expect((await complete(challengeIdentifier, signed)).status).toBe(200);
    expect(codeOf(await complete(challengeIdentifier, signed))).toEqual([400, "ChallengeInvalid"]);
  });

  it("INV-11 a challenge of another organisation's user", async () => {
    const { challenge, challengeIdentifier } = challengeOf(await init("{}"));
    const strange = { authorization: `Bearer ${world.strangersToken}` };
    const signed = assertion(challenge, "ed25519", ed25519.privateKey);
    expect(codeOf(await complete(challengeIdentifier, signed, strange))).toEqual([400, "ChallengeInvalid"]);
  });

  it.each(["", "a.b.c", "nonsense"])("the challenge identifier %j", async (identifier) => {
    const signed = assertion("AAAA", "ed25519", ed25519.privateKey);
    expect(codeOf(await complete(identifier, signed))).toEqual([400, "ChallengeInvalid"]);
  });
});

describe("POST /auth/action/init refuses", () => {
  it.each(["{", "nonsense", '{"limit":1e400}', `${"[".repeat(1_000)}${"]".repeat(1_000)}`])(
    "the payload %.20s",
    async (payload) => {
      expect(codeOf(await init(payload))).toEqual([400, "InvalidBody"]);
    },
  );

  it.each(["wallets", "/a\u0000b", ""])("the path %j", async (path) => {
    expect(codeOf(await init("{}", "POST", path))).toEqual([400, "InvalidBody"]);
  });
});
