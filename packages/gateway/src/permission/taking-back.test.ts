import { generateKeyPairSync } from "node:crypto";
import type { Operation } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { administratorOf, type Person, personWith } from "../testing/people.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

const publicKey = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await startWorld();
  admin = administratorOf(world);
});
afterAll(() => world.stop());

const codeOf = ({ status, body }: Answer) => [status, status === 200 ? "" : errorOf(body).details.code];
const idOf = (answer: Answer): string => z.looseObject({ id: z.string() }).parse(answer.body).id;
const listSchema = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

let made = 0;
const permission = async (...operations: readonly Operation[]): Promise<string> => {
  made += 1;
  return idOf(await admin.call("POST", "/permissions", { name: `role-${made}`, operations }));
};
const assignmentsOf = async (permissionId: string): Promise<readonly string[]> => {
  const path = `/permissions/${permissionId}/assignments`;
  return listSchema.parse((await admin.call("GET", path)).body).items.map(({ id }) => id);
};

const tokenSchema = z.looseObject({ tokenId: z.string(), accessToken: z.string() });
const makeToken = async (owner: Person, permissionId?: string) => {
  const body = { name: "pat", publicKey, ...(permissionId === undefined ? {} : { permissionId }) };
  const { tokenId, accessToken } = tokenSchema.parse((await owner.call("POST", "/auth/pats", body)).body);
  const call = (method: string, path: string, sent?: unknown) =>
    world.call(method, path, sent, { authorization: `Bearer ${accessToken}` });
  return { tokenId, path: `/auth/pats/${tokenId}`, call };
};

describe("row 12: a token whose last assignment is revoked", () => {
  const revokeAll = async (by: Person, permissionId: string) => {
    const [assignmentId = ""] = await assignmentsOf(permissionId);
    return by.call("DELETE", `/permissions/${permissionId}/assignments/${assignmentId}`, {});
  };

  it("may do nothing from then on, though its user may do everything", async () => {
    const permissionId = await permission("Wallets:Read");
    const token = await makeToken(admin, permissionId);
    expect((await token.call("GET", "/wallets")).status).toBe(200);
    expect((await revokeAll(admin, permissionId)).status).toBe(200);
    expect(codeOf(await token.call("GET", "/wallets"))).toEqual([403, "PermissionMissing"]);
    expect(codeOf(await token.call("GET", "/auth/users"))).toEqual([403, "PermissionMissing"]);
    expect(codeOf(await token.call("POST", "/auth/pats", { name: "wide", publicKey }))).toEqual([
      403,
      "PermissionMissing",
    ]);
  });

  it("keeps that assignment when the revoker holds Permissions:Revoke and not all that its user holds", async () => {
    const permissionId = await permission("Wallets:Read");
    const token = await makeToken(admin, permissionId);
    const revoker = await personWith(world, ["Permissions:Revoke"]);
    expect(codeOf(await revokeAll(revoker, permissionId))).toEqual([403, "PermissionMissing"]);
    expect((await token.call("GET", "/wallets")).status).toBe(200);
    expect(codeOf(await token.call("GET", "/auth/users"))).toEqual([403, "PermissionMissing"]);
  });

  it("is revoked one of two assignments by a caller who may revoke, for nothing is gained by that", async () => {
    const [first, second] = [await permission("Wallets:Read"), await permission("Keys:Read")];
    const token = await makeToken(admin, first);
    await admin.call("POST", `/permissions/${second}/assignments`, { identityId: token.tokenId });
    const revoker = await personWith(world, ["Permissions:Revoke"]);
    expect((await revokeAll(revoker, second)).status).toBe(200);
    expect(codeOf(await token.call("GET", "/keys"))).toEqual([403, "PermissionMissing"]);
    expect((await token.call("GET", "/wallets")).status).toBe(200);
  });

  it("is not widened either by archiving the permission that narrows it, or by emptying it", async () => {
    const permissionId = await permission("Wallets:Read");
    const token = await makeToken(admin, permissionId);
    const archiver = await personWith(world, ["Permissions:Archive", "Permissions:Update"]);
    expect((await archiver.call("PUT", `/permissions/${permissionId}`, { operations: [] })).status).toBe(200);
    expect(codeOf(await token.call("GET", "/wallets"))).toEqual([403, "PermissionMissing"]);
    const archived = await archiver.call("PUT", `/permissions/${permissionId}/archive`, { isArchived: true });
    expect(archived.status).toBe(200);
    expect(codeOf(await token.call("GET", "/wallets"))).toEqual([403, "PermissionMissing"]);
  });

  it("of a user is revoked by a caller who may revoke: a user without assignments may do nothing", async () => {
    const permissionId = await permission("Wallets:Read");
    const person = await personWith(world, []);
    await admin.call("POST", `/permissions/${permissionId}/assignments`, { identityId: person.userId });
    const revoker = await personWith(world, ["Permissions:Revoke"]);
    expect((await revokeAll(revoker, permissionId)).status).toBe(200);
    expect(codeOf(await person.call("GET", "/wallets"))).toEqual([403, "PermissionMissing"]);
  });
});

