import { generateKeyPairSync } from "node:crypto";
import {
  type ApplicationId,
  applicationIdSchema,
  assignmentIdSchema,
  type Operation,
  type OrganisationId,
  organisationIdSchema,
  permissionIdSchema,
  type TokenId,
  tokenIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { freshDatabase } from "../../testing/index.ts";
import type { Caller } from "../../tokens/index.ts";
import { type Database, openDatabase } from "../database.ts";
import { insertAssignment } from "../policies/permission-assignments.ts";
import { insertPermission, readFullAdmin } from "../policies/permissions.ts";
import { type AccessTokenKind, putAccessToken } from "./access-tokens.ts";
import { keepsAdministrator } from "./administrators.ts";
import { insertApplication } from "./applications.ts";
import { bootstrapOrganisation, tokenHashOf } from "./bootstrap.ts";
import { insertOrganisation } from "./organisations.ts";
import { readPrincipal, readRequesterNow } from "./principal.ts";
import { insertUser } from "./users.ts";

const date = "2026-01-02T03:04:05.678Z";
const TEXT = "header.payload.signature";

let database: Database;
const orgId = freshId(organisationIdSchema, "or");
const otherOrgId = freshId(organisationIdSchema, "or");
beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test" });
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: date });
  await insertOrganisation(database, { id: otherOrgId, name: "Other", dateCreated: date });
});
afterAll(async () => {
  await database.close();
});

const addUser = async (organisation: OrganisationId = orgId): Promise<UserId> => {
  const id = freshId(userIdSchema, "us");
  await insertUser(database, {
    id,
    orgId: organisation,
    username: id,
    name: id,
    kind: "CustomerEmployee",
    isServiceAccount: false,
    isRegistered: true,
    isActive: true,
    externalId: undefined,
    dateCreated: date,
    dateArchived: undefined,
  });
  return id;
};
const addToken = async (
  userId: UserId,
  kind: AccessTokenKind = "Pat",
  appId?: ApplicationId,
): Promise<TokenId> => {
  const id = freshId(tokenIdSchema, "to");
  await putAccessToken(database, {
    id,
    orgId,
    kind,
    name: "t",
    userId,
    appId,
    credId: "c",
    publicKey: "SHA256:",
    tokenHash: tokenHashOf(TEXT),
    externalId: undefined,
    isActive: true,
    dateCreated: date,
    dateExpires: date,
    dateArchived: undefined,
  });
  return id;
};
const addApplication = async (userId: UserId): Promise<ApplicationId> => {
  const id = freshId(applicationIdSchema, "ap");
  await insertApplication(database, {
    id,
    orgId,
    userId,
    kind: "ServerSideApplication",
    name: "a",
    expectedRpId: "",
    expectedOrigin: "",
    externalId: undefined,
    isActive: true,
    dateCreated: date,
    dateArchived: undefined,
  });
  return id;
};
const grant = async (identityId: string, ...operations: readonly Operation[]): Promise<string> => {
  const id = freshId(permissionIdSchema, "pm");
  await insertPermission(database, {
    id,
    orgId,
    name: id,
    operations,
    grantsEverything: false,
    isImmutable: false,
    isArchived: false,
    dateCreated: date,
    dateUpdated: date,
  });
  await insertAssignment(database, {
    id: freshId(assignmentIdSchema, "as"),
    orgId,
    permissionId: id,
    identityId,
    isImmutable: false,
    dateCreated: date,
    dateUpdated: date,
  });
  return id;
};
const of = (userId: UserId, more: Partial<Caller> = {}): Caller => ({
  orgId,
  userId,
  tokenKind: "Pat",
  ...more,
});
const read = async (caller: Caller, text = TEXT) => {
  const principal = await readPrincipal(database, caller, { hash: tokenHashOf(text), dateIssued: date });
  if (principal === undefined) return undefined;
  return principal.grant.kind === "everything" ? "everything" : [...principal.grant.operations].sort();
};

