import {
  createCredentialBodySchema,
  credentialChallengeBodySchema,
  credentialStateBodySchema,
  credentialView,
} from "@conclave/custody";
import { listCredentials } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { beginCredential, completeCredential, switchCredential } from "../../credential/credentials.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import {
  CREATE_CREDENTIAL_EXAMPLES,
  CREDENTIAL_CHALLENGE_EXAMPLES,
  CREDENTIAL_STATE_EXAMPLES,
} from "../../document/examples/credentials.ts";
import { demand } from "../../http/refused.ts";
import { judgeWhole } from "../../permission/hand-out.ts";
import {
  credentialChallengeSchema,
  credentialListSchema,
  credentialSchema,
  messageSchema,
} from "../../schemas/credential.ts";
import { forbiddenError } from "../../schemas/error.ts";
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
  answers: { 200: answer("The credential", credentialSchema), ...createErrors },
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
    demand(judgeWhole(c.get("principal")));
    demand(await switchCredential(dependencies, c.get("caller"), credentialUuid, true));
    return c.json({ message: "success" }, 200);
  });
  app.openapi(deactivateRoute, async (c) => {
    const { credentialUuid } = c.req.valid("json");
    demand(await switchCredential(dependencies, c.get("caller"), credentialUuid, false));
    return c.json({ message: "success" }, 200);
  });
};
