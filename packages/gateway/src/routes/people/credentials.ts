import {
  createCredentialBodySchema,
  credentialByCodeBodySchema,
  credentialChallengeBodySchema,
  credentialCodeBodySchema,
  credentialStateBodySchema,
  credentialView,
} from "@conclave/custody";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import {
  beginCredentialByCode,
  completeCredentialByCode,
  createCredentialCode,
} from "../../credential/credential-code.ts";
import {
  beginCredential,
  completeCredential,
  removeCredential,
  shownCredentials,
  switchCredential,
} from "../../credential/credentials.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import {
  CREATE_CREDENTIAL_EXAMPLES,
  CREDENTIAL_BY_CODE_EXAMPLES,
  CREDENTIAL_CHALLENGE_EXAMPLES,
  CREDENTIAL_CODE_EXAMPLES,
  CREDENTIAL_STATE_EXAMPLES,
} from "../../document/examples/credentials.ts";
import { demand } from "../../http/refused.ts";
import { APPLICATION_HEADER } from "../../people/named-application.ts";
import { judgeWhole } from "../../permission/hand-out.ts";
import { anyOf } from "../../permission/requires.ts";
import { bodyErrors, commonErrors, forbiddenError, roomError } from "../../schemas/error.ts";
import {
  credentialChallengeSchema,
  credentialCodeSchema,
  credentialListSchema,
  credentialParams,
  credentialSchema,
  messageSchema,
} from "../../schemas/people/credential.ts";
import { nothingSchema } from "../../schemas/wallet.ts";
import { answer, bodyOf, changeErrors, createErrors, operation } from "../operation.ts";

const listCredentialsRoute = operation("get", "/auth/credentials", {
  operationId: "listCredentials",
  summary: "List one's own credentials",
  needs: ["Auth:Creds:Read"],
  request: {},
  answers: { 200: answer("All", credentialListSchema), ...forbiddenError },
});

const challengeRoute = operation("post", "/auth/credentials/init", {
  operationId: "createCredentialChallenge",
  summary: "Ask for a challenge: what a new credential of one's own signs",
  needs: ["Auth:Creds:Create"],
  request: { body: bodyOf(credentialChallengeBodySchema, CREDENTIAL_CHALLENGE_EXAMPLES) },
  answers: { 200: answer("The challenge", credentialChallengeSchema), ...createErrors },
});

const createCredentialRoute = operation("post", "/auth/credentials", {
  operationId: "createCredential",
  summary: "Register another credential of one's own",
  needs: ["Auth:Creds:Create"],
  request: { body: bodyOf(createCredentialBodySchema, CREATE_CREDENTIAL_EXAMPLES) },
  answers: { 200: answer("The credential", credentialSchema), ...createErrors, ...roomError },
});

const createCodeRoute = operation("post", "/auth/credentials/code", {
  operationId: "createCredentialCode",
  summary:
    "Make a code with which another device registers a credential of one's own: the answer shows it, once",
  needs: [anyOf("Auth:Creds:Code:Create", "Auth:Creds:Create")],
  request: { body: bodyOf(credentialCodeBodySchema, CREDENTIAL_CODE_EXAMPLES) },
  answers: { 200: answer("The code", credentialCodeSchema), ...createErrors },
});

const challengeByCodeRoute = createRoute({
  method: "post",
  path: "/auth/credentials/code/init",
  operationId: "createCredentialChallengeWithCode",
  summary: "Ask for the challenge that a new credential signs, by a code, which is used up",
  request: { body: bodyOf(credentialByCodeBodySchema, CREDENTIAL_BY_CODE_EXAMPLES) },
  responses: { 200: answer("The challenge", credentialChallengeSchema), ...commonErrors, ...bodyErrors },
});

const createByCodeRoute = createRoute({
  method: "post",
  path: "/auth/credentials/code/verify",
  operationId: "createCredentialWithCode",
  summary: "Register the credential that signed the challenge",
  request: { body: bodyOf(createCredentialBodySchema, CREATE_CREDENTIAL_EXAMPLES) },
  responses: {
    200: answer("The credential", credentialSchema),
    ...commonErrors,
    ...bodyErrors,
    ...roomError,
  },
});

const switched = {
  needs: ["Auth:Creds:Update"],
  request: { body: bodyOf(credentialStateBodySchema, CREDENTIAL_STATE_EXAMPLES) },
  answers: { 200: answer("Done", messageSchema), ...changeErrors },
} as const;

const activateRoute = operation("put", "/auth/credentials/activate", {
  operationId: "activateCredential",
  summary: "Let one of one's own credentials sign again",
  ...switched,
});

const deactivateRoute = operation("put", "/auth/credentials/deactivate", {
  operationId: "deactivateCredential",
  summary: "Let one of one's own credentials sign no longer; one must stay",
  ...switched,
});

const deleteRoute = operation("delete", "/auth/credentials/{credentialUuid}", {
  operationId: "deleteCredential",
  summary: "Delete one of one's own credentials for good; one that signs must stay",
  needs: ["Auth:Creds:Update"],
  request: { params: credentialParams },
  answers: { 200: answer("Done", nothingSchema), ...changeErrors },
});

/** Adds the operations on the caller's own credentials. */
export const addCredentialRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(listCredentialsRoute, async (c) => {
    const credentials = await shownCredentials(dependencies, c.get("caller"));
    return c.json({ items: credentials.map(credentialView) }, 200);
  });
  app.openapi(challengeRoute, async (c) => {
    const { kind } = c.req.valid("json");
    const { username } = c.get("principal");
    demand(judgeWhole(c.get("principal")));
    const from = { username, application: c.get("application") };
    return c.json(await beginCredential(dependencies, c.get("caller"), from, kind), 200);
  });
  app.openapi(createCredentialRoute, async (c) => {
    demand(judgeWhole(c.get("principal")));
    const credential = await completeCredential(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(credentialView(credential), 200);
  });
  app.openapi(createCodeRoute, async (c) => {
    demand(judgeWhole(c.get("principal")));
    const { expiration } = c.req.valid("json");
    return c.json(demand(await createCredentialCode(dependencies, c.get("caller"), expiration)), 200);
  });
  app.openapi(challengeByCodeRoute, async (c) => {
    const appId = c.req.header(APPLICATION_HEADER);
    return c.json(await beginCredentialByCode(dependencies, c.req.valid("json"), appId), 200);
  });
  app.openapi(createByCodeRoute, async (c) =>
    c.json(credentialView(await completeCredentialByCode(dependencies, c.req.valid("json"))), 200),
  );
  app.openapi(activateRoute, async (c) => {
    const { credentialUuid } = c.req.valid("json");
    demand(judgeWhole(c.get("principal")));
    demand(await switchCredential(dependencies, c.get("caller"), credentialUuid, true));
    return c.json({ message: "success" }, 200);
  });
  app.openapi(deactivateRoute, async (c) => {
    const { credentialUuid } = c.req.valid("json");
    demand(await switchCredential(dependencies, c.get("caller"), credentialUuid, false));
    return c.json({ message: "success" }, 200);
  });
  app.openapi(deleteRoute, async (c) => {
    const { credentialUuid } = c.req.valid("param");
    demand(await removeCredential(dependencies, c.get("caller"), credentialUuid));
    return c.json({}, 200);
  });
};