describe("a principal", () => {
  it("may do what its permissions list together, archived ones left out", async () => {
    const userId = await addUser();
    await grant(userId, "Wallets:Read");
    await grant(userId, "Keys:Read", "Wallets:Read");
    const archived = await grant(userId, "Policies:Read");
    await database.execute("update permissions set is_archived = true where id = $1", [archived]);
    const tokenId = await addToken(userId);
    expect(await read(of(userId, { tokenId }))).toEqual(["Keys:Read", "Wallets:Read"]);
  });

  it("under a token with permissions of its own may do no more than both allow", async () => {
    const userId = await addUser();
    await grant(userId, "Wallets:Read", "Keys:Read");
    const tokenId = await addToken(userId);
    await grant(tokenId, "Wallets:Read", "Policies:Read");
    expect(await read(of(userId, { tokenId }))).toEqual(["Wallets:Read"]);
  });

  it("under a token whose only permission was archived may do nothing", async () => {
    const userId = await addUser();
    await grant(userId, "Wallets:Read");
    const tokenId = await addToken(userId);
    const archived = await grant(tokenId, "Wallets:Read");
    await database.execute("update permissions set is_archived = true where id = $1", [archived]);
    expect(await read(of(userId, { tokenId }))).toEqual([]);
  });

  it("of an application has the application's permissions, while that is active", async () => {
    const userId = await addUser();
    const appId = await addApplication(userId);
    await grant(appId, "Wallets:Read");
    const tokenId = await addToken(userId, "Application", appId);
    const caller = of(userId, { tokenKind: "Application", tokenId, appId });
    expect(await read(caller)).toEqual(["Wallets:Read"]);
    await database.execute("update applications set is_active = false where id = $1", [appId]);
    expect(await read(caller)).toBeUndefined();
  });
});

describe("the requester of a request long ago", () => {
  const now = async (requester: Omit<Parameters<typeof readRequesterNow>[1], "orgId">, org = orgId) => {
    const principal = await readRequesterNow(database, { orgId: org, ...requester });
    return (
      principal && (principal.grant.kind === "everything" ? "everything" : [...principal.grant.operations])
    );
  };

  it("may do what it may do now, though its token shows nothing any more", async () => {
    const userId = await addUser();
    await grant(userId, "Wallets:Read", "Keys:Read");
    const [tokenId, session] = [await addToken(userId), freshId(tokenIdSchema, "to")];
    await grant(tokenId, "Wallets:Read");
    expect(await now({ userId, tokenId })).toEqual(["Wallets:Read"]);
    expect(await now({ userId, tokenId: session })).toEqual(["Keys:Read", "Wallets:Read"]);
    expect(await now({ userId })).toEqual(["Keys:Read", "Wallets:Read"]);
  });

  it.each([
    ["its user is deactivated", "update users set is_active = false where id = $1"],
    ["its user is archived", "update users set date_archived = now() where id = $1"],
    ["its token is deactivated", "update access_tokens set is_active = false where user_id = $1"],
    ["its token is archived", "update access_tokens set date_archived = now() where user_id = $1"],
    [
      "its application is deactivated",
      "update applications set is_active = false where org_id in (select org_id from users where id = $1)",
    ],
  ])("INV-8 is nobody once %s", async (_, statement) => {
    const userId = await addUser();
    const appId = await addApplication(userId);
    const tokenId = await addToken(userId, "Application", appId);
    expect(await now({ userId, tokenId, appId })).toEqual([]);
    await database.execute(statement, [userId]);
    expect(await now({ userId, tokenId, appId })).toBeUndefined();
  });

  it("INV-11 is nobody in another organisation", async () => {
    expect(await now({ userId: await addUser() }, otherOrgId)).toBeUndefined();
  });
});

describe("nobody is a principal", () => {
  it.each([
    ["whose user is deactivated", "update users set is_active = false where id = $1"],
    ["whose user is archived", "update users set date_archived = now() where id = $1"],
    ["whose token is deactivated", "update access_tokens set is_active = false where user_id = $1"],
    ["whose token is archived", "update access_tokens set date_archived = now() where user_id = $1"],
    ["whose token is forgotten", "delete from access_tokens where user_id = $1"],
  ])("%s", async (_, statement) => {
    const userId = await addUser();
    const tokenId = await addToken(userId);
    expect(await read(of(userId, { tokenId }))).toEqual([]);
    await database.execute(statement, [userId]);
    expect(await read(of(userId, { tokenId }))).toBeUndefined();
  });

  it("whose token is not the text that was issued last", async () => {
    const userId = await addUser();
    const tokenId = await addToken(userId);
    expect(await read(of(userId, { tokenId }), "another.one")).toBeUndefined();
  });

  it.each([
    ["deactivated", "update applications set is_active = false where id = $1"],
    ["archived", "update applications set date_archived = now() where id = $1"],
  ])("INV-8 a user with an application of somebody else's that is %s", async (_, statement) => {
    const userId = await addUser();
    const appId = await addApplication(await addUser());
    const tokenId = await addToken(userId);
    expect(await read(of(userId, { tokenId, appId }))).toEqual([]);
    await database.execute(statement, [appId]);
    expect(await read(of(userId, { tokenId, appId }))).toBeUndefined();
    expect(await readRequesterNow(database, { orgId, userId, tokenId, appId })).toBeUndefined();
  });

  it.each([
    ["deactivated", "update applications set is_active = false where id = $1"],
    ["archived", "update applications set date_archived = now() where id = $1"],
  ])(
    "INV-8 whose user is that of an application which is %s, whichever token it has",
    async (_, statement) => {
      const userId = await addUser();
      const appId = await addApplication(userId);
      const tokenId = await addToken(userId);
      expect(await read(of(userId, { tokenId }))).toEqual([]);
      await database.execute(statement, [appId]);
      expect(await read(of(userId, { tokenId }))).toBeUndefined();
      expect(await readRequesterNow(database, { orgId, userId, tokenId })).toBeUndefined();
    },
  );

  it("INV-11 with a colleague's token, or in another organisation", async () => {
    const [userId, colleague] = [await addUser(), await addUser()];
    const tokenId = await addToken(colleague);
    expect(await read(of(userId, { tokenId }))).toBeUndefined();
    expect(await read({ ...of(colleague, { tokenId }), orgId: otherOrgId })).toBeUndefined();
    expect(await read(of(await addUser(otherOrgId)))).toBeUndefined();
  });
});

