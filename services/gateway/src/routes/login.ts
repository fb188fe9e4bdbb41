import { delegatedLoginBodySchema, loginChallengeBodySchema, logoutBodySchema } from "@conclave/custody";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { beginLogin, completeLogin, delegateLogin } from "../login/login.ts";
import { closeSessions } from "../login/session.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { messageSchema, sessionSchema } from "../schemas/credential.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { actionBodySchema, challengeSchema } from "../schemas/user-action.ts";

const session = {
  description: "A token, good for six hours",
  content: { "application/json": { schema: sessionSchema } },
};

const challengeRoute = createRoute({
  method: "post",
  path: "/auth/login/init",
  operationId: "createLoginChallenge",
  summary: "Ask for a challenge to log in with",
  request: {
    body: { required: true, content: { "application/json": { schema: loginChallengeBodySchema } } },
  },
  responses: {
    200: {
      description: "The challenge, whether or not there is such a user",
      content: { "application/json": { schema: challengeSchema } },
    },
    ...commonErrors,
    ...bodyErrors,
  },
});

const loginRoute = createRoute({
  method: "post",
  path: "/auth/login",
  operationId: "login",
  summary: "Log in with the signed challenge",
  request: { body: { required: true, content: { "application/json": { schema: actionBodySchema } } } },
  responses: { 200: session, ...commonErrors, ...bodyErrors },
});

const delegatedLoginRoute = createRoute({
  method: "post",
  path: "/auth/login/delegated",
  operationId: "delegatedLogin",
  summary: "Log an end user in on one's own word",
  ...requires(anyOf("Auth:Login:Delegated", "Auth:Users:Delegate")),
  request: {
    body: { required: true, content: { "application/json": { schema: delegatedLoginBodySchema } } },
  },
  responses: { 200: session, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

/** Clients of before send a POST. */
const logoutRoute = <const Method extends "put" | "post">(method: Method, operationId: string) =>
  createRoute({
    method,
    path: "/auth/logout",
    operationId,
    summary: "End one's session, or all of one's sessions",
    ...requires(),
    request: { body: { required: false, content: { "application/json": { schema: logoutBodySchema } } } },
    responses: {
      200: { description: "Done", content: { "application/json": { schema: messageSchema } } },
      ...commonErrors,
      ...bodyErrors,
    },
  });
const logoutPutRoute = logoutRoute("put", "logout");
const logoutPostRoute = logoutRoute("post", "logoutByPost");

/** Adds the operations of logging in and out (wire interface, section B.6). */
export const addLoginRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(challengeRoute, async (c) => c.json(await beginLogin(dependencies, c.req.valid("json")), 200));
  app.openapi(loginRoute, async (c) => {
    const { challengeIdentifier, ...factors } = c.req.valid("json");
    return c.json({ token: await completeLogin(dependencies, challengeIdentifier, factors) }, 200);
  });
  app.openapi(delegatedLoginRoute, async (c) => {
    const { username } = c.req.valid("json");
    return c.json({ token: await delegateLogin(dependencies, c.get("caller").orgId, username) }, 200);
  });
  app.openapi(logoutPutRoute, async (c) => {
    await closeSessions(database, c.get("caller"), c.req.valid("json")?.allSessions ?? false);
    return c.json({ message: "success" }, 200);
  });
  app.openapi(logoutPostRoute, async (c) => {
    await closeSessions(database, c.get("caller"), c.req.valid("json")?.allSessions ?? false);
    return c.json({ message: "success" }, 200);
  });
};
