import { assignmentIdSchema, permissionIdSchema, userIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../../testing/bodies.ts";
import { type Answer, startWorld, type World } from "../../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const idOf = (answer: Answer): string => z.looseObject({ id: z.string() }).parse(answer.body).id;
const itemsOf = (answer: Answer) => z.looseObject({ items: z.array(z.unknown()) }).parse(answer.body).items;
const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];

let made = 0;
const create = (operations: readonly string[] = ["Wallets:Read"]) => {
  made += 1;
  return world.call("POST", "/permissions", { name: `role-${made}`, operations });
};
const fullAdmin = async (): Promise<string> => {
  const { items } = z
    .looseObject({ items: z.array(z.looseObject({ id: z.string(), isImmutable: z.boolean() })) })
    .parse((await world.call("GET", "/permissions?limit=500")).body);
  return items.find(({ isImmutable }) => isImmutable)?.id ?? "";
};

describe("a permission", () => {
  it("is created, read, listed and changed", async () => {
    const created = await create(["Wallets:Read", "Wallets:Read", "Keys:Read"]);
    const id = idOf(created);
    expect(created).toMatchObject({
      status: 200,
      body: {
        operations: ["Wallets:Read", "Keys:Read"],
        status: "Active",
        isImmutable: false,
        isArchived: false,
      },
    });
    expect((await world.call("GET", `/permissions/${id}`)).body).toEqual(created.body);
    expect(itemsOf(await world.call("GET", "/permissions?limit=1"))).toEqual([created.body]);
    const changed = await world.call("PUT", `/permissions/${id}`, { operations: ["Policies:Read"] });
    expect(changed).toMatchObject({ status: 200, body: { operations: ["Policies:Read"] } });
  });

  it("grants what it lists to whom it is assigned to, until it is revoked or archived", async () => {
    const { caller, token } = await world.tokenOf([]);
    const read = async () => {
      const answer = await world.call("GET", "/wallets", undefined, { authorization: `Bearer ${token}` });
      return answer.status;
    };
    const id = idOf(await create());
    expect(await read()).toBe(403);
    const path = `/permissions/${id}/assignments`;
    const assigned = await world.call("POST", path, { identityId: caller.userId });
    expect(assigned).toMatchObject({ status: 200, body: { permissionId: id, identityId: caller.userId } });
    expect(await read()).toBe(200);
    await world.call("PUT", `/permissions/${id}/archive`, { isArchived: true });
    expect(await read()).toBe(403);
    await world.call("PUT", `/permissions/${id}/archive`, { isArchived: false });
    expect(await read()).toBe(200);
    expect((await world.call("DELETE", `${path}/${idOf(assigned)}`, {})).status).toBe(200);
    expect(await read()).toBe(403);
  });

  it("assigned twice is assigned once", async () => {
    const { caller } = await world.tokenOf([]);
    const path = `/permissions/${idOf(await create())}/assignments`;
    const first = await world.call("POST", path, { identityId: caller.userId });
    expect((await world.call("POST", path, { identityId: caller.userId })).body).toEqual(first.body);
    expect(itemsOf(await world.call("GET", path))).toEqual([first.body]);
  });

  it("that the service made is nobody's to change or archive", async () => {
    const path = `/permissions/${await fullAdmin()}`;
    expect(codeOf(await world.call("PUT", path, { operations: [] }))).toEqual([409, "PermissionImmutable"]);
    expect(codeOf(await world.call("PUT", `${path}/archive`, { isArchived: true }))).toEqual([
      409,
      "PermissionImmutable",
    ]);
  });

  it("leaves an organisation with one administrator at least", async () => {
    const path = `/permissions/${await fullAdmin()}/assignments`;
    const [own] = z
      .looseObject({ items: z.array(z.looseObject({ id: z.string() })) })
      .parse((await world.call("GET", path)).body).items;
    expect(codeOf(await world.call("DELETE", `${path}/${own?.id}`, {}))).toEqual([
      409,
      "AdministratorNeeded",
    ]);
  });
});

