import {
  createCredentialBodySchema,
  credentialChallengeBodySchema,
  credentialStateBodySchema,
  credentialView,
} from "@conclave/custody";
import { listCredentials } from "@conclave/platform";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { beginCredential, completeCredential, switchCredential } from "../credential/credentials.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { judgeWhole } from "../permission/hand-out.ts";
import { requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import {
  credentialChallengeSchema,
  credentialListSchema,
  credentialSchema,
  messageSchema,
} from "../schemas/credential.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";

const listCredentialsRoute = createRoute({
  method: "get",
  path: "/auth/credentials",
  operationId: "listCredentials",
  summary: "List one's own credentials",
  ...requires("Auth:Creds:Read"),
  responses: {
    200: { description: "All", content: { "application/json": { schema: credentialListSchema } } },
    ...commonErrors,
    ...forbiddenError,
  },
});

const challengeRoute = createRoute({
  method: "post",
  path: "/auth/credentials/init",
  operationId: "createCredentialChallenge",
  summary: "Ask for a challenge: what a new credential of one's own signs",
  ...requires("Auth:Creds:Create"),
  request: {
    body: { required: true, content: { "application/json": { schema: credentialChallengeBodySchema } } },
  },
  responses: {
    200: {
      description: "The challenge",
      content: { "application/json": { schema: credentialChallengeSchema } },
    },
    ...commonErrors,
    ...forbiddenError,
    ...bodyErrors,
  },
});

const createCredentialRoute = createRoute({
  method: "post",
  path: "/auth/credentials",
  operationId: "createCredential",
  summary: "Register another credential of one's own",
  ...requires("Auth:Creds:Create"),
  request: {
    body: { required: true, content: { "application/json": { schema: createCredentialBodySchema } } },
  },
  responses: {
    200: { description: "The credential", content: { "application/json": { schema: credentialSchema } } },
    ...commonErrors,
    ...forbiddenError,
    ...bodyErrors,
  },
});

const switchRoute = <const Path extends string>(path: Path, operationId: string, summary: string) =>
  createRoute({
    method: "put",
    path,
    operationId,
    summary,
    ...requires("Auth:Creds:Update"),
    request: {
      body: { required: true, content: { "application/json": { schema: credentialStateBodySchema } } },
    },
    responses: {
      200: { description: "Done", content: { "application/json": { schema: messageSchema } } },
      ...commonErrors,
      ...forbiddenError,
      ...notFoundError,
      ...bodyErrors,
    },
  });

const activateRoute = switchRoute(
  "/auth/credentials/activate",
  "activateCredential",
  "Let one of one's own credentials sign again",
);
const deactivateRoute = switchRoute(
  "/auth/credentials/deactivate",
  "deactivateCredential",
  "Let one of one's own credentials sign no longer; one must stay",
);

/** Adds the operations on the caller's own credentials. */
export const addCredentialRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(listCredentialsRoute, async (c) => {
    const { orgId, userId } = c.get("caller");
    const credentials = await listCredentials(dependencies.database, orgId, userId);
    return c.json({ items: credentials.map(credentialView) }, 200);
  });
  app.openapi(challengeRoute, async (c) => {
    const { kind } = c.req.valid("json");
    const { username } = c.get("principal");
    demand(judgeWhole(c.get("principal")));
    return c.json(await beginCredential(dependencies, c.get("caller"), username, kind), 200);
  });
  app.openapi(createCredentialRoute, async (c) => {
    demand(judgeWhole(c.get("principal")));
    const credential = await completeCredential(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(credentialView(credential), 200);
  });
  app.openapi(activateRoute, async (c) => {
    const { credentialUuid } = c.req.valid("json");
    demand(await switchCredential(dependencies, c.get("caller"), credentialUuid, true));
    return c.json({ message: "success" }, 200);
  });
  app.openapi(deactivateRoute, async (c) => {
    const { credentialUuid } = c.req.valid("json");
    demand(await switchCredential(dependencies, c.get("caller"), credentialUuid, false));
    return c.json({ message: "success" }, 200);
  });
};
