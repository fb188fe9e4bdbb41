import { createHash, sign } from "node:crypto";
import type { Operation } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { enterKey, makeActor } from "../testing/signed-actions.ts";
import { assertionOf, attestationOf, type ClientKey, keyFactor, makeClientKey } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

const HOUR_MS = 3_600_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const startedSchema = z.looseObject({
  challenge: z.string(),
  temporaryAuthenticationToken: z.string(),
  allowedRecoveryCredentials: z.array(z.strictObject({ id: z.string(), encryptedRecoveryKey: z.string() })),
});
const temporarySchema = z.looseObject({ challenge: z.string(), temporaryAuthenticationToken: z.string() });

/** A new credential in the clients' form. */
const credentialOf = (key: ClientKey, challenge: string, credentialKind = "Key") => ({
  credentialKind,
  credentialInfo: attestationOf(key, challenge),
});
/** A recovery key in the form of the vendor's sample: with the challenge encoded once more, and the digest named. */
const recoveryKeyOf = ({ credId, publicKey, privateKey }: ClientKey, challenge: string) => {
  const clientData = JSON.stringify({
    type: "key.create",
    challenge: base64url(challenge),
    origin: "https://acme.example",
    crossOrigin: false,
  });
  const clientDataHash = createHash("sha256").update(clientData).digest("hex");
  const signature = sign("sha256", Buffer.from(JSON.stringify({ clientDataHash, publicKey })), privateKey);
  const attestation = { publicKey, signature: signature.toString("hex"), algorithm: "SHA256" };
  return {
    credentialKind: "RecoveryKey",
    credentialInfo: {
      credId,
      clientData: base64url(clientData),
      attestationData: base64url(JSON.stringify(attestation)),
    },
    encryptedPrivateKey: "sealed by the client",
  };
};

let people = 0;
/** A person who has registered a key and a recovery key. */
const member = async (kind: "CustomerEmployee" | "EndUser" = "CustomerEmployee") => {
  people += 1;
  const username = `member-${people}@acme.example`;
  const [key, recovery] = [makeClientKey(), makeClientKey("P-256")];
  const begin = async () => {
    if (kind === "EndUser") {
      return world.call("POST", "/auth/registration/delegated", { email: username, kind });
    }
    const { registrationCode } = z
      .looseObject({ registrationCode: z.string() })
      .parse((await world.call("POST", "/auth/users", { email: username, kind })).body);
    const { orgId } = world.caller;
    return world.call("POST", "/auth/registration/init", { orgId, username, registrationCode });
  };
  const { challenge, temporaryAuthenticationToken } = temporarySchema.parse((await begin()).body);
  const registered = await as(temporaryAuthenticationToken, "POST", "/auth/registration", {
    firstFactorCredential: credentialOf(key, challenge),
    recoveryCredential: recoveryKeyOf(recovery, challenge),
  });
  const { user } = z.looseObject({ user: z.looseObject({ id: z.string() }) }).parse(registered.body);
  return { userId: user.id, username, key, recovery };
};
type Member = Awaited<ReturnType<typeof member>>;

const as = (token: string, method: string, path: string, body?: unknown) =>
  world.call(method, path, body, { authorization: `Bearer ${token}` });
const login = async (username: string, key: ClientKey) => {
  const { orgId } = world.caller;
  const begun = await world.call("POST", "/auth/login/init", { orgId, username });
  const { challenge, challengeIdentifier } = z
    .looseObject({ challenge: z.string(), challengeIdentifier: z.string() })
    .parse(begun.body);
  return world.call("POST", "/auth/login", { challengeIdentifier, firstFactor: keyFactor(key, challenge) });
};
const tokenOf = (answer: Answer) => z.object({ token: z.string() }).parse(answer.body).token;

/** Gives a person the right to an operation. */
const permit = async (identityId: string, operation: Operation) => {
  const made = await world.call("POST", "/permissions", { name: identityId, operations: [operation] });
  const { id } = z.looseObject({ id: z.string() }).parse(made.body);
  await world.call("POST", `/permissions/${id}/assignments`, { identityId });
};

const makeCode = async (userId: string) =>
  z
    .object({ recoveryCode: z.string(), dateExpires: z.string() })
    .parse((await world.call("POST", `/auth/users/${userId}/recovery-code`, {})).body).recoveryCode;
