import { MOST_GROUP_MEMBERS, MOST_USER_GROUPS, userGroupIdSchema, userIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../../testing/bodies.ts";
import { personWith, userOf } from "../../testing/people.ts";
import { makeServiceAccount } from "../../testing/service-account.ts";
import { type Answer, startWorld, type World } from "../../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ userActionsRequired: false });
});
afterAll(() => world.stop());

const PATH = "/auth/user-groups";
const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const groupSchema = z.looseObject({ id: userGroupIdSchema, name: z.string(), memberCount: z.int() });
const memberSchema = z.looseObject({ userId: userIdSchema });
const pageOf = <Schema extends z.ZodType>(items: Schema) =>
  z.object({ items: z.array(items), nextPageToken: z.string().optional() });

let count = 0;
const make = async (body: Readonly<Record<string, unknown>> = {}) => {
  count += 1;
  const answer = await world.call("POST", PATH, { name: `group ${count}`, ...body });
  expect(answer).toMatchObject({ status: 200 });
  return groupSchema.parse(answer.body);
};
const person = () => userOf(world, "CustomerEmployee");
const add = (id: string, ...userIds: readonly string[]) =>
  world.call("POST", `${PATH}/${id}/members`, { userIds });
const remove = (id: string, ...userIds: readonly string[]) =>
  world.call("DELETE", `${PATH}/${id}/members`, { userIds });
const read = async (id: string) => groupSchema.parse((await world.call("GET", `${PATH}/${id}`)).body);
const membersOf = async (id: string) =>
  pageOf(memberSchema)
    .parse((await world.call("GET", `${PATH}/${id}/members`)).body)
    .items.map(({ userId }) => userId)
    .sort();

