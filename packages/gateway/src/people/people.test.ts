import { createHash, createPublicKey } from "node:crypto";
import { END_USER_NAME, END_USER_OPERATIONS, FULL_ADMIN_NAME, type Operation } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { makeClientKey } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const { publicKey } = makeClientKey();
const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const itemsOf = (answer: Answer) =>
  z
    .looseObject({ items: z.array(z.looseObject({})), nextPageToken: z.string().optional() })
    .parse(answer.body);
const userOf = (answer: Answer) => z.looseObject({ userId: z.string() }).parse(answer.body);
const tokenSchema = z.looseObject({
  tokenId: z.string(),
  credId: z.string(),
  accessToken: z.string(),
});
const tokenOf = (answer: Answer) => tokenSchema.parse(answer.body);
const machineOf = (answer: Answer) => {
  const { userInfo, accessTokens } = z
    .looseObject({ userInfo: z.looseObject({ userId: z.string() }), accessTokens: z.tuple([tokenSchema]) })
    .parse(answer.body);
  return { userId: userInfo.userId, ...accessTokens[0] };
};
const applicationOf = (answer: Answer) => z.looseObject({ appId: z.string() }).parse(answer.body);
const as = (token: string, method: string, path: string, body?: unknown) =>
  world.call(method, path, body, { authorization: `Bearer ${token}` });

let made = 0;
const permissionFor = async (...operations: readonly Operation[]): Promise<string> => {
  made += 1;
  const answer = await world.call("POST", "/permissions", { name: `for-${made}`, operations });
  return z.looseObject({ id: z.string() }).parse(answer.body).id;
};
const createUser = () => {
  made += 1;
  return world.call("POST", "/auth/users", { email: `user-${made}@acme.example`, kind: "CustomerEmployee" });
};
const createMachine = (more: object = {}) =>
  world.call("POST", "/auth/service-accounts", { name: "robot", publicKey, ...more });
const createPat = (more: object = {}) =>
  world.call("POST", "/auth/pats", { name: "pat", publicKey, ...more });
const APP = { name: "shop", relyingPartyId: "shop.example", origin: "https://shop.example" };
const createApp = (more: object = {}) =>
  world.call("POST", "/auth/apps", { ...APP, kind: "ServerSideApplication", publicKey, ...more });
const fingerprint = () => {
  const der = createPublicKey(publicKey).export({ type: "spki", format: "der" });
  return `SHA256:${createHash("sha256").update(der).digest("base64").slice(0, 43)}`;
};

