import { credentialUuidSchema, MOST_SERVICE_ACCOUNT_CREDENTIALS } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import {
  makeServiceAccount,
  SERVICE_ACCOUNT_CREDENTIALS,
  type ServiceAccount,
} from "../testing/service-account.ts";
import { type Actor, actionOf, makeActor, signedCaller } from "../testing/signed-actions.ts";
import { keyFactor, makeClientKey } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

let world: World;
let actor: Actor;
beforeAll(async () => {
  world = await startWorld({ userActionsRequired: false });
  actor = makeActor(world);
});
afterAll(() => world.stop());

const PATH = SERVICE_ACCOUNT_CREDENTIALS;
const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const credentialSchema = z.looseObject({ credentialId: z.string(), credentialUuid: z.string() });
const listSchema = z.looseObject({ items: z.array(credentialSchema) });

const robot = (operations?: readonly string[]): Promise<ServiceAccount> =>
  makeServiceAccount(world, operations);
const bearer = ({ token }: ServiceAccount) => ({ authorization: `Bearer ${token}` });
const act = (by: ServiceAccount, method: string, path: string, body?: unknown, key = by.key) =>
  by.act(method, path, body, key);
const add = (by: ServiceAccount, signer = by.key) => by.add(signer);
const listed = async (by: ServiceAccount) =>
  listSchema.parse((await world.call("GET", "/auth/credentials", undefined, bearer(by))).body).items;
const shown = async ({ userId }: ServiceAccount) =>
  (await world.call("GET", `/auth/service-accounts/${userId}`)).body;