const init = ({ username, recovery }: Member, verificationCode: string, more: object = {}) => {
  const { orgId } = world.caller;
  const asked = { orgId, username, verificationCode, credentialId: recovery.credId, ...more };
  return world.call("POST", "/auth/recover/user/init", asked, { authorization: "" });
};
const started = async (who: Member) =>
  startedSchema.parse((await init(who, await makeCode(who.userId))).body);
/** Signs as the vendor's sample does: the challenge is the JSON of the new credentials. */
const signedBy = (recovery: ClientKey, newCredentials: unknown) => ({
  kind: "RecoveryKey",
  credentialAssertion: assertionOf(recovery, base64url(JSON.stringify(newCredentials)), {
    origin: "https://acme.example",
    crossOrigin: false,
  }),
});
const recover = (token: string, recovery: ClientKey, newCredentials: unknown, signed = newCredentials) =>
  as(token, "POST", "/auth/recover/user", { recovery: signedBy(recovery, signed), newCredentials });

describe("somebody who lost their credentials", () => {
  it("recovers by a code and the recovery key, and all that they had before is worth nothing", async () => {
    const who = await member();
    await permit(who.userId, "Auth:Pats:Create");
    const { publicKey } = makeClientKey();
    const before = tokenOf(await login(who.username, who.key));
    const pat = z
      .looseObject({ accessToken: z.string() })
      .parse((await as(before, "POST", "/auth/pats", { name: "pat", publicKey })).body).accessToken;
    expect((await as(pat, "GET", "/auth/pats")).status).toBe(200);

    const begun = await started(who);
    expect(begun).toMatchObject({
      user: { id: who.userId, name: who.username },
      rp: { id: "localhost" },
      supportedCredentialKinds: { firstFactor: ["Fido2", "Key", "PasswordProtectedKey"] },
      allowedRecoveryCredentials: [{ id: who.recovery.credId, encryptedRecoveryKey: "sealed by the client" }],
    });
    const [key, next] = [makeClientKey(), makeClientKey("P-256")];
    const newCredentials = {
      firstFactorCredential: credentialOf(key, begun.challenge),
      recoveryCredential: recoveryKeyOf(next, begun.challenge),
    };
    const answer = await recover(begun.temporaryAuthenticationToken, who.recovery, newCredentials);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        credential: { kind: "Key", name: "Key" },
        user: { id: who.userId, username: who.username, orgId: world.caller.orgId },
      },
    });

    const token = tokenOf(await login(who.username, key));
    for (const old of [before, pat]) expect((await as(old, "GET", "/auth/pats")).status).toBe(401);
    expect(codeOf(await login(who.username, who.key))).toEqual([401, "LoginRefused"]);
    const user = await world.call("GET", `/auth/users/${who.userId}`);
    expect(user.body).toMatchObject({ isActive: true, isRegistered: true });
    expect((await as(token, "GET", "/auth/pats")).status).toBe(200);
    // the earlier recovery key no longer recovers anything; the new one does
    const code = await makeCode(who.userId);
    expect(codeOf(await init(who, code))).toEqual([404, "CredentialNotFound"]);
    expect((await init({ ...who, recovery: next }, code)).status).toBe(200);
  });

  it.each(["made", "shown"])("INV-9 ends a code for another device that was %s before", async (how) => {
    const who = await member();
    await permit(who.userId, "Auth:Creds:Code:Create");
    const before = tokenOf(await login(who.username, who.key));
    const expiration = new Date(Date.now() + HOUR_MS).toISOString();
    const { code } = z
      .looseObject({ code: z.string() })
      .parse((await as(before, "POST", "/auth/credentials/code", { expiration })).body);
    const show = () =>
      world.call(
        "POST",
        "/auth/credentials/code/init",
        { code, credentialKind: "Key" },
        { authorization: "" },
      );
    const shown = how === "shown" ? await show() : undefined;
    const begun = await started(who);
    const newCredentials = { firstFactorCredential: credentialOf(makeClientKey(), begun.challenge) };
    const answer = await recover(begun.temporaryAuthenticationToken, who.recovery, newCredentials);
    expect(answer.status).toBe(200);
    if (shown === undefined) {
      expect(codeOf(await show())).toEqual([400, "OneTimeCodeInvalid"]);
      return;
    }
    const { challenge, challengeIdentifier } = z
      .looseObject({ challenge: z.string(), challengeIdentifier: z.string() })
      .parse(shown.body);
    const late = await world.call(
      "POST",
      "/auth/credentials/code/verify",
      { ...credentialOf(makeClientKey(), challenge), credentialName: "a thief's", challengeIdentifier },
      { authorization: "" },
    );
    expect(codeOf(late)).toEqual([400, "ChallengeInvalid"]);
  });

  it("is an end user whom the organisation vouches for, and needs no code", async () => {
    const who = await member("EndUser");
    const { token } = await world.tokenOf(["Auth:Recover:Delegated"]);
    const body = { username: who.username, credentialId: who.recovery.credId };
    const { challenge, temporaryAuthenticationToken } = startedSchema.parse(
      (await as(token, "POST", "/auth/recover/user/delegated", body)).body,
    );
    const key = makeClientKey();
    const newCredentials = { firstFactorCredential: credentialOf(key, challenge) };
    const answer = await recover(temporaryAuthenticationToken, who.recovery, newCredentials);
    expect(answer.status).toBe(200);
    expect((await login(who.username, key)).status).toBe(200);
  });

  it("gets the way to a code, without mail, for every caller", async () => {
    const asked = (username: string) =>
      world.call("POST", "/auth/recover/user/code", { orgId: world.caller.orgId, username });
    const [known, unknown] = [await asked((await member()).username), await asked("nobody")];
    expect(known.status).toBe(200);
    expect(known.body).toEqual(unknown.body);
  });
});