describe("a user group", () => {
  it("is created, read, renamed and deleted, and its name can be used again", async () => {
    const made = await make({ name: "Treasurers", description: "approve payments" });
    expect(made).toEqual({
      id: expect.stringMatching(/^ug-/),
      orgId: world.caller.orgId,
      name: "Treasurers",
      description: "approve payments",
      memberCount: 0,
      dateCreated: expect.any(String),
      dateUpdated: expect.any(String),
    });
    expect(await read(made.id)).toEqual(made);
    const renamed = await world.call("PUT", `${PATH}/${made.id}`, { name: "Treasury" });
    expect(renamed).toMatchObject({
      status: 200,
      body: { name: "Treasury", description: "approve payments" },
    });
    const bare = await world.call("PUT", `${PATH}/${made.id}`, { description: null });
    expect(bare.body).toMatchObject({ name: "Treasury" });
    expect(bare.body).not.toHaveProperty("description");
    expect(await world.call("DELETE", `${PATH}/${made.id}`)).toMatchObject({ status: 200, body: {} });
    expect(codeOf(await world.call("GET", `${PATH}/${made.id}`))).toEqual([404, "UserGroupNotFound"]);
    await make({ name: "Treasury" });
  });

  it("has a name that no other group of the organisation has, also when two take it at once", async () => {
    const [first, second] = [await make(), await make()];
    expect(codeOf(await world.call("POST", PATH, { name: first.name }))).toEqual([409, "UserGroupNameTaken"]);
    const path = `${PATH}/${second.id}`;
    expect(codeOf(await world.call("PUT", path, { name: first.name }))).toEqual([409, "UserGroupNameTaken"]);
    expect(await world.call("PUT", path, { name: second.name })).toMatchObject({ status: 200 });
    const both = await Promise.all([1, 2].map(() => world.call("POST", PATH, { name: "at once" })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const renames = await Promise.all(
      [first, second].map(({ id }) => world.call("PUT", `${PATH}/${id}`, { name: "one of us" })),
    );
    expect(renames.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("is listed in pages, the newest first", async () => {
    const [older, newer] = [await make(), await make()];
    const list = (query: string) => world.call("GET", `${PATH}?${query}`);
    const first = pageOf(groupSchema).parse((await list("limit=1")).body);
    expect(first.items.map(({ id }) => id)).toEqual([newer.id]);
    const next = pageOf(groupSchema).parse(
      (await list(`limit=1&paginationToken=${first.nextPageToken}`)).body,
    );
    expect(next.items.map(({ id }) => id)).toEqual([older.id]);
  });

  it.each([
    ["no name", {}],
    ["an empty name", { name: "" }],
    ["a name of 101 characters", { name: "n".repeat(101) }],
    ["a name on two lines", { name: "one\ntwo" }],
    ["a description of 501 characters", { name: "long", description: "d".repeat(501) }],
    ["something else", { name: "more", members: [] }],
  ])("is not created with %s", async (_, body) => {
    expect(codeOf(await world.call("POST", PATH, body))).toEqual([400, "InvalidBody"]);
  });

  it("INV-11 is that of its organisation: another one is answered as for a group that does not exist", async () => {
    const { id } = await make();
    const userIds = [await person()];
    const acts: readonly (readonly [string, string, unknown?])[] = [
      ["GET", ""],
      ["PUT", "", { name: "theirs" }],
      ["GET", "/members"],
      ["POST", "/members", { userIds }],
      ["DELETE", "/members", { userIds }],
      ["DELETE", ""],
    ];
    const stranger = { authorization: `Bearer ${world.strangersToken}` };
    const absent = freshId(userGroupIdSchema, "ug");
    for (const [method, path, body] of acts) {
      const theirs = await world.call(method, `${PATH}/${id}${path}`, body, stranger);
      const nobodys = await world.call(method, `${PATH}/${absent}${path}`, body, stranger);
      expect([method, path, ...codeOf(theirs)]).toEqual([method, path, 404, "UserGroupNotFound"]);
      expect(codeOf(nobodys)).toEqual(codeOf(theirs));
    }
    expect(await read(id)).toMatchObject({ memberCount: 0 });
  });

  it("takes the permission of each operation, and no other", async () => {
    const { id } = await make();
    const userIds = [await person()];
    const acts = [
      ["Auth:UserGroups:Create", "POST", PATH, { name: "of a holder" }],
      ["Auth:UserGroups:Read", "GET", PATH],
      ["Auth:UserGroups:Read", "GET", `${PATH}/${id}`],
      ["Auth:UserGroups:Update", "PUT", `${PATH}/${id}`, { description: "given" }],
      ["Auth:UserGroups:Members:Add", "POST", `${PATH}/${id}/members`, { userIds }],
      ["Auth:UserGroups:Members:Read", "GET", `${PATH}/${id}/members`],
      ["Auth:UserGroups:Members:Remove", "DELETE", `${PATH}/${id}/members`, { userIds }],
      ["Auth:UserGroups:Delete", "DELETE", `${PATH}/${id}`],
    ] as const;
    const names = [...new Set(acts.map(([name]) => name))];
    for (const [name, method, path, body] of acts) {
      const others = await personWith(
        world,
        names.filter((each) => each !== name),
      );
      expect([name, ...codeOf(await others.call(method, path, body))]).toEqual([
        name,
        403,
        "PermissionMissing",
      ]);
      const holder = await personWith(world, [name]);
      expect([name, (await holder.call(method, path, body)).status]).toEqual([name, 200]);
    }
  });

  it("holds no permission", async () => {
    const { id } = await make();
    const permission = await world.call("POST", "/permissions", { name: "for a group", operations: [] });
    const { id: permissionId } = z.looseObject({ id: z.string() }).parse(permission.body);
    const answer = await world.call("POST", `/permissions/${permissionId}/assignments`, { identityId: id });
    expect(codeOf(answer)).toEqual([400, "GroupHoldsNoPermission"]);
  });
});

describe("the members of a user group", () => {
  it("are employees and end users, added and removed once however often it is asked", async () => {
    const { id } = await make();
    const [one, two] = [await person(), await userOf(world, "EndUser")];
    expect(await add(id, one, two, one)).toMatchObject({ status: 200, body: {} });
    expect(await add(id, one)).toMatchObject({ status: 200, body: {} });
    expect(await membersOf(id)).toEqual([one, two].sort());
    expect(await read(id)).toMatchObject({ memberCount: 2 });
    expect(await remove(id, one, await person())).toMatchObject({ status: 200, body: {} });
    expect(await remove(id, one)).toMatchObject({ status: 200, body: {} });
    expect(await membersOf(id)).toEqual([two]);
  });

  it("are shown as users, in pages", async () => {
    const { id } = await make();
    const two = [await person(), await person()];
    await add(id, ...two);
    const list = (query: string) => world.call("GET", `${PATH}/${id}/members?${query}`);
    const first = pageOf(memberSchema).parse((await list("limit=1")).body);
    const next = pageOf(memberSchema).parse(
      (await list(`limit=1&paginationToken=${first.nextPageToken}`)).body,
    );
    const shown = (userId: string) => ({
      userId,
      username: userId,
      name: userId,
      kind: "CustomerEmployee",
      isActive: true,
    });
    // people who registered in one millisecond come in the order of their ids
    const [one, other] = [...first.items, ...next.items];
    expect([first.items.length, next.items.length]).toEqual([1, 1]);
    expect(new Set([one?.userId, other?.userId])).toEqual(new Set(two));
    expect([one, other]).toEqual([shown(one?.userId ?? ""), shown(other?.userId ?? "")]);
  });

  it("are nobody else: one id that is no person's refuses all, and changes nothing", async () => {
    const { id } = await make();
    const known = await person();
    const robot = await makeServiceAccount(world);
    const application = await world.call("POST", "/auth/apps", {
      name: "a page",
      kind: "ClientSideApplication",
      relyingPartyId: "localhost",
      origin: "http://localhost:8080",
    });
    const { appId } = z.looseObject({ appId: z.string() }).parse(application.body);
    const [acting] = await world.database.rows(
      z.object({ user_id: userIdSchema }),
      "select user_id from applications where id = $1",
      [appId],
    );
    for (const userId of [freshId(userIdSchema, "us"), robot.userId, acting?.user_id ?? ""]) {
      for (const change of [add, remove]) {
        const answer = await change(id, known, userId);
        expect(codeOf(answer)).toEqual([400, "MemberUnknown"]);
        expect(errorOf(answer.body).details).toMatchObject({ userIds: [userId] });
      }
    }
    expect(await membersOf(id)).toEqual([]);
  });

  it("INV-11 are of the organisation: people of another one are refused", async () => {
    const { id } = await make();
    const other = await personWith(world, ["Auth:UserGroups:Read"]);
    await world.database.execute(
      "update users set org_id = (select id from organisations where id <> $1 limit 1) where id = $2",
      [world.caller.orgId, other.userId],
    );
    expect(codeOf(await add(id, other.userId))).toEqual([400, "MemberUnknown"]);
  });

  it("are counted and listed while they are not archived, and can be removed afterwards", async () => {
    const { id } = await make();
    const [stays, leaves] = [await person(), await person()];
    await add(id, stays, leaves);
    await world.call("PUT", `/auth/users/${stays}/deactivate`, {});
    await world.call("DELETE", `/auth/users/${leaves}`);
    expect(await membersOf(id)).toEqual([stays]);
    expect(await read(id)).toMatchObject({ memberCount: 1 });
    expect(codeOf(await add(id, leaves))).toEqual([400, "MemberUnknown"]);
    expect(await remove(id, leaves)).toMatchObject({ status: 200 });
  });

  it("K8 are a limited number, and so are the groups of an organisation", async () => {
    const { id } = await make();
    await world.database.execute(
      `with many as (
         insert into users (id, org_id, username, name, kind, is_service_account, is_registered, is_active, date_created)
         select 'us-aaaaa-bbbbb-' || lpad(n::text, 16, '0'), $1, 'many ' || n, 'many', 'EndUser', false, true, true, now()
         from generate_series(2, $3::int) n returning id)
       insert into user_group_members (group_id, org_id, user_id, date_added) select $2, $1, id, now() from many`,
      [world.caller.orgId, id, MOST_GROUP_MEMBERS],
    );
    expect(codeOf(await add(id, await person(), await person()))).toEqual([422, "TooManyMembers"]);
    const [last, one] = [await person(), await person()];
    const both = await Promise.all([last, one].map((userId) => add(id, userId)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    await world.database.execute(
      `insert into user_groups (id, org_id, name, date_created, date_updated)
       select 'ug-aaaaa-bbbbb-' || lpad(n::text, 16, '0'), $1, 'many ' || n, now(), now()
       from generate_series((select count(*)::int + 2 from user_groups where org_id = $1), $2::int) n`,
      [world.caller.orgId, MOST_USER_GROUPS],
    );
    const made = await Promise.all(["x", "y"].map((name) => world.call("POST", PATH, { name })));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 422]);
    await world.database.execute("delete from user_groups where name like 'many %'");
  });

  it("are changed by two administrators at once, one after the other", async () => {
    const { id } = await make();
    const people = await Promise.all(Array.from({ length: 6 }, person));
    const answers = await Promise.all(people.map((userId) => add(id, userId)));
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
    expect(await membersOf(id)).toEqual([...people].sort());
    const [deletion, ...changes] = await Promise.all([
      world.call("DELETE", `${PATH}/${id}`),
      ...people.map((userId) => remove(id, userId)),
    ]);
    expect(deletion?.status).toBe(200);
    expect(changes.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
    expect(
      await world.database.rows(z.unknown(), "select from user_group_members where group_id = $1", [id]),
    ).toEqual([]);
  });
});
