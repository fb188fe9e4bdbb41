import {
  createUserBodySchema,
  type IdentityChange,
  type Need,
  type UserId,
  updateUserBodySchema,
} from "@conclave/custody";
import { type Caller, listUsers } from "@conclave/platform";
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { inviteUser } from "../login/registration-code.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import { changeUser } from "../people/change-user.ts";
import { visiblePerson } from "../people/people.ts";
import { showUser, showUsers } from "../people/show.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { createdUserSchema, userListSchema, userParams, userSchema } from "../schemas/people.ts";

const one = { description: "The user", content: { "application/json": { schema: userSchema } } };

const createUserRoute = createRoute({
  method: "post",
  path: "/auth/users",
  operationId: "createUser",
  summary: "Invite an employee: the answer shows the code with which they register, once",
  ...requires("Auth:Users:Create"),
  request: { body: { required: true, content: { "application/json": { schema: createUserBodySchema } } } },
  responses: {
    200: {
      description: "The user, and the registration code",
      content: { "application/json": { schema: createdUserSchema } },
    },
    ...commonErrors,
    ...forbiddenError,
    ...bodyErrors,
  },
});

const listUsersRoute = createRoute({
  method: "get",
  path: "/auth/users",
  operationId: "listUsers",
  summary: "List the organisation's people, newest first",
  ...requires("Auth:Users:Read"),
  request: {
    query: pageQuerySchema.extend({ kind: z.enum(["CustomerEmployee", "EndUser"]).optional() }),
  },
  responses: {
    200: { description: "One page", content: { "application/json": { schema: userListSchema } } },
    ...commonErrors,
    ...forbiddenError,
  },
});

const getUserRoute = createRoute({
  method: "get",
  path: "/auth/users/{userId}",
  operationId: "getUser",
  summary: "Read a user",
  ...requires("Auth:Users:Read"),
  request: { params: userParams },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError },
});

const updateUserRoute = createRoute({
  method: "put",
  path: "/auth/users/{userId}",
  operationId: "updateUser",
  summary: "Change a user's name or externalId",
  ...requires("Auth:Users:Update"),
  request: {
    params: userParams,
    body: { required: true, content: { "application/json": { schema: updateUserBodySchema } } },
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

/** A change of a user that takes no body; client libraries send {}. */
const changeRoute = <const Method extends "put" | "delete", const Path extends string>(
  method: Method,
  path: Path,
  operationId: string,
  summary: string,
  need: Need,
) =>
  createRoute({
    method,
    path,
    operationId,
    summary,
    ...requires(need),
    request: { params: userParams },
    responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
  });

const activateUserRoute = changeRoute(
  "put",
  "/auth/users/{userId}/activate",
  "activateUser",
  "Let a user act again",
  anyOf("Auth:Users:Activate", "Auth:Users:Update"),
);
const deactivateUserRoute = changeRoute(
  "put",
  "/auth/users/{userId}/deactivate",
  "deactivateUser",
  "Refuse a user's tokens at once, and log them out",
  anyOf("Auth:Users:Deactivate", "Auth:Users:Update"),
);
const archiveUserRoute = changeRoute(
  "delete",
  "/auth/users/{userId}",
  "archiveUser",
  "Archive a user and their tokens, for good",
  anyOf("Auth:Users:Delete", "Auth:Users:Update"),
);

/** Adds the operations on people. */
export const addUserRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  const change = async ({ orgId }: Caller, userId: UserId, by: IdentityChange) =>
    showUser(database, await changeUser(dependencies, orgId, userId, by, visiblePerson));

  app.openapi(createUserRoute, async (c) => {
    const invited = await inviteUser(dependencies, c.get("caller").orgId, c.req.valid("json"));
    const { user, registrationCode } = demand(invited);
    return c.json({ ...(await showUser(database, user)), registrationCode }, 200);
  });
  app.openapi(listUsersRoute, async (c) => {
    const { kind, ...query } = c.req.valid("query");
    const { orgId } = c.get("caller");
    const page = demand(pageOf(query));
    const rows = await listUsers(database, orgId, { isServiceAccount: false, kind }, withLookahead(page));
    const { items, next } = paginate(rows, page, ({ dateCreated }) => dateCreated);
    return c.json({ items: await showUsers(database, orgId, items), ...next }, 200);
  });
  app.openapi(getUserRoute, async (c) => {
    const user = await visiblePerson(database, c.get("caller").orgId, c.req.valid("param").userId);
    return c.json(await showUser(database, demand(user)), 200);
  });
  app.openapi(updateUserRoute, async (c) => {
    const body = c.req.valid("json");
    return c.json(await change(c.get("caller"), c.req.valid("param").userId, { kind: "Renamed", body }), 200);
  });
  app.openapi(activateUserRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").userId, { kind: "Activated" }), 200),
  );
  app.openapi(deactivateUserRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").userId, { kind: "Deactivated" }), 200),
  );
  app.openapi(archiveUserRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").userId, { kind: "Archived" }), 200),
  );
};