describe("a user", () => {
  it("is invited, read, listed, renamed and archived", async () => {
    const answer = await createUser();
    const { registrationCode, ...created } = z
      .looseObject({ registrationCode: z.string(), userId: z.string(), username: z.string() })
      .parse(answer.body);
    expect(registrationCode).toMatch(/^[\w-]{24}$/);
    expect(created).toEqual({
      username: created.username,
      name: created.username,
      userId: expect.stringMatching(/^us-/),
      kind: "CustomerEmployee",
      credentialUuid: "",
      orgId: world.caller.orgId,
      isActive: true,
      isServiceAccount: false,
      isRegistered: false,
      isSSORequired: false,
      permissionAssignments: [],
    });
    const path = `/auth/users/${created.userId}`;
    expect((await world.call("GET", path)).body).toEqual(created);
    const page = itemsOf(await world.call("GET", "/auth/users?limit=1"));
    expect(page).toEqual({ items: [created], nextPageToken: expect.any(String) });
    const rest = await world.call("GET", `/auth/users?paginationToken=${page.nextPageToken}`);
    expect(itemsOf(rest).items).not.toContainEqual(created);
    const renamed = await world.call("PUT", path, { name: "Alice", externalId: "e-1" });
    expect(renamed.body).toEqual({ ...created, name: "Alice" });
    const archived = await world.call("DELETE", path, {});
    expect(archived.body).toEqual({ ...created, name: "Alice", isActive: false });
    expect(codeOf(await world.call("GET", path))).toEqual([404, "UserNotFound"]);
    const again = { email: created.username, kind: "CustomerEmployee" };
    expect((await world.call("POST", "/auth/users", again)).status).toBe(200);
    expect(codeOf(await world.call("POST", "/auth/users", again))).toEqual([409, "UserNameTaken"]);
  });

  it("shows what it may do", async () => {
    const { userId } = userOf(await createUser());
    const permissionId = await permissionFor("Wallets:Read");
    const assigned = await world.call("POST", `/permissions/${permissionId}/assignments`, {
      identityId: userId,
    });
    const { id: assignmentId } = z.looseObject({ id: z.string() }).parse(assigned.body);
    expect((await world.call("GET", `/auth/users/${userId}`)).body).toMatchObject({
      permissionAssignments: [
        { permissionId, permissionName: expect.any(String), assignmentId, operations: ["Wallets:Read"] },
      ],
    });
  });

  it("is listed by kind, and no machine is listed", async () => {
    const email = "customer@acme.example";
    await world.call("POST", "/auth/registration/delegated", { email, kind: "EndUser" });
    const machine = machineOf(await createMachine());
    const { items } = itemsOf(await world.call("GET", "/auth/users?kind=EndUser"));
    expect(items).toMatchObject([{ username: email, kind: "EndUser" }]);
    const all = itemsOf(await world.call("GET", "/auth/users?limit=500")).items;
    expect(all.filter(({ isServiceAccount }) => isServiceAccount !== false)).toEqual([]);
    expect(codeOf(await world.call("GET", `/auth/users/${machine.userId}`))).toEqual([404, "UserNotFound"]);
  });

  it("the last administrator stays", async () => {
    for (const [method, path] of [
      ["PUT", `/auth/users/${world.caller.userId}/deactivate`],
      ["DELETE", `/auth/users/${world.caller.userId}`],
    ] as const) {
      expect(codeOf(await world.call(method, path, {}))).toEqual([409, "AdministratorNeeded"]);
    }
  });

  const assignmentsOfEverything = async (): Promise<string> => {
    const all = z.looseObject({ items: z.array(z.looseObject({ id: z.string(), name: z.string() })) });
    const { items } = all.parse((await world.call("GET", "/permissions?limit=500")).body);
    return `/permissions/${items.find(({ name }) => name === FULL_ADMIN_NAME)?.id}/assignments`;
  };

  it("the last person who is an administrator stays, beside service accounts that may do everything", async () => {
    const [first, second] = [machineOf(await createMachine()), machineOf(await createMachine())];
    const assignments = await assignmentsOfEverything();
    for (const { userId: identityId } of [first, second])
      expect((await world.call("POST", assignments, { identityId })).status).toBe(200);
    const own = `/auth/users/${world.caller.userId}`;
    expect(codeOf(await world.call("PUT", `${own}/deactivate`, {}))).toEqual([409, "AdministratorNeeded"]);
    expect(codeOf(await world.call("DELETE", own, {}))).toEqual([409, "AdministratorNeeded"]);
    // the service accounts may leave while a person stays
    for (const { userId } of [first, second])
      expect((await world.call("DELETE", `/auth/service-accounts/${userId}`, {})).status).toBe(200);

    const { userId: colleague } = userOf(await createUser());
    expect((await world.call("POST", assignments, { identityId: colleague })).status).toBe(200);
    await world.database.execute("update users set is_registered = true where id = $1", [colleague]);
    expect((await world.call("PUT", `/auth/users/${colleague}/deactivate`, {})).status).toBe(200);
    expect(codeOf(await world.call("DELETE", own, {}))).toEqual([409, "AdministratorNeeded"]);
    expect((await world.call("PUT", `/auth/users/${colleague}/activate`, {})).status).toBe(200);
    // one of two persons may leave; the other stays
    expect((await world.call("PUT", `/auth/users/${colleague}/deactivate`, {})).status).toBe(200);
  });

  it("row 16: who is the last administrator stays, though somebody invited is to be one and never came", async () => {
    const { userId } = userOf(await createUser());
    const assignments = await assignmentsOfEverything();
    expect((await world.call("POST", assignments, { identityId: userId })).status).toBe(200);
    const own = `/auth/users/${world.caller.userId}`;
    expect(codeOf(await world.call("PUT", `${own}/deactivate`, {}))).toEqual([409, "AdministratorNeeded"]);
    expect(codeOf(await world.call("DELETE", own, {}))).toEqual([409, "AdministratorNeeded"]);
    const list = z.looseObject({ items: z.array(z.looseObject({ id: z.string(), identityId: z.string() })) });
    const assigned = list.parse((await world.call("GET", assignments)).body).items;
    const [mine] = assigned.filter(({ identityId }) => identityId === world.caller.userId);
    expect(codeOf(await world.call("DELETE", `${assignments}/${mine?.id}`, {}))).toEqual([
      409,
      "AdministratorNeeded",
    ]);
    // a person who was only invited may be archived
    expect((await world.call("DELETE", `/auth/users/${userId}`, {})).status).toBe(200);
  });
});

