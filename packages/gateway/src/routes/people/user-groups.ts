import {
  changeRequestView,
  createUserGroupBodySchema,
  type GroupMemberView,
  groupMembersBodySchema,
  updateUserGroupBodySchema,
  userGroupView,
} from "@conclave/custody";
import { leavingOut, listMembers, listUserGroups, type User } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { withPending } from "../../change-request/pending-change.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import {
  CREATE_USER_GROUP_EXAMPLES,
  GROUP_MEMBERS_EXAMPLES,
  UPDATE_USER_GROUP_EXAMPLES,
} from "../../document/examples/people.ts";
import { pageQuerySchema, readPage } from "../../http/pagination.ts";
import { demand } from "../../http/refused.ts";
import { forbiddenError, roomError } from "../../schemas/error.ts";
import {
  groupMemberListSchema,
  userGroupListSchema,
  userGroupParams,
  userGroupSchema,
} from "../../schemas/people/user-group.ts";
import { changeRequestSchema } from "../../schemas/policy.ts";
import { nothingSchema } from "../../schemas/wallet.ts";
import { changeMembers } from "../../user-group/members.ts";
import {
  createUserGroup,
  removeUserGroup,
  renameUserGroup,
  visibleGroup,
} from "../../user-group/user-groups.ts";
import { answer, bodyOf, changeErrors, createErrors, operation, readErrors } from "../operation.ts";

const one = answer("The user group", userGroupSchema);
const done = answer("Done", nothingSchema);
const asked = answer("The change waits for an approval", changeRequestSchema);

const createUserGroupRoute = operation("post", "/auth/user-groups", {
  operationId: "createUserGroup",
  summary: "Create a group of people, without members",
  needs: ["Auth:UserGroups:Create"],
  request: { body: bodyOf(createUserGroupBodySchema, CREATE_USER_GROUP_EXAMPLES) },
  answers: { 200: one, ...createErrors, ...roomError },
});

const listUserGroupsRoute = operation("get", "/auth/user-groups", {
  operationId: "listUserGroups",
  summary: "List the organisation's groups of people, newest first",
  needs: ["Auth:UserGroups:Read"],
  request: { query: pageQuerySchema },
  answers: { 200: answer("One page", userGroupListSchema), ...forbiddenError },
});

const getUserGroupRoute = operation("get", "/auth/user-groups/{userGroupId}", {
  operationId: "getUserGroup",
  summary: "Read a group of people",
  needs: ["Auth:UserGroups:Read"],
  request: { params: userGroupParams },
  answers: { 200: one, ...readErrors },
});

const updateUserGroupRoute = operation("put", "/auth/user-groups/{userGroupId}", {
  operationId: "updateUserGroup",
  summary: "Change a group's name or description; `null` removes the description",
  needs: ["Auth:UserGroups:Update"],
  request: {
    params: userGroupParams,
    body: bodyOf(updateUserGroupBodySchema, UPDATE_USER_GROUP_EXAMPLES),
  },
  answers: { 200: one, ...changeErrors },
});

const deleteUserGroupRoute = operation("delete", "/auth/user-groups/{userGroupId}", {
  operationId: "deleteUserGroup",
  summary: "Delete a group that no policy names; its name can be used again",
  needs: ["Auth:UserGroups:Delete"],
  request: { params: userGroupParams },
  answers: { 200: done, ...changeErrors },
});

const listMembersRoute = operation("get", "/auth/user-groups/{userGroupId}/members", {
  operationId: "listUserGroupMembers",
  summary: "List a group's members, the newest users first",
  needs: ["Auth:UserGroups:Members:Read"],
  request: { params: userGroupParams, query: pageQuerySchema },
  answers: { 200: answer("One page", groupMemberListSchema), ...readErrors },
});

const members = {
  request: { params: userGroupParams, body: bodyOf(groupMembersBodySchema, GROUP_MEMBERS_EXAMPLES) },
  answers: { 200: done, 202: asked, ...changeErrors, ...roomError },
};

const addMembersRoute = operation("post", "/auth/user-groups/{userGroupId}/members", {
  operationId: "addUserGroupMembers",
  summary: "Add people to a group; a policy that names it may ask for an approval first",
  needs: ["Auth:UserGroups:Members:Add"],
  ...members,
});

const removeMembersRoute = operation("delete", "/auth/user-groups/{userGroupId}/members", {
  operationId: "removeUserGroupMembers",
  summary: "Remove people from a group; a policy that names it may ask for an approval first",
  needs: ["Auth:UserGroups:Members:Remove"],
  ...members,
});

const memberView = ({ id, username, name, kind, isActive }: User): GroupMemberView => ({
  userId: id,
  username,
  name,
  kind,
  isActive,
});

/** Adds the operations on the members of groups. */
const addMemberRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(listMembersRoute, async (c) => {
    const { orgId } = c.get("caller");
    const group = demand(await visibleGroup(database, orgId, c.req.valid("param").userGroupId));
    const { items, next } = await readPage(
      c.req.valid("query"),
      (page) => listMembers(database, group, page),
      ({ dateCreated }) => dateCreated,
    );
    return c.json({ items: items.map(memberView), ...next }, 200);
  });
  app.openapi(addMembersRoute, async (c) => {
    const { userIds } = c.req.valid("json");
    const { userGroupId } = c.req.valid("param");
    const by = { kind: "Added", userIds } as const;
    const changed = await changeMembers(dependencies, c.get("caller"), userGroupId, by);
    return changed.kind === "Made" ? c.json({}, 200) : c.json(changeRequestView(changed.request), 202);
  });
  app.openapi(removeMembersRoute, async (c) => {
    const { userIds } = c.req.valid("json");
    const { userGroupId } = c.req.valid("param");
    const by = { kind: "Removed", userIds } as const;
    const changed = await changeMembers(dependencies, c.get("caller"), userGroupId, by);
    return changed.kind === "Made" ? c.json({}, 200) : c.json(changeRequestView(changed.request), 202);
  });
};

/** Adds the operations on groups of people. */
export const addUserGroupRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(createUserGroupRoute, async (c) => {
    const group = await createUserGroup(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(userGroupView(demand(group)), 200);
  });
  app.openapi(listUserGroupsRoute, async (c) => {
    const { items, next } = await readPage(
      c.req.valid("query"),
      (page) => listUserGroups(database, c.get("caller").orgId, page),
      ({ dateCreated }) => dateCreated,
    );
    const views = items.map(userGroupView);
    return c.json(
      { items: await withPending(leavingOut(database), c.get("caller").orgId, views), ...next },
      200,
    );
  });
  app.openapi(getUserGroupRoute, async (c) => {
    const { orgId } = c.get("caller");
    const group = await visibleGroup(database, orgId, c.req.valid("param").userGroupId);
    const view = userGroupView(demand(group));
    const [shown = view] = await withPending(database, orgId, [view]);
    return c.json(shown, 200);
  });
  app.openapi(updateUserGroupRoute, async (c) => {
    const { userGroupId } = c.req.valid("param");
    const body = c.req.valid("json");
    const group = await renameUserGroup(dependencies, c.get("caller"), userGroupId, body);
    return c.json(userGroupView(demand(group)), 200);
  });
  app.openapi(deleteUserGroupRoute, async (c) => {
    demand(await removeUserGroup(dependencies, c.get("caller"), c.req.valid("param").userGroupId));
    return c.json({}, 200);
  });
  addMemberRoutes(app, dependencies);
};
