import { credentialUuidSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import {
  type Actor,
  actionOf,
  enterKey,
  makeActor,
  type Signed,
  signedCaller,
} from "../testing/signed-actions.ts";
import {
  assertionOf,
  attestationOf,
  type ClientKey,
  keyFactor,
  makeAuthenticator,
  makeClientKey,
} from "../testing/signers.ts";
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

const registrationSchema = z.looseObject({ challenge: z.string(), challengeIdentifier: z.string() });
const register = async (kind: string, make: (challenge: string) => object, more: object = {}) => {
  const begun = await world.call("POST", "/auth/credentials/init", { kind });
  const { challenge, challengeIdentifier } = registrationSchema.parse(begun.body);
  const body = {
    credentialKind: kind,
    credentialName: `my ${kind}`,
    challengeIdentifier,
    credentialInfo: make(challenge),
    ...more,
  };
  return actor.act({ method: "POST", path: "/auth/credentials", body });
};
const credentialOf = (answer: Answer) =>
  z.looseObject({ credentialUuid: z.string(), credentialId: z.string() }).parse(answer.body);
const switchTo = (state: "activate" | "deactivate", credentialUuid: string, key?: ClientKey) =>
  actor.act({ method: "PUT", path: `/auth/credentials/${state}`, body: { credentialUuid } }, key);

describe("a credential of every kind is registered, listed, and signs actions:", () => {
  it("a key", async () => {
    const key = makeClientKey("secp256k1");
    const made = await register("Key", (challenge) => attestationOf(key, challenge));
    expect(made).toMatchObject({
      status: 200,
      body: {
        kind: "Key",
        name: "my Key",
        credentialId: key.credId,
        isActive: true,
        publicKey: key.publicKey,
        relyingPartyId: "",
        origin: "",
      },
    });
    const list = await world.call("GET", "/auth/credentials");
    expect(z.object({ items: z.array(z.unknown()) }).parse(list.body).items).toContainEqual(made.body);
    expect((await actor.act(fresh(), key)).status).toBe(200);
  });

  it("an authenticator, whose every signature counts further", async () => {
    const authenticator = makeAuthenticator();
    const made = await register("Fido2", (challenge) => authenticator.attest(challenge));
    expect(made).toMatchObject({
      status: 200,
      body: { kind: "Fido2", relyingPartyId: "localhost", origin: "http://localhost:8080" },
    });
    const request = fresh();
    const begun = await actor.begin(request);
    expect(begun.allowCredentials.webauthn).toEqual([{ type: "public-key", id: authenticator.credId }]);
    expect(begun.supportedCredentialKinds.map(({ kind }) => kind)).toEqual(["Fido2", "Key"]);
    const factor = { kind: "Fido2", credentialAssertion: authenticator.assert(begun.challenge) };
    const signed = await actor.finish(begun.challengeIdentifier, factor);
    expect((await actor.send(request, actionOf(signed))).status).toBe(200);
    // a copy whose counter is behind
    const again = await actor.begin(fresh());
    authenticator.counter -= 1;
    const copied = { kind: "Fido2", credentialAssertion: authenticator.assert(again.challenge) };
    expect(codeOf(await actor.finish(again.challengeIdentifier, copied))).toEqual([403, "UserActionInvalid"]);
  });

  it("a key under a password, which the client alone can open", async () => {
    const key = makeClientKey("P-256");
    await register("PasswordProtectedKey", (challenge) => attestationOf(key, challenge), {
      encryptedPrivateKey: "sealed",
    });
    const begun = await actor.begin(fresh());
    expect(begun.allowCredentials.passwordProtectedKey).toEqual([
      { type: "public-key", id: key.credId, encryptedPrivateKey: "sealed" },
    ]);
    const credentialAssertion = assertionOf(key, begun.challenge);
    const signed = await actor.finish(begun.challengeIdentifier, {
      kind: "PasswordProtectedKey",
      credentialAssertion,
    });
    expect(signed.status).toBe(200);
  });

  it("but a recovery key signs no action", async () => {
    const key = makeClientKey();
    const made = await register("RecoveryKey", (challenge) => attestationOf(key, challenge));
    expect(made.status).toBe(200);
    const begun = await actor.begin(fresh());
    expect(JSON.stringify(begun.allowCredentials)).not.toContain(key.credId);
    const signed = await actor.finish(begun.challengeIdentifier, keyFactor(key, begun.challenge));
    expect(codeOf(signed)).toEqual([403, "UserActionInvalid"]);
  });
});

describe("registering a credential is refused", () => {
  it("for a challenge of another kind, a used one, a forged one, and a credId that is taken", async () => {
    const key = makeClientKey();
    const begun = await world.call("POST", "/auth/credentials/init", { kind: "Key" });
    const { challenge, challengeIdentifier } = registrationSchema.parse(begun.body);
    const body = {
      credentialKind: "Key",
      credentialName: "k",
      challengeIdentifier,
      credentialInfo: attestationOf(key, challenge),
    };
    const post = (more: object) =>
      actor.act({ method: "POST", path: "/auth/credentials", body: { ...body, ...more } });
    expect(codeOf(await post({ credentialKind: "RecoveryKey" }))).toEqual([400, "ChallengeInvalid"]);
    expect(codeOf(await post({ challengeIdentifier: "a.b.c" }))).toEqual([400, "ChallengeInvalid"]);
    expect((await post({})).status).toBe(200);
    expect(codeOf(await post({}))).toEqual([409, "CredentialTaken"]);
    const other = attestationOf({ ...makeClientKey(), credId: "another" }, challenge);
    expect(codeOf(await post({ credentialInfo: other }))).toEqual([400, "ChallengeInvalid"]);
  });

  it.each<readonly [string, string, unknown]>([
    ["a password", "/auth/credentials/init", { kind: "Password" }],
    ["no kind", "/auth/credentials/init", {}],
    [
      "no credential",
      "/auth/credentials",
      { credentialKind: "Key", credentialName: "k", challengeIdentifier: "a" },
    ],
  ])("for %s", async (_, path, body) => {
    const answer = path.endsWith("init")
      ? await world.call("POST", path, body)
      : await actor.act({ method: "POST", path, body });
    expect(codeOf(answer)).toEqual([400, "InvalidBody"]);
  });
});

describe("a credential that is deactivated", () => {
  it("signs no more, nor counts what it signed before; activated it signs again", async () => {
    const key = makeClientKey();
    const made = await register("Key", (challenge) => attestationOf(key, challenge));
    const { credentialUuid } = credentialOf(made);
    const request = fresh();
    const begun = await actor.begin(request);
    const signed = await actor.finish(begun.challengeIdentifier, keyFactor(key, begun.challenge));
    expect((await switchTo("deactivate", credentialUuid)).body).toEqual({ message: "success" });
    expect(codeOf(await actor.send(request, actionOf(signed)))).toEqual([403, "UserActionInvalid"]);
    const later = await actor.begin(fresh());
    expect(JSON.stringify(later.allowCredentials)).not.toContain(key.credId);
    expect(codeOf(await actor.finish(later.challengeIdentifier, keyFactor(key, later.challenge)))).toEqual([
      403,
      "UserActionInvalid",
    ]);
    await switchTo("activate", credentialUuid);
    expect((await actor.act(fresh(), key)).status).toBe(200);
  });

  it("is never the last one, and never somebody else's", async () => {
    const list = await world.call("GET", "/auth/credentials");
    const { items } = z
      .object({ items: z.array(z.looseObject({ credentialUuid: z.string(), credentialId: z.string() })) })
      .parse(list.body);
    const own = items.find(({ credentialId }) => credentialId === actor.admin.credId)?.credentialUuid ?? "";
    for (const { credentialUuid } of items) {
      if (credentialUuid !== own) await switchTo("deactivate", credentialUuid);
    }
    expect(codeOf(await switchTo("deactivate", own))).toEqual([409, "CredentialNeeded"]);
    const unknown = freshId(credentialUuidSchema, "cr");
    expect(codeOf(await switchTo("deactivate", unknown))).toEqual([404, "CredentialNotFound"]);
  });
});

describe("a credential that is deleted", () => {
  const remove = (uuid: string) => actor.act({ method: "DELETE", path: `/auth/credentials/${uuid}` });
  const listed = async () => JSON.stringify((await world.call("GET", "/auth/credentials")).body);

  it("signs no more, nor counts what it signed before, and is listed no more", async () => {
    const key = makeClientKey();
    const { credentialUuid } = credentialOf(
      await register("Key", (challenge) => attestationOf(key, challenge)),
    );
    expect(await listed()).toContain(credentialUuid);
    const request = fresh();
    const begun = await actor.begin(request);
    const signed = await actor.finish(begun.challengeIdentifier, keyFactor(key, begun.challenge));
    expect(await remove(credentialUuid)).toMatchObject({ status: 200, body: {} });
    expect(codeOf(await actor.send(request, actionOf(signed)))).toEqual([403, "UserActionInvalid"]);
    expect(await listed()).not.toContain(credentialUuid);
    const later = await actor.begin(fresh());
    expect(JSON.stringify(later.allowCredentials)).not.toContain(key.credId);
    expect(codeOf(await switchTo("activate", credentialUuid))).toEqual([404, "CredentialNotFound"]);
    expect(codeOf(await remove(credentialUuid))).toEqual([404, "CredentialNotFound"]);
  });

  it("keeps its credId: nobody registers or enters it again", async () => {
    const key = makeClientKey();
    const { credentialUuid } = credentialOf(
      await register("Key", (challenge) => attestationOf(key, challenge)),
    );
    await remove(credentialUuid);
    const again = await register("Key", (challenge) => attestationOf(key, challenge));
    expect(codeOf(again)).toEqual([409, "CredentialTaken"]);
    await enterKey(world, world.caller, key);
    expect(await listed()).not.toContain(key.credId);
  });

  it("may be inactive before, and a recovery key", async () => {
    const [key, recovery] = [makeClientKey(), makeClientKey()];
    const inactive = credentialOf(await register("Key", (challenge) => attestationOf(key, challenge)));
    await switchTo("deactivate", inactive.credentialUuid);
    const rescue = credentialOf(
      await register("RecoveryKey", (challenge) => attestationOf(recovery, challenge), {
        encryptedPrivateKey: "sealed",
      }),
    );
    expect((await remove(inactive.credentialUuid)).status).toBe(200);
    expect((await remove(rescue.credentialUuid)).status).toBe(200);
  });

  it("is never the last one that signs", async () => {
    const { items } = z
      .object({ items: z.array(z.looseObject({ credentialUuid: z.string(), credentialId: z.string() })) })
      .parse((await world.call("GET", "/auth/credentials")).body);
    const own = items.find(({ credentialId }) => credentialId === actor.admin.credId)?.credentialUuid ?? "";
    for (const { credentialUuid } of items) if (credentialUuid !== own) await remove(credentialUuid);
    expect(codeOf(await remove(own))).toEqual([409, "CredentialNeeded"]);
    expect((await actor.act(fresh())).status).toBe(200);
  });

  it("INV-11 is never somebody else's, nor one of another organisation", async () => {
    const key = makeClientKey();
    const { credentialUuid } = credentialOf(
      await register("Key", (challenge) => attestationOf(key, challenge)),
    );
    for (const token of [world.strangersToken, (await world.tokenOf(["Auth:Creds:Update"])).token]) {
      const call = await signedCaller(world, token);
      const answer = await call("DELETE", `/auth/credentials/${credentialUuid}`);
      expect(codeOf(answer)).toEqual([404, "CredentialNotFound"]);
    }
    expect((await actor.act(fresh(), key)).status).toBe(200);
    await remove(credentialUuid);
  });

  it("is named by an id of the right form, and signed for", async () => {
    expect(codeOf(await remove("cr-1"))).toEqual([400, "InvalidParameter"]);
    const path = `/auth/credentials/${freshId(credentialUuidSchema, "cr")}`;
    expect(codeOf(await world.call("DELETE", path))).toEqual([403, "UserActionInvalid"]);
    const { token } = await world.tokenOf(["Auth:Creds:Read"]);
    const call = await signedCaller(world, token);
    expect(codeOf(await call("DELETE", path))).toEqual([403, "PermissionMissing"]);
  });
});

describe("a second factor", () => {
  it("that is sent must hold, and be another credential", async () => {
    const second = makeClientKey("P-256");
    await enterKey(world, world.caller, second);
    const judge = async (make: (challenge: string) => object) => {
      const request = fresh();
      const { challenge, challengeIdentifier } = await actor.begin(request);
      return actor.finish(challengeIdentifier, keyFactor(actor.admin, challenge), {
        secondFactor: make(challenge),
      });
    };
    expect((await judge((challenge) => keyFactor(second, challenge))).status).toBe(200);
    const refused = [403, "UserActionInvalid"];
    expect(codeOf(await judge(() => keyFactor(second, "other")))).toEqual(refused);
    expect(codeOf(await judge((challenge) => keyFactor(actor.admin, challenge)))).toEqual(refused);
    const totp = await judge(() => ({ kind: "Totp", otpCode: "123456" }));
    expect(codeOf(totp)).toEqual([400, "InvalidBody"]);
  });
});