describe("row 16: the service's own permissions", () => {
  it.each([FULL_ADMIN_NAME, END_USER_NAME])("%s: nobody takes the name for another", async (name) => {
    const named = { name, operations: [] };
    expect(codeOf(await world.call("POST", "/permissions", named))).toEqual([409, "PermissionNameTaken"]);
    const permissionId = await permissionFor("Wallets:Read");
    const path = `/permissions/${permissionId}`;
    expect(codeOf(await world.call("PUT", path, { name }))).toEqual([409, "PermissionNameTaken"]);
  });

  it("let the operations of end users be changed, and nothing else of theirs", async () => {
    const idSchema = z.object({ id: z.string() });
    const [found] = await world.database.rows(
      idSchema,
      "select id from permissions where org_id = $1 and name = $2 and is_immutable",
      [world.caller.orgId, END_USER_NAME],
    );
    const path = `/permissions/${found?.id}`;
    const operations = [...END_USER_OPERATIONS, "Wallets:Create"];
    const changed = await world.call("PUT", path, { operations });
    expect([changed.status, changed.body]).toMatchObject([200, { operations, isImmutable: false }]);
    for (const [way, body] of [
      ["", { name: "Guests" }],
      ["/archive", { isArchived: true }],
    ] as const) {
      expect(codeOf(await world.call("PUT", `${path}${way}`, body))).toEqual([409, "PermissionImmutable"]);
    }
    const begun = await world.call("POST", "/auth/registration/delegated", {
      email: "more",
      kind: "EndUser",
    });
    const { user } = z.looseObject({ user: idSchema }).parse(begun.body);
    expect((await world.call("GET", `/auth/users/${user.id}`)).body).toMatchObject({
      permissionAssignments: [{ permissionName: END_USER_NAME, operations }],
    });
    expect((await world.call("PUT", path, { operations: END_USER_OPERATIONS })).status).toBe(200);
  });

  it("reach end users also where somebody took the name in a version before", async () => {
    const permissionId = await permissionFor("Wallets:Read");
    await world.database.execute(
      "delete from permission_assignments using permissions p where p.id = permission_id and p.name = $1",
      [END_USER_NAME],
    );
    await world.database.execute("delete from permissions where name = $1", [END_USER_NAME]);
    await world.database.execute("update permissions set name = $2 where id = $1", [
      permissionId,
      END_USER_NAME,
    ]);
    const begun = await world.call("POST", "/auth/registration/delegated", {
      email: "late",
      kind: "EndUser",
    });
    const { user } = z.looseObject({ user: z.looseObject({ id: z.string() }) }).parse(begun.body);
    expect((await world.call("GET", `/auth/users/${user.id}`)).body).toMatchObject({
      permissionAssignments: [{ permissionName: END_USER_NAME, operations: END_USER_OPERATIONS }],
    });
    // a permission that took the name keeps it until it is archived, and cannot be restored
    const path = `/permissions/${permissionId}`;
    expect((await world.call("PUT", path, { operations: ["Keys:Read"] })).status).toBe(409);
    expect((await world.call("PUT", `${path}/archive`, { isArchived: true })).status).toBe(200);
    expect(codeOf(await world.call("PUT", `${path}/archive`, { isArchived: false }))).toEqual([
      409,
      "PermissionNameTaken",
    ]);
  });
});