describe("INV-9 a recovery code", () => {
  it("serves once", async () => {
    const who = await member();
    const code = await makeCode(who.userId);
    expect((await init(who, code)).status).toBe(200);
    expect(codeOf(await init(who, code))).toEqual([400, "OneTimeCodeInvalid"]);
  });

  it("serves one of two who show it at the same time", async () => {
    const who = await member();
    const code = await makeCode(who.userId);
    const statuses = await Promise.all([init(who, code), init(who, code), init(who, code)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it("expires", async () => {
    const who = await member();
    const code = await makeCode(who.userId);
    await world.database.execute("update one_time_codes set date_expires = now() where user_id = $1", [
      who.userId,
    ]);
    expect(codeOf(await init(who, code))).toEqual([400, "OneTimeCodeInvalid"]);
  });

  it("is replaced by a later one", async () => {
    const who = await member();
    const [earlier, later] = [await makeCode(who.userId), await makeCode(who.userId)];
    expect(codeOf(await init(who, earlier))).toEqual([400, "OneTimeCodeInvalid"]);
    expect((await init(who, later)).status).toBe(200);
  });

  it("serves nobody else, and says the same of a name that nobody has", async () => {
    const [who, other] = [await member(), await member()];
    const code = await makeCode(who.userId);
    const { username, recovery } = who;
    for (const [asked, by] of [
      [other, code],
      [{ ...who, username: "nobody" }, code],
      [{ ...who, username, recovery }, `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`],
      [who, ""],
    ] as const) {
      expect(codeOf(await init(asked, by))).toEqual([400, "OneTimeCodeInvalid"]);
    }
    expect((await init(who, code)).status).toBe(200);
  });

  it("is kept when the recovery key is another's, or none", async () => {
    const [who, other] = [await member(), await member()];
    const code = await makeCode(who.userId);
    for (const credentialId of [other.recovery.credId, who.key.credId, "", "unknown"]) {
      expect(codeOf(await init(who, code, { credentialId }))).toEqual([404, "CredentialNotFound"]);
    }
    expect((await init(who, code)).status).toBe(200);
  });

  it("is made for people of the organisation who are active, by a caller who may change them", async () => {
    const who = await member();
    const path = `/auth/users/${who.userId}/recovery-code`;
    const { token } = await world.tokenOf(["Auth:Users:Read"]);
    expect((await as(token, "POST", path, {})).status).toBe(403);
    expect(codeOf(await as(world.strangersToken, "POST", path, {}))).toEqual([404, "UserNotFound"]);
    const code = await makeCode(who.userId);
    await world.call("PUT", `/auth/users/${who.userId}/deactivate`, {});
    expect(codeOf(await world.call("POST", path, {}))).toEqual([400, "UserDeactivated"]);
    expect(codeOf(await init(who, code))).toEqual([400, "OneTimeCodeInvalid"]);
  });

  it("is not made by who may do less than the user: that would be a way to be them", async () => {
    const { token } = await world.tokenOf(["Auth:Users:Update"]);
    const answer = await as(token, "POST", `/auth/users/${world.caller.userId}/recovery-code`, {});
    expect(codeOf(answer)).toEqual([403, "PermissionMissing"]);
  });
});

describe("INV-9 a recovery is refused", () => {
  it("when anything but the recovery key of the challenge signs the new credentials as they are sent", async () => {
    const who = await member();
    const begun = await started(who);
    const token = begun.temporaryAuthenticationToken;
    const newCredentials = { firstFactorCredential: credentialOf(makeClientKey(), begun.challenge) };
    const others = { firstFactorCredential: credentialOf(makeClientKey(), begun.challenge) };
    const stranger = { ...makeClientKey("P-256"), credId: who.recovery.credId };
    const refused = [401, "RecoveryRefused"];
    expect(codeOf(await recover(token, who.recovery, newCredentials, others))).toEqual(refused);
    expect(codeOf(await recover(token, who.key, newCredentials))).toEqual(refused);
    expect(codeOf(await recover(token, stranger, newCredentials))).toEqual(refused);
    const plain = { kind: "RecoveryKey", credentialAssertion: assertionOf(who.recovery, begun.challenge) };
    const body = { recovery: plain, newCredentials };
    expect(codeOf(await as(token, "POST", "/auth/recover/user", body))).toEqual(refused);
    expect((await recover(token, who.recovery, newCredentials)).status).toBe(200);
  });

  it("with credentials that signed another challenge, and nothing is taken from anybody", async () => {
    const who = await member();
    const [first, second] = [await started(who), await started(who)];
    const newCredentials = { firstFactorCredential: credentialOf(makeClientKey(), second.challenge) };
    const answer = await recover(first.temporaryAuthenticationToken, who.recovery, newCredentials);
    expect(codeOf(answer)).toEqual([400, "CredentialRefused"]);
    expect((await login(who.username, who.key)).status).toBe(200);
  });

  it("a second time, by any other token, and once its time is over", async () => {
    const who = await member();
    const begun = await started(who);
    const newCredentials = { firstFactorCredential: credentialOf(makeClientKey(), begun.challenge) };
    const invalid = [401, "TokenInvalid"];
    for (const token of [world.token, "none"])
      expect(codeOf(await recover(token, who.recovery, newCredentials))).toEqual(invalid);
    world.advance(HOUR_MS);
    const late = await recover(begun.temporaryAuthenticationToken, who.recovery, newCredentials);
    world.advance(-HOUR_MS);
    expect(codeOf(late)).toEqual(invalid);
    const token = begun.temporaryAuthenticationToken;
    expect((await recover(token, who.recovery, newCredentials)).status).toBe(200);
    expect((await recover(token, who.recovery, newCredentials)).status).toBe(401);
    // and it is not valid for a registration either
    expect(codeOf(await as(token, "POST", "/auth/registration", newCredentials))).toEqual(invalid);
  });

  it("of an employee without a code, of an unknown one, and of an end user by who may do less", async () => {
    const [employee, endUser] = [await member(), await member("EndUser")];
    const path = "/auth/recover/user/delegated";
    const bodyOf = ({ username, recovery }: Member) => ({ username, credentialId: recovery.credId });
    expect(codeOf(await world.call("POST", path, bodyOf(employee)))).toEqual([404, "UserNotFound"]);
    expect(codeOf(await as(world.strangersToken, "POST", path, bodyOf(endUser)))).toEqual([
      404,
      "UserNotFound",
    ]);
    const { token } = await world.tokenOf(["Auth:Users:Read"]);
    expect((await as(token, "POST", path, bodyOf(endUser))).status).toBe(403);
    const wrong = { ...bodyOf(endUser), credentialId: endUser.key.credId };
    expect(codeOf(await world.call("POST", path, wrong))).toEqual([404, "CredentialNotFound"]);
  });
});

describe("a recovery key", () => {
  it("signs no action, before or after", async () => {
    const who = await member();
    const actor = makeActor(world);
    await enterKey(world, world.caller, actor.admin);
    const token = tokenOf(await login(who.username, who.key));
    const begun = await actor.begin({ method: "POST", path: "/auth/pats", body: {} }, token);
    const factor = keyFactor(who.recovery, begun.challenge);
    expect((await actor.finish(begun.challengeIdentifier, factor, { token })).status).toBe(403);
  });
});
