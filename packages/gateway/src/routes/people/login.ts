import { delegatedLoginBodySchema, loginChallengeBodySchema, logoutBodySchema } from "@conclave/custody";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import {
  LOGIN_CHALLENGE_EXAMPLES,
  LOGOUT_EXAMPLES,
  SIGNED_CHALLENGE_EXAMPLES,
} from "../../document/examples/credentials.ts";
import { DELEGATED_LOGIN_EXAMPLES } from "../../document/examples/people.ts";
import { beginLogin, completeLogin, delegateLogin } from "../../login/login.ts";
import { closeSessions } from "../../login/session.ts";
import { APPLICATION_HEADER } from "../../people/named-application.ts";
import { anyOf } from "../../permission/requires.ts";
import { bodyErrors, commonErrors } from "../../schemas/error.ts";
import { messageSchema, sessionSchema } from "../../schemas/people/credential.ts";
import { actionBodySchema, challengeSchema } from "../../schemas/people/user-action.ts";
import { answer, bodyOf, changeErrors, operation } from "../operation.ts";

const session = answer("A token, good for six hours", sessionSchema);

const challengeRoute = createRoute({
  method: "post",
  path: "/auth/login/init",
  operationId: "createLoginChallenge",
  summary: "Ask for a challenge to log in with",
  request: { body: bodyOf(loginChallengeBodySchema, LOGIN_CHALLENGE_EXAMPLES) },
  responses: {
    200: answer("The challenge, whether or not there is such a user", challengeSchema),
    ...commonErrors,
    ...bodyErrors,
  },
});

const loginRoute = createRoute({
  method: "post",
  path: "/auth/login",
  operationId: "login",
  summary: "Log in with the signed challenge",
  request: { body: bodyOf(actionBodySchema, SIGNED_CHALLENGE_EXAMPLES) },
  responses: { 200: session, ...commonErrors, ...bodyErrors },
});

const delegatedLoginRoute = operation("post", "/auth/login/delegated", {
  operationId: "delegatedLogin",
  summary: "Log an end user in on one's own word",
  needs: [anyOf("Auth:Login:Delegated", "Auth:Delegated:Login", "Auth:Users:Delegate")],
  request: { body: bodyOf(delegatedLoginBodySchema, DELEGATED_LOGIN_EXAMPLES) },
  answers: { 200: session, ...changeErrors },
});

const logout = {
  summary: "End one's session, or all of one's sessions",
  needs: [],
  request: { body: { ...bodyOf(logoutBodySchema, LOGOUT_EXAMPLES), required: false } },
  answers: { 200: answer("Done", messageSchema), ...bodyErrors },
};

const logoutRoute = operation("put", "/auth/logout", { operationId: "logout", ...logout });
/** Older clients send a POST. */
const logoutByPostRoute = operation("post", "/auth/logout", { operationId: "logoutByPost", ...logout });

/** Adds the operations of logging in and out (wire interface, section B.6). */
export const addLoginRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(challengeRoute, async (c) => {
    const appId = c.req.header(APPLICATION_HEADER);
    return c.json(await beginLogin(dependencies, c.req.valid("json"), appId), 200);
  });
  app.openapi(loginRoute, async (c) => {
    const { challengeIdentifier, ...factors } = c.req.valid("json");
    return c.json({ token: await completeLogin(dependencies, challengeIdentifier, factors) }, 200);
  });
  app.openapi(delegatedLoginRoute, async (c) => {
    const { username } = c.req.valid("json");
    return c.json({ token: await delegateLogin(dependencies, c.var, username) }, 200);
  });
  app.openapi(logoutRoute, async (c) => {
    await closeSessions(dependencies, c.get("caller"), c.req.valid("json")?.allSessions ?? false);
    return c.json({ message: "success" }, 200);
  });
  app.openapi(logoutByPostRoute, async (c) => {
    await closeSessions(dependencies, c.get("caller"), c.req.valid("json")?.allSessions ?? false);
    return c.json({ message: "success" }, 200);
  });
};