describe("a service account", () => {
  it("adds a key of its own, which then signs as the first one does", async () => {
    const by = await robot();
    const key = makeClientKey();
    const made = await act(by, "POST", PATH, { publicKey: key.publicKey });
    expect(made).toMatchObject({
      status: 200,
      body: {
        kind: "Key",
        name: "Key",
        isActive: true,
        publicKey: key.publicKey,
        origin: "",
        relyingPartyId: "",
      },
    });
    const { credentialId } = credentialSchema.parse(made.body);
    expect((await listed(by)).map((each) => each.credentialId)).toEqual([by.key.credId, credentialId]);
    const next = await add(by, { ...key, credId: credentialId });
    expect((await listed(by)).map((each) => each.credentialUuid)).toContain(next.uuid);
  });

  it("deletes its first key, and its token shows the one that stays", async () => {
    const by = await robot();
    const next = await add(by);
    const [first] = await listed(by);
    const gone = await act(by, "DELETE", `${PATH}/${first?.credentialUuid}`, undefined, next.key);
    expect(gone).toMatchObject({ status: 200, body: {} });
    expect((await listed(by)).map((each) => each.credentialUuid)).toEqual([next.uuid]);
    expect(await shown(by)).toMatchObject({
      userInfo: { credentialUuid: next.uuid },
      accessTokens: [{ credId: next.key.credId }],
    });
    const begun = await actor.begin({ method: "POST", path: PATH, body: {} }, by.token);
    expect(begun.allowCredentials.key.map(({ id }) => id)).toEqual([next.key.credId]);
    const late = await actor.finish(begun.challengeIdentifier, keyFactor(by.key, begun.challenge), {
      token: by.token,
    });
    expect(codeOf(late)).toEqual([403, "UserActionInvalid"]);
  });

  it("whose deleted key had signed an action before does not use that action", async () => {
    const by = await robot();
    const next = await add(by);
    const request = { method: "POST", path: PATH, body: { publicKey: makeClientKey().publicKey } };
    const begun = await actor.begin(request, by.token);
    const signed = await actor.finish(begun.challengeIdentifier, keyFactor(next.key, begun.challenge), {
      token: by.token,
    });
    await act(by, "DELETE", `${PATH}/${next.uuid}`);
    expect(codeOf(await actor.send(request, actionOf(signed), by.token))).toEqual([403, "UserActionInvalid"]);
    expect(await listed(by)).toHaveLength(1);
  });

  it("keeps one key, and has a bound of them", async () => {
    const by = await robot();
    const [first] = await listed(by);
    expect(codeOf(await act(by, "DELETE", `${PATH}/${first?.credentialUuid}`))).toEqual([
      409,
      "CredentialNeeded",
    ]);
    for (let count = 1; count < MOST_SERVICE_ACCOUNT_CREDENTIALS; count += 1) await add(by);
    const body = { publicKey: makeClientKey().publicKey };
    expect(codeOf(await act(by, "POST", PATH, body))).toEqual([422, "TooManyServiceAccountCredentials"]);
    expect(await listed(by)).toHaveLength(MOST_SERVICE_ACCOUNT_CREDENTIALS);
  });

  it("keeps one key when two requests delete one each", async () => {
    const by = await robot();
    const next = await add(by);
    const [first] = await listed(by);
    const deletion = (uuid: string | undefined) => ({ method: "DELETE", path: `${PATH}/${uuid}` });
    const ofFirst = deletion(first?.credentialUuid);
    const ofNext = deletion(next.uuid);
    // both are signed before either is sent: a key that is gone signs nothing
    const byNext = await actor.sign(ofFirst, next.key, by.token);
    const byFirst = await actor.sign(ofNext, by.key, by.token);
    const answers = await Promise.all([
      actor.send(ofFirst, byNext, by.token),
      actor.send(ofNext, byFirst, by.token),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await listed(by)).toHaveLength(1);
  });

  it("that was deactivated neither adds nor deletes a key", async () => {
    const by = await robot();
    await world.call("PUT", `/auth/service-accounts/${by.userId}/deactivate`, {});
    const answer = await world.call("POST", PATH, { publicKey: by.key.publicKey }, bearer(by));
    expect(answer.status).toBe(401);
  });
});

describe("a key of a service account is neither added nor deleted", () => {
  it("by its token alone, even where the cluster asks for no signed action", async () => {
    const by = await robot();
    const [first] = await listed(by);
    const asked = [
      await world.call("POST", PATH, { publicKey: by.key.publicKey }, bearer(by)),
      await world.call("DELETE", `${PATH}/${first?.credentialUuid}`, undefined, bearer(by)),
    ];
    expect(asked.map(codeOf)).toEqual([
      [403, "UserActionInvalid"],
      [403, "UserActionInvalid"],
    ]);
  });

  it("by a person, who may do everything", async () => {
    const by = await robot();
    const [first] = await listed(by);
    const person = await signedCaller(world);
    const body = { publicKey: makeClientKey().publicKey };
    expect(codeOf(await person("POST", PATH, body))).toEqual([403, "ServiceAccountNeeded"]);
    expect(codeOf(await person("DELETE", `${PATH}/${first?.credentialUuid}`))).toEqual([
      403,
      "ServiceAccountNeeded",
    ]);
    expect(await listed(by)).toHaveLength(1);
  });

  it("without the permission", async () => {
    const by = await robot(["Auth:Creds:Read"]);
    const [first] = await listed(by);
    const body = { publicKey: makeClientKey().publicKey };
    expect(codeOf(await act(by, "POST", PATH, body))).toEqual([403, "PermissionMissing"]);
    expect(codeOf(await act(by, "DELETE", `${PATH}/${first?.credentialUuid}`))).toEqual([
      403,
      "PermissionMissing",
    ]);
  });

  it("INV-11 by another service account, by the very answer of a key that does not exist", async () => {
    const [by, other] = [await robot(), await robot()];
    const theirs = await add(other);
    await add(by);
    const unknown = freshId(credentialUuidSchema, "cr");
    for (const uuid of [theirs.uuid, unknown]) {
      const answer = await act(by, "DELETE", `${PATH}/${uuid}`);
      expect(codeOf(answer)).toEqual([404, "CredentialNotFound"]);
      expect(errorOf(answer.body).details["credentialUuid"]).toBe(uuid);
    }
    expect(await listed(other)).toHaveLength(2);
  });

  it("INV-11 a key of one account signs nothing under the token of another", async () => {
    const [by, other] = [await robot(), await robot()];
    const theirs = await add(other);
    await expect(act(by, "POST", PATH, { publicKey: theirs.key.publicKey }, theirs.key)).rejects.toThrow(
      /does not match/,
    );
  });

  it.each<readonly [string, object, string]>([
    ["no key", {}, "InvalidBody"],
    [
      "a private key",
      { publicKey: "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----" },
      "InvalidBody",
    ],
    [
      "no point",
      { publicKey: "-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----" },
      "PublicKeyInvalid",
    ],
    ["an empty name", { publicKey: makeClientKey().publicKey, name: "" }, "InvalidBody"],
    ["a long name", { publicKey: makeClientKey().publicKey, name: "n".repeat(101) }, "InvalidBody"],
    [
      "a name of control characters",
      { publicKey: makeClientKey().publicKey, name: "a\u0007" },
      "InvalidBody",
    ],
    ["another account", { publicKey: makeClientKey().publicKey, userId: "us-1" }, "InvalidBody"],
  ])("INV-9 with %s", async (_, body, code) => {
    const by = await robot();
    expect(codeOf(await act(by, "POST", PATH, body))).toEqual([400, code]);
    expect(await listed(by)).toHaveLength(1);
  });

  it("INV-9 under an id of another form", async () => {
    expect(codeOf(await act(await robot(), "DELETE", `${PATH}/cr-1`))).toEqual([400, "InvalidParameter"]);
  });
});