describe("a service account", () => {
  it("has a token that is shown once, and calls with it what it may call", async () => {
    const permissionId = await permissionFor("Wallets:Read");
    const created = await createMachine({ permissionId, daysValid: 1 });
    expect(created).toMatchObject({
      status: 200,
      body: {
        userInfo: {
          name: "robot",
          isServiceAccount: true,
          isRegistered: true,
          permissionAssignments: [{ permissionId }],
        },
        accessTokens: [{ kind: "ServiceAccount", linkedAppId: "", publicKey: fingerprint() }],
      },
    });
    const { userId, accessToken, credId } = machineOf(created);
    expect(Buffer.from(credId, "base64url").toString("utf8")).toMatch(/^ci-\w{5}-\w{5}-\w{16}$/);
    const read = await world.call("GET", `/auth/service-accounts/${userId}`);
    expect(JSON.stringify(read.body)).not.toContain('accessToken"');
    expect(
      JSON.stringify(await world.database.rows(z.unknown(), "select * from access_tokens")),
    ).not.toContain(accessToken);
    const { items } = itemsOf(await world.call("GET", "/auth/service-accounts"));
    expect(items).toContainEqual(read.body);
    expect((await as(accessToken, "GET", "/wallets")).status).toBe(200);
    expect(codeOf(await as(accessToken, "GET", "/auth/users"))).toEqual([403, "PermissionMissing"]);
  });

  it("is refused at once when it is deactivated or archived", async () => {
    const { userId, accessToken } = machineOf(await createMachine());
    const path = `/auth/service-accounts/${userId}`;
    const read = async () => (await as(accessToken, "GET", "/auth/pats")).status;
    expect(await read()).toBe(200);
    expect((await world.call("PUT", `${path}/deactivate`, {})).body).toMatchObject({
      userInfo: { isActive: false },
    });
    expect(await read()).toBe(401);
    await world.call("PUT", `${path}/activate`, {});
    expect(await read()).toBe(200);
    expect((await world.call("PUT", path, { name: "other" })).body).toMatchObject({
      userInfo: { name: "other" },
    });
    expect((await world.call("DELETE", `${path}?force=true`, {})).status).toBe(200);
    expect([await read(), codeOf(await world.call("GET", path))]).toEqual([
      401,
      [404, "ServiceAccountNotFound"],
    ]);
  });
});