describe("a session", () => {
  it("may be forgotten; while it is on record it must be open, and its text the issued one", async () => {
    const userId = await addUser();
    const tokenId = await addToken(userId, "Token");
    const caller = of(userId, { tokenKind: "Token", tokenId });
    expect(await read(of(userId, { tokenKind: "Token" }))).toEqual([]);
    expect([await read(caller), await read(caller, "another.one")]).toEqual([[], undefined]);
    await database.execute("update access_tokens set is_active = false where id = $1", [tokenId]);
    expect(await read(caller)).toBeUndefined();
  });
});

describe("INV-8 a session without a row", () => {
  it("ends where its user was logged out since it was issued", async () => {
    const userId = await addUser();
    const session = of(userId, { tokenKind: "Token" });
    const loggedOut = "update users set date_sessions_ended = $2 where id = $1";
    await database.execute(loggedOut, [userId, "2026-01-02T03:04:05.677Z"]);
    expect(await read(session)).toEqual([]);
    await database.execute(loggedOut, [userId, date]);
    expect(await read(session)).toBeUndefined();
  });
});

describe("an administrator", () => {
  const DAY_ONE = "2020-01-01T00:00:00.000Z";

  it("of a file is entered once: another start gives back no right or key that was taken away, unless that is asked for", async () => {
    const id = freshId(organisationIdSchema, "or");
    const userId = freshId(userIdSchema, "us");
    const { publicKey } = generateKeyPairSync("ed25519");
    const credential = {
      id: "first-key",
      publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    };
    const users = [
      { orgId: id, userId, username: "first", credential },
      { orgId: id, userId, username: "first", credential: { ...credential, id: "second-key" } },
    ];
    const start = (known?: "left" | "restored") =>
      bootstrapOrganisation(
        { nowMs: Date.now },
        database,
        { id, name: "One" },
        { users, serviceAccounts: [] },
        known,
      );
    const held = async () => [
      await database.execute("select from permission_assignments where identity_id = $1", [userId]),
      await database.execute("select from credentials where user_id = $1", [userId]),
    ];
    await start();
    expect(await held()).toEqual([1, 2]);
    await database.execute("delete from permission_assignments where identity_id = $1", [userId]);
    await database.execute("delete from credentials where user_id = $1", [userId]);
    await start();
    expect(await held()).toEqual([0, 0]);
    await start("restored");
    expect(await held()).toEqual([1, 2]);
  });

  it("counts while active and not archived", async () => {
    const id = freshId(organisationIdSchema, "or");
    const [first, second] = [freshId(userIdSchema, "us"), freshId(userIdSchema, "us")];
    await bootstrapOrganisation(
      { nowMs: () => Date.parse(DAY_ONE) },
      database,
      { id, name: "Two" },
      {
        users: [
          { orgId: id, userId: first, username: "first" },
          { orgId: id, userId: second, username: "second" },
        ],
        serviceAccounts: [],
      },
    );
    expect(await readFullAdmin(database, id)).toMatchObject({ dateCreated: DAY_ONE });
    expect(await keepsAdministrator(database, id, first)).toBe(true);
    await database.execute("update users set is_active = false where id = $1", [second]);
    expect([
      await keepsAdministrator(database, id, first),
      await keepsAdministrator(database, id, second),
    ]).toEqual([false, true]);
  });
});