describe("row 13: a deactivated user is activated like created:", () => {
  it("a narrowed token re-activates no wide token of its user, and one that it covers", async () => {
    const permissionId = await permission("Auth:Pats:Create", "Wallets:Read");
    const narrow = await makeToken(admin, permissionId);
    const wide = await makeToken(admin);
    const wider = await makeToken(admin, await permission("Wallets:Read", "Keys:Export"));
    const alike = await makeToken(admin, await permission("Wallets:Read"));
    for (const each of [wide, wider, alike]) {
      expect((await admin.call("PUT", `${each.path}/deactivate`, {})).status).toBe(200);
    }
    const activate = async (path: string) => codeOf(await narrow.call("PUT", `${path}/activate`, {}));
    expect(await activate(wide.path)).toEqual([403, "TokenNarrowed"]);
    expect(await activate(wider.path)).toEqual([403, "PermissionMissing"]);
    expect((await wide.call("GET", "/wallets")).status).toBe(401);
    expect(await activate(alike.path)).toEqual([200, ""]);
    expect((await alike.call("GET", "/wallets")).status).toBe(200);
    expect((await admin.call("PUT", `${wide.path}/activate`, {})).status).toBe(200);
    expect((await wide.call("GET", "/wallets")).status).toBe(200);
  });

  it("a token that lost its last assignment is re-activated, and still may do nothing", async () => {
    const permissionId = await permission("Wallets:Read");
    const token = await makeToken(admin, permissionId);
    const [assignmentId = ""] = await assignmentsOf(permissionId);
    await admin.call("DELETE", `/permissions/${permissionId}/assignments/${assignmentId}`, {});
    await admin.call("PUT", `${token.path}/deactivate`, {});
    expect((await admin.call("PUT", `${token.path}/activate`, {})).status).toBe(200);
    expect(codeOf(await token.call("GET", "/wallets"))).toEqual([403, "PermissionMissing"]);
  });

  it("a narrowed token re-activates no credential of its user, by which anybody could log in", async () => {
    const narrow = await makeToken(admin, await permission("Auth:Creds:Update", "Auth:Creds:Read"));
    const credentialUuid = "cr-aaaaa-aaaaa-aaaaaaaaaaaaaaaa";
    const activated = await narrow.call("PUT", "/auth/credentials/activate", { credentialUuid });
    expect(codeOf(activated)).toEqual([403, "TokenNarrowed"]);
  });

  it("a user who may activate users and machines re-activates none that may do more than they", async () => {
    const activator = await personWith(world, [
      "Auth:Users:Activate",
      "Auth:ServiceAccounts:Activate",
      "Auth:Apps:Update",
      "Auth:Types:Application",
      "Wallets:Read",
    ]);
    const [held, more] = [await permission("Wallets:Read"), await permission("Wallets:Read", "Keys:Export")];
    const machines = z.looseObject({ userInfo: z.looseObject({ userId: z.string() }) });
    const applications = z.looseObject({ appId: z.string() });
    const makers: readonly ((permissionId: string) => Promise<string>)[] = [
      async (permissionId) => {
        const { userId } = await personWith(world, []);
        await admin.call("POST", `/permissions/${permissionId}/assignments`, { identityId: userId });
        return `/auth/users/${userId}`;
      },
      async (permissionId) => {
        const body = { name: "robot", publicKey, permissionId };
        const machine = machines.parse((await admin.call("POST", "/auth/service-accounts", body)).body);
        return `/auth/service-accounts/${machine.userInfo.userId}`;
      },
      async (permissionId) => {
        const where = { relyingPartyId: "shop.example", origin: "https://shop.example" };
        const body = { kind: "ServerSideApplication", name: "shop", publicKey, permissionId, ...where };
        return `/auth/apps/${applications.parse((await admin.call("POST", "/auth/apps", body)).body).appId}`;
      },
    ];
    for (const make of makers) {
      for (const [permissionId, expected] of [
        [held, [200, ""]],
        [more, [403, "PermissionMissing"]],
      ] as const) {
        const path = await make(permissionId);
        expect((await admin.call("PUT", `${path}/deactivate`, {})).status).toBe(200);
        expect(codeOf(await activator.call("PUT", `${path}/activate`, {}))).toEqual(expected);
      }
    }
  });
});
