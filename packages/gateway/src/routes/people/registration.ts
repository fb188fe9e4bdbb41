import {
  delegatedRegistrationBodySchema,
  registerBodySchema,
  registerEndUserBodySchema,
  registrationChallengeBodySchema,
  registrationCodeBodySchema,
  walletView,
} from "@conclave/custody";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import {
  REGISTER_END_USER_EXAMPLES,
  REGISTER_EXAMPLES,
  REGISTRATION_CHALLENGE_EXAMPLES,
  REGISTRATION_CODE_EXAMPLES,
} from "../../document/examples/credentials.ts";
import { DELEGATED_REGISTRATION_EXAMPLES } from "../../document/examples/people.ts";
import { bearerToken } from "../../http/middleware/bearer.ts";
import { registerEndUser } from "../../login/end-user-registration.ts";
import {
  beginDelegatedRegistration,
  beginRegistration,
  completeRegistration,
  type Registered,
  restartDelegatedRegistration,
} from "../../login/registration.ts";
import { APPLICATION_HEADER } from "../../people/named-application.ts";
import { anyOf } from "../../permission/requires.ts";
import { bodyErrors, commonErrors } from "../../schemas/error.ts";
import {
  messageSchema,
  registeredEndUserSchema,
  registeredSchema,
  registrationChallengeSchema,
} from "../../schemas/people/credential.ts";
import { answer, bodyOf, changeErrors, operation } from "../operation.ts";

const challenge = answer(
  "The challenge, and a token that is good for this registration alone",
  registrationChallengeSchema,
);

const challengeRoute = createRoute({
  method: "post",
  path: "/auth/registration/init",
  operationId: "createRegistrationChallenge",
  summary: "Ask for a challenge to register with, by the code of one's invitation",
  request: { body: bodyOf(registrationChallengeBodySchema, REGISTRATION_CHALLENGE_EXAMPLES) },
  responses: { 200: challenge, ...commonErrors, ...bodyErrors },
});

const registerRoute = createRoute({
  method: "post",
  path: "/auth/registration",
  operationId: "register",
  summary: "Register one's first credentials, with the challenge's temporaryAuthenticationToken as bearer",
  security: [{ bearer: [] }],
  request: { body: bodyOf(registerBodySchema, REGISTER_EXAMPLES) },
  responses: { 200: answer("Who was registered", registeredSchema), ...commonErrors, ...bodyErrors },
});

const registerEndUserRoute = createRoute({
  method: "post",
  path: "/auth/registration/enduser",
  operationId: "registerEndUser",
  summary:
    "Register an end user's first credentials, log them in and make their wallets, with the challenge's temporaryAuthenticationToken as bearer",
  security: [{ bearer: [] }],
  request: { body: bodyOf(registerEndUserBodySchema, REGISTER_END_USER_EXAMPLES) },
  responses: {
    200: answer("Who was registered, a session, and the wallets", registeredEndUserSchema),
    ...commonErrors,
    ...bodyErrors,
  },
});

const delegated = {
  needs: [anyOf("Auth:Register:Delegated", "Auth:Delegated:Register", "Auth:Users:Delegate")],
  request: { body: bodyOf(delegatedRegistrationBodySchema, DELEGATED_REGISTRATION_EXAMPLES) },
  answers: { 200: challenge, ...changeErrors },
};

const delegatedChallengeRoute = operation("post", "/auth/registration/delegated", {
  operationId: "createDelegatedRegistrationChallenge",
  summary: "Add an end user on one's own word, and get the challenge to register them with",
  ...delegated,
});

const delegatedRestartRoute = operation("post", "/auth/registration/delegated/restart", {
  operationId: "recreateDelegatedRegistrationChallenge",
  summary: "Get a fresh challenge for an end user who has not registered yet",
  ...delegated,
});

/** The service sends no mail with a code, so the answer is the same for everybody. */
const code = {
  summary: "Always the same answer: there is no mail to send a code by",
  request: { body: bodyOf(registrationCodeBodySchema, REGISTRATION_CODE_EXAMPLES) },
  responses: { 200: answer("What to do instead", messageSchema), ...commonErrors, ...bodyErrors },
};

const registrationCodeRoute = createRoute({
  method: "put",
  path: "/auth/registration/code",
  operationId: "resendRegistrationCode",
  ...code,
});

const loginCodeRoute = createRoute({
  method: "post",
  path: "/auth/login/code",
  operationId: "sendLoginCode",
  ...code,
});

const ASK_WHO_INVITED = "This service sends no mail: ask whoever invited you for your registration code.";
const LOG_IN_WITHOUT = "This service sends no mail: log in with a credential, without a code.";

/** The registered person in the API's form. */
export const shownRegistered = ({
  credential: { uuid, kind, name },
  user: { id, username, orgId },
}: Registered) => ({ credential: { uuid, kind, name }, user: { id, username, orgId } });

/** Adds the operations by which people register their first credentials (wire interface, section B.6). */
export const addRegistrationRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(challengeRoute, async (c) => {
    const appId = c.req.header(APPLICATION_HEADER);
    return c.json(await beginRegistration(dependencies, c.req.valid("json"), appId), 200);
  });
  app.openapi(registerRoute, async (c) => {
    const token = bearerToken(c.req.header("authorization"));
    const registered = await completeRegistration(dependencies, token, c.req.valid("json"));
    return c.json(shownRegistered(registered), 200);
  });
  app.openapi(registerEndUserRoute, async (c) => {
    const bearer = bearerToken(c.req.header("authorization"));
    const { user, credential, token, wallets } = await registerEndUser(
      dependencies,
      bearer,
      c.req.valid("json"),
    );
    return c.json(
      {
        ...shownRegistered({ user, credential }),
        authentication: { token },
        wallets: wallets.map(walletView),
      },
      200,
    );
  });
  app.openapi(delegatedChallengeRoute, async (c) =>
    c.json(await beginDelegatedRegistration(dependencies, c.var, c.req.valid("json")), 200),
  );
  app.openapi(delegatedRestartRoute, async (c) =>
    c.json(await restartDelegatedRegistration(dependencies, c.var, c.req.valid("json")), 200),
  );
  app.openapi(registrationCodeRoute, (c) => c.json({ message: ASK_WHO_INVITED }, 200));
  app.openapi(loginCodeRoute, (c) => c.json({ message: LOG_IN_WITHOUT }, 200));
};
