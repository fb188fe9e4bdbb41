import {
  delegatedRegistrationBodySchema,
  registerBodySchema,
  registrationChallengeBodySchema,
  registrationCodeBodySchema,
} from "@conclave/custody";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import {
  beginDelegatedRegistration,
  beginRegistration,
  completeRegistration,
  restartDelegatedRegistration,
} from "../login/registration.ts";
import { bearerToken } from "../middleware/bearer.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { messageSchema, registeredSchema, registrationChallengeSchema } from "../schemas/credential.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";

const challenge = {
  description: "The challenge, and a token that is good for this registration alone",
  content: { "application/json": { schema: registrationChallengeSchema } },
};

const challengeRoute = createRoute({
  method: "post",
  path: "/auth/registration/init",
  operationId: "createRegistrationChallenge",
  summary: "Ask for a challenge to register with, by the code of one's invitation",
  request: {
    body: { required: true, content: { "application/json": { schema: registrationChallengeBodySchema } } },
  },
  responses: { 200: challenge, ...commonErrors, ...bodyErrors },
});

const registerRoute = createRoute({
  method: "post",
  path: "/auth/registration",
  operationId: "register",
  summary: "Register one's first credentials, with the challenge's temporaryAuthenticationToken as bearer",
  security: [{ bearer: [] }],
  request: { body: { required: true, content: { "application/json": { schema: registerBodySchema } } } },
  responses: {
    200: {
      description: "Who was registered",
      content: { "application/json": { schema: registeredSchema } },
    },
    ...commonErrors,
    ...bodyErrors,
  },
});

const delegatedRoute = <const Path extends string>(path: Path, operationId: string, summary: string) =>
  createRoute({
    method: "post",
    path,
    operationId,
    summary,
    ...requires(anyOf("Auth:Register:Delegated", "Auth:Users:Delegate")),
    request: {
      body: { required: true, content: { "application/json": { schema: delegatedRegistrationBodySchema } } },
    },
    responses: { 200: challenge, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
  });

const delegatedChallengeRoute = delegatedRoute(
  "/auth/registration/delegated",
  "createDelegatedRegistrationChallenge",
  "Add an end user on one's own word, and get the challenge to register them with",
);
const delegatedRestartRoute = delegatedRoute(
  "/auth/registration/delegated/restart",
  "recreateDelegatedRegistrationChallenge",
  "Get a fresh challenge for an end user who has not registered yet",
);

/** There is no mail to send a code by: the answer is the same for everybody. */
const codeRoute = <const Method extends "put" | "post", const Path extends string>(
  method: Method,
  path: Path,
  operationId: string,
) =>
  createRoute({
    method,
    path,
    operationId,
    summary: "Always the same answer: there is no mail to send a code by",
    request: {
      body: { required: true, content: { "application/json": { schema: registrationCodeBodySchema } } },
    },
    responses: {
      200: {
        description: "What to do instead",
        content: { "application/json": { schema: messageSchema } },
      },
      ...commonErrors,
      ...bodyErrors,
    },
  });
const registrationCodeRoute = codeRoute("put", "/auth/registration/code", "resendRegistrationCode");
const loginCodeRoute = codeRoute("post", "/auth/login/code", "sendLoginCode");

const ASK_WHO_INVITED = "This service sends no mail: ask whoever invited you for your registration code.";
const LOG_IN_WITHOUT = "This service sends no mail: log in with a credential, without a code.";

/** Adds the operations by which people register their first credentials (wire interface, section B.6). */
export const addRegistrationRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(challengeRoute, async (c) =>
    c.json(await beginRegistration(dependencies, c.req.valid("json")), 200),
  );
  app.openapi(registerRoute, async (c) => {
    const token = bearerToken(c.req.header("authorization"));
    const { user, credential } = await completeRegistration(dependencies, token, c.req.valid("json"));
    const { uuid, kind, name } = credential;
    const { id, username, orgId } = user;
    return c.json({ credential: { uuid, kind, name }, user: { id, username, orgId } }, 200);
  });
  app.openapi(delegatedChallengeRoute, async (c) =>
    c.json(await beginDelegatedRegistration(dependencies, c.get("caller").orgId, c.req.valid("json")), 200),
  );
  app.openapi(delegatedRestartRoute, async (c) =>
    c.json(await restartDelegatedRegistration(dependencies, c.get("caller").orgId, c.req.valid("json")), 200),
  );
  app.openapi(registrationCodeRoute, (c) => c.json({ message: ASK_WHO_INVITED }, 200));
  app.openapi(loginCodeRoute, (c) => c.json({ message: LOG_IN_WITHOUT }, 200));
};
