import {
  createUserBodySchema,
  type IdentityChange,
  type UserId,
  updateUserBodySchema,
} from "@conclave/custody";
import { type Caller, leavingOut, listUsers } from "@conclave/platform";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { CREATE_USER_EXAMPLES, UPDATE_USER_EXAMPLES } from "../../document/examples/people.ts";
import { pageQuerySchema, readPageOfLarge } from "../../http/pagination.ts";
import { demand } from "../../http/refused.ts";
import { inviteUser } from "../../login/registration-code.ts";
import { changeUser } from "../../people/change-user.ts";
import { visiblePerson } from "../../people/people.ts";
import { showUser, showUsers } from "../../people/show.ts";
import { judgeRevival } from "../../permission/hand-out.ts";
import { anyOf } from "../../permission/requires.ts";
import { forbiddenError } from "../../schemas/error.ts";
import { createdUserSchema, userListSchema, userParams, userSchema } from "../../schemas/people/people.ts";
import { answer, bodyOf, changeErrors, createErrors, operation, readErrors } from "../operation.ts";

const one = answer("The user", userSchema);

const createUserRoute = operation("post", "/auth/users", {
  operationId: "createUser",
  summary: "Invite an employee: the answer shows the code with which they register, once",
  needs: ["Auth:Users:Create"],
  request: { body: bodyOf(createUserBodySchema, CREATE_USER_EXAMPLES) },
  answers: { 200: answer("The user, and the registration code", createdUserSchema), ...createErrors },
});

const listUsersRoute = operation("get", "/auth/users", {
  operationId: "listUsers",
  summary: "List the organisation's people, newest first",
  needs: ["Auth:Users:Read"],
  request: { query: pageQuerySchema.extend({ kind: z.enum(["CustomerEmployee", "EndUser"]).optional() }) },
  answers: { 200: answer("One page", userListSchema), ...forbiddenError },
});

const getUserRoute = operation("get", "/auth/users/{userId}", {
  operationId: "getUser",
  summary: "Read a user",
  needs: ["Auth:Users:Read"],
  request: { params: userParams },
  answers: { 200: one, ...readErrors },
});

const updateUserRoute = operation("put", "/auth/users/{userId}", {
  operationId: "updateUser",
  summary: "Change a user's name or externalId",
  needs: ["Auth:Users:Update"],
  request: { params: userParams, body: bodyOf(updateUserBodySchema, UPDATE_USER_EXAMPLES) },
  answers: { 200: one, ...changeErrors },
});

/** A change of a user without a body; client libraries send {}. */
const act = {
  request: { params: userParams },
  answers: { 200: one, ...changeErrors },
};

const activateUserRoute = operation("put", "/auth/users/{userId}/activate", {
  operationId: "activateUser",
  summary: "Let a user act again",
  needs: [anyOf("Auth:Users:Activate", "Auth:Users:Update")],
  ...act,
});

const deactivateUserRoute = operation("put", "/auth/users/{userId}/deactivate", {
  operationId: "deactivateUser",
  summary: "Refuse a user's tokens at once, and log them out",
  needs: [anyOf("Auth:Users:Deactivate", "Auth:Users:Update")],
  ...act,
});

const archiveUserRoute = operation("delete", "/auth/users/{userId}", {
  operationId: "archiveUser",
  summary: "Archive a user and their tokens, for good",
  needs: [anyOf("Auth:Users:Delete", "Auth:Users:Update")],
  ...act,
});

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
    const { items, next } = await readPageOfLarge(query, {
      read: (page) => listUsers(database, orgId, { isServiceAccount: false, kind }, page),
      dateOf: ({ dateCreated }) => dateCreated,
      show: (users) => showUsers(leavingOut(database), orgId, users),
    });
    return c.json({ items, ...next }, 200);
  });
  app.openapi(getUserRoute, async (c) => {
    const user = await visiblePerson(database, c.get("caller").orgId, c.req.valid("param").userId);
    return c.json(await showUser(database, demand(user)), 200);
  });
  app.openapi(updateUserRoute, async (c) => {
    const body = c.req.valid("json");
    return c.json(await change(c.get("caller"), c.req.valid("param").userId, { kind: "Renamed", body }), 200);
  });
  app.openapi(activateUserRoute, async (c) => {
    const { userId } = c.req.valid("param");
    demand(await judgeRevival(database, c.var, [userId]));
    return c.json(await change(c.get("caller"), userId, { kind: "Activated" }), 200);
  });
  app.openapi(deactivateUserRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").userId, { kind: "Deactivated" }), 200),
  );
  app.openapi(archiveUserRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").userId, { kind: "Archived" }), 200),
  );
};