describe("INV-9 refused, and nothing is written:", () => {
  const fresh = freshId(permissionIdSchema, "pm");
  it.each<readonly [string, string, string, unknown, number, string]>([
    ["no name", "POST", "/permissions", { operations: [] }, 400, "InvalidBody"],
    ["no operations", "POST", "/permissions", { name: "a" }, 400, "InvalidBody"],
    ["an unknown operation", "POST", "/permissions", { name: "a", operations: ["Root"] }, 400, "InvalidBody"],
    ["an unknown field", "POST", "/permissions", { name: "a", operations: [], x: 1 }, 400, "InvalidBody"],
    ["a name of NUL", "POST", "/permissions", { name: "\0", operations: [] }, 400, "InvalidBody"],
    ["a long name", "POST", "/permissions", { name: "a".repeat(101), operations: [] }, 400, "InvalidBody"],
    ["an unknown id", "GET", `/permissions/${fresh}`, undefined, 404, "PermissionNotFound"],
    [
      "an id of another kind",
      "GET",
      `/permissions/${freshId(userIdSchema, "us")}`,
      undefined,
      400,
      "InvalidParameter",
    ],
    ["a change of an unknown one", "PUT", `/permissions/${fresh}`, {}, 404, "PermissionNotFound"],
    ["archiving without a flag", "PUT", `/permissions/${fresh}/archive`, {}, 400, "InvalidBody"],
    ["a limit of 0", "GET", "/permissions?limit=0", undefined, 400, "InvalidParameter"],
    ["a limit of a billion", "GET", "/permissions?limit=1000000000", undefined, 400, "InvalidParameter"],
    ["a forged token", "GET", "/permissions?paginationToken=e30", undefined, 400, "PaginationTokenInvalid"],
    [
      "an identity of nobody",
      "POST",
      `/permissions/${fresh}/assignments`,
      { identityId: "wa-00000-00000-0000000000000000" },
      400,
      "InvalidBody",
    ],
    [
      "an unknown assignment",
      "DELETE",
      `/permissions/${fresh}/assignments/${freshId(assignmentIdSchema, "as")}`,
      {},
      404,
      "AssignmentNotFound",
    ],
  ])("%s", async (_, method, path, body, status, code) => {
    expect(codeOf(await world.call(method, path, body))).toEqual([status, code]);
  });

  it("a name that is taken", async () => {
    const body = { name: "twice", operations: [] };
    await world.call("POST", "/permissions", body);
    expect(codeOf(await world.call("POST", "/permissions", body))).toEqual([409, "PermissionNameTaken"]);
    const other = idOf(await create());
    expect(codeOf(await world.call("PUT", `/permissions/${other}`, { name: "twice" }))).toEqual([
      409,
      "PermissionNameTaken",
    ]);
  });

  it("all but one of those that would take a name at the same moment", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, async () => idOf(await create())));
    const answers = await Promise.all(
      ids.map((id) => world.call("PUT", `/permissions/${id}`, { name: "coveted" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  it("INV-11 a permission of another organisation, by the very answer of one that does not exist", async () => {
    const id = idOf(await create());
    const stranger = { authorization: `Bearer ${world.strangersToken}` };
    for (const [method, path, body] of [
      ["GET", `/permissions/${id}`, undefined],
      ["PUT", `/permissions/${id}`, { name: "mine" }],
      ["PUT", `/permissions/${id}/archive`, { isArchived: true }],
      ["GET", `/permissions/${id}/assignments`, undefined],
      ["POST", `/permissions/${id}/assignments`, { identityId: world.caller.userId }],
    ] as const) {
      expect(codeOf(await world.call(method, path, body, stranger))).toEqual([404, "PermissionNotFound"]);
    }
  });

  it("INV-11 an assignment to somebody of another organisation", async () => {
    const stranger = { authorization: `Bearer ${world.strangersToken}` };
    const theirs = idOf(
      await world.call("POST", "/permissions", { name: "theirs", operations: [] }, stranger),
    );
    const identityId = world.caller.userId;
    const path = `/permissions/${theirs}/assignments`;
    expect(codeOf(await world.call("POST", path, { identityId }, stranger))).toEqual([
      404,
      "IdentityNotFound",
    ]);
  });
});