describe("a personal access token", () => {
  it("is narrower than its user, as its permission says", async () => {
    const permissionId = await permissionFor("Wallets:Read");
    const wide = tokenOf(await createPat());
    const narrow = tokenOf(await createPat({ permissionId, secondsValid: 60 }));
    expect((await as(wide.accessToken, "GET", "/auth/users")).status).toBe(200);
    expect((await as(narrow.accessToken, "GET", "/wallets")).status).toBe(200);
    expect(codeOf(await as(narrow.accessToken, "GET", "/auth/users"))).toEqual([403, "PermissionMissing"]);
  });

  it("is shown once, listed, renamed, deactivated and archived", async () => {
    const { accessToken, ...created } = tokenOf(await createPat({ externalId: "e" }));
    const path = `/auth/pats/${created.tokenId}`;
    expect(created).toMatchObject({
      kind: "Pat",
      linkedUserId: world.caller.userId,
      linkedAppId: "",
      publicKey: fingerprint(),
      permissionAssignments: [],
    });
    expect((await world.call("GET", path)).body).toEqual(created);
    expect(itemsOf(await world.call("GET", "/auth/pats")).items).toContainEqual(created);
    expect((await world.call("PUT", path, { name: "new" })).body).toEqual({ ...created, name: "new" });
    const read = async () => (await as(accessToken, "GET", "/wallets")).status;
    expect(await read()).toBe(200);
    await world.call("PUT", `${path}/deactivate`, {});
    expect(await read()).toBe(401);
    await world.call("PUT", `${path}/activate`, {});
    expect(await read()).toBe(200);
    await world.call("DELETE", path, {});
    expect([await read(), codeOf(await world.call("GET", path))]).toEqual([
      401,
      [404, "AccessTokenNotFound"],
    ]);
  });

  it("is its user's alone", async () => {
    const { tokenId } = tokenOf(await createPat());
    const { token } = await world.tokenOf(["Auth:Pats:Create"]);
    for (const each of [token, world.strangersToken]) {
      expect(codeOf(await as(each, "GET", `/auth/pats/${tokenId}`))).toEqual([404, "AccessTokenNotFound"]);
      expect(codeOf(await as(each, "DELETE", `/auth/pats/${tokenId}`, {}))).toEqual([
        404,
        "AccessTokenNotFound",
      ]);
    }
  });
});

describe("an application", () => {
  it("of a server has a token, and may do what it was given", async () => {
    const permissionId = await permissionFor("Wallets:Read", "Auth:Apps:Update", "Auth:Types:Application");
    const created = await createApp({ permissionId });
    const { appId } = applicationOf(created);
    expect(created.body).toEqual({
      appId,
      kind: "ServerSideApplication",
      orgId: world.caller.orgId,
      expectedRpId: "shop.example",
      expectedOrigin: "https://shop.example",
      name: "shop",
      isActive: true,
      permissionAssignments: [expect.objectContaining({ permissionId })],
      accessTokens: [
        {
          accessToken: expect.any(String),
          dateCreated: expect.any(String),
          credId: expect.any(String),
          isActive: true,
          kind: "Application",
          linkedAppId: appId,
          linkedUserId: "",
          name: "shop",
          orgId: world.caller.orgId,
          permissionAssignments: [],
          publicKey: fingerprint(),
          tokenId: expect.stringMatching(/^to-/),
        },
      ],
    });
    const { accessTokens } = z.looseObject({ accessTokens: z.tuple([tokenSchema]) }).parse(created.body);
    const [{ accessToken }] = accessTokens;
    expect((await as(accessToken, "GET", "/wallets")).status).toBe(200);
    for (const [method, path] of [
      ["PUT", `/auth/apps/${appId}/deactivate`],
      ["PUT", `/auth/apps/${appId}/activate`],
      ["DELETE", `/auth/apps/${appId}`],
    ] as const) {
      const answer = await as(accessToken, method, path, {});
      expect([codeOf(answer), errorOf(answer.body).message]).toEqual([
        [400, "ApplicationOwnState"],
        "application cannot modify its own state",
      ]);
    }
    await world.call("PUT", `/auth/apps/${appId}/deactivate`, {});
    expect((await as(accessToken, "GET", "/wallets")).status).toBe(401);
  });

  it("of clients has none", async () => {
    const created = await world.call("POST", "/auth/apps", { ...APP, kind: "ClientSideApplication" });
    expect(created).toMatchObject({ status: 200, body: { accessTokens: [] } });
    const { appId } = applicationOf(created);
    const path = `/auth/apps/${appId}`;
    expect((await world.call("GET", path)).body).toEqual(created.body);
    expect(itemsOf(await world.call("GET", "/auth/apps")).items).toContainEqual(created.body);
    expect((await world.call("PUT", path, { name: "new" })).body).toMatchObject({ name: "new" });
    expect((await world.call("DELETE", path, {})).body).toMatchObject({ isActive: false });
    expect(codeOf(await world.call("GET", path))).toEqual([404, "ApplicationNotFound"]);
  });

  it("is read with both permissions alone", async () => {
    const { appId } = applicationOf(await createApp());
    const read = async (...operations: readonly Operation[]) => {
      const { token } = await world.tokenOf(operations);
      return (await as(token, "GET", `/auth/apps/${appId}`)).status;
    };
    expect(await read("Auth:Apps:Read")).toBe(403);
    expect(await read("Auth:Types:Application")).toBe(403);
    expect(await read("Auth:Apps:Read", "Auth:Types:Application")).toBe(200);
  });
});

