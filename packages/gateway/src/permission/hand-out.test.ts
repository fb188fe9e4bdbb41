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
const listSchema = z.looseObject({
  items: z.array(z.looseObject({ id: z.string(), isImmutable: z.boolean() })),
});

let made = 0;
const permission = async (...operations: readonly Operation[]): Promise<string> => {
  made += 1;
  return idOf(await admin.call("POST", "/permissions", { name: `role-${made}`, operations }));
};
const everything = async (): Promise<string> => {
  const { items } = listSchema.parse((await admin.call("GET", "/permissions?limit=500")).body);
  return items.find(({ isImmutable }) => isImmutable)?.id ?? "";
};

const tokenSchema = z.looseObject({ tokenId: z.string(), accessToken: z.string() });
/** A token of the administrator with these operations alone. */
const narrowToken = async (...operations: readonly Operation[]) => {
  const permissionId = await permission(...operations);
  const answer = await admin.call("POST", "/auth/pats", { name: "narrow", publicKey, permissionId });
  const { tokenId, accessToken } = tokenSchema.parse(answer.body);
  const call = (method: string, path: string, body?: unknown) =>
    world.call(method, path, body, { authorization: `Bearer ${accessToken}` });
  return { tokenId, permissionId, call };
};

describe("nobody hands out more than they hold:", () => {
  const WIDE = [
    "Permissions:Assign",
    "Permissions:Update",
    "Permissions:Archive",
    "Auth:ServiceAccounts:Create",
    "Auth:Apps:Create",
    "Auth:Types:Application",
    "Wallets:Read",
  ] as const;

  it("a user who may assign permissions assigns those that they cover, and no other, to themselves or anybody", async () => {
    const person = await personWith(world, WIDE);
    const assign = async (id: string) =>
      codeOf(await person.call("POST", `/permissions/${id}/assignments`, { identityId: person.userId }));
    expect(await assign(await permission("Wallets:Read"))).toEqual([200, ""]);
    expect(await assign(await permission("Wallets:Read", "Wallets:Create"))).toEqual([
      403,
      "PermissionMissing",
    ]);
    expect(await assign(await everything())).toEqual([403, "PermissionMissing"]);
  });

  it("a user who may change permissions adds what they hold, and no more", async () => {
    const person = await personWith(world, WIDE);
    const path = `/permissions/${await permission("Policies:Read")}`;
    const change = async (...operations: readonly Operation[]) =>
      codeOf(await person.call("PUT", path, { operations }));
    expect(await change("Policies:Read", "Wallets:Read")).toEqual([200, ""]);
    expect(await change("Policies:Read", "Keys:Export")).toEqual([403, "PermissionMissing"]);
    const archive = async (isArchived: boolean) =>
      codeOf(await person.call("PUT", `${path}/archive`, { isArchived }));
    expect(await archive(true)).toEqual([200, ""]);
    expect(await change("Policies:Read", "Keys:Export")).toEqual([403, "PermissionMissing"]);
    expect(await archive(false)).toEqual([403, "PermissionMissing"]);
  });

  it("a user who may create identities creates none that may do more", async () => {
    const person = await personWith(world, WIDE);
    const create = async (path: string, permissionId: string, more: object = {}) =>
      codeOf(await person.call("POST", path, { name: "machine", publicKey, permissionId, ...more }));
    const application = {
      kind: "ServerSideApplication",
      relyingPartyId: "shop.example",
      origin: "https://shop.example",
    };
    const [held, whole] = [await permission("Wallets:Read"), await everything()];
    expect(await create("/auth/service-accounts", held)).toEqual([200, ""]);
    expect(await create("/auth/service-accounts", whole)).toEqual([403, "PermissionMissing"]);
    expect(await create("/auth/apps", held, application)).toEqual([200, ""]);
    expect(await create("/auth/apps", whole, application)).toEqual([403, "PermissionMissing"]);
  });
});

describe("a token that holds a part of what its user may do", () => {
  const NARROW = [
    "Auth:Pats:Create",
    "Auth:Creds:Create",
    "Permissions:Assign",
    "Permissions:Revoke",
    "Permissions:Assignments:Read",
  ] as const;

  it("makes no token that holds more", async () => {
    const { call, permissionId } = await narrowToken(...NARROW);
    const create = async (more: object) =>
      codeOf(await call("POST", "/auth/pats", { name: "pat", publicKey, ...more }));
    expect(await create({})).toEqual([403, "TokenNarrowed"]);
    expect(await create({ permissionId: await everything() })).toEqual([403, "PermissionMissing"]);
    expect(await create({ permissionId })).toEqual([200, ""]);
  });

  it("registers no credential of its user, who could do everything by it", async () => {
    const { call } = await narrowToken(...NARROW);
    expect(codeOf(await call("POST", "/auth/credentials/init", { kind: "Key" }))).toEqual([
      403,
      "TokenNarrowed",
    ]);
  });

  it("does not revoke what narrows it, nor assigns itself more", async () => {
    const { call, permissionId, tokenId } = await narrowToken(...NARROW);
    const path = `/permissions/${permissionId}/assignments`;
    const [assignment] = listSchema.parse((await call("GET", path)).body).items;
    expect(codeOf(await call("DELETE", `${path}/${assignment?.id}`, {}))).toEqual([403, "TokenNarrowed"]);
    const whole = `/permissions/${await everything()}/assignments`;
    expect(codeOf(await call("POST", whole, { identityId: tokenId }))).toEqual([403, "PermissionMissing"]);
    expect((await call("GET", "/wallets")).status).toBe(403);
    // the user may do that, and then the token may do nothing
    expect((await admin.call("DELETE", `${path}/${assignment?.id}`, {})).status).toBe(200);
    expect(codeOf(await call("GET", path))).toEqual([403, "PermissionMissing"]);
  });
});