describe("names of permissions of either generation", () => {
  it.each<readonly [string, readonly Operation[], number]>([
    ["/auth/service-accounts", ["Auth:ServiceAccounts:Read"], 200],
    ["/auth/service-accounts", ["Auth:Apps:Read", "Auth:Types:ServiceAccount"], 200],
    ["/auth/service-accounts", ["Auth:Apps:Read"], 403],
    ["/auth/service-accounts", ["Auth:Types:ServiceAccount"], 403],
    ["/auth/users", ["Auth:Users:Read"], 200],
    ["/auth/action/logs", ["Auth:Logs:Read"], 200],
    ["/auth/credentials", ["Auth:Creds:Read"], 200],
  ])("at %s: %j answers %i", async (path, operations, status) => {
    const { token } = await world.tokenOf(operations);
    expect((await as(token, "GET", path)).status).toBe(status);
  });
});

describe("a permission that comes with a new token", () => {
  it("waits for nobody, unless a policy asks people: then nothing is created", async () => {
    const permissionId = await permissionFor("Wallets:Read");
    const policy = await world.call("POST", "/v2/policies", {
      name: "assignments",
      activityKind: "Permissions:Assign",
      rule: { kind: "AlwaysTrigger" },
      action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
      filters: { permissionId: { in: [permissionId] } },
    });
    const { id } = z.looseObject({ id: z.string() }).parse(policy.body);
    const count = async () => itemsOf(await world.call("GET", "/auth/service-accounts")).items.length;
    const before = await count();
    expect(codeOf(await createMachine({ permissionId }))).toEqual([409, "AssignmentNeedsApproval"]);
    expect(codeOf(await createPat({ permissionId }))).toEqual([409, "AssignmentNeedsApproval"]);
    expect(await count()).toBe(before);
    await world.call("DELETE", `/v2/policies/${id}`, {});
  });
});

describe("INV-11 hidden:", () => {
  it("anybody of another organisation, by the very answer of one who does not exist", async () => {
    const { userId } = userOf(await createUser());
    const robot = machineOf(await createMachine());
    const { appId } = applicationOf(await createApp());
    for (const [method, path, code] of [
      ["GET", `/auth/users/${userId}`, "UserNotFound"],
      ["PUT", `/auth/users/${userId}/deactivate`, "UserNotFound"],
      ["DELETE", `/auth/users/${userId}`, "UserNotFound"],
      ["GET", `/auth/service-accounts/${robot.userId}`, "ServiceAccountNotFound"],
      ["DELETE", `/auth/service-accounts/${robot.userId}`, "ServiceAccountNotFound"],
      ["GET", `/auth/apps/${appId}`, "ApplicationNotFound"],
      ["PUT", `/auth/apps/${appId}/deactivate`, "ApplicationNotFound"],
    ] as const) {
      const answer = await as(world.strangersToken, method, path, method === "GET" ? undefined : {});
      expect(codeOf(answer)).toEqual([404, code]);
    }
    for (const path of ["/auth/users", "/auth/service-accounts", "/auth/apps"]) {
      const { items } = itemsOf(await as(world.strangersToken, "GET", path));
      expect(JSON.stringify(items)).not.toContain(world.caller.orgId);
    }
  });
});
