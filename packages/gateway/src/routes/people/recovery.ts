import {
  delegatedRecoveryBodySchema,
  recoveryChallengeBodySchema,
  recoveryCodeBodySchema,
} from "@conclave/custody";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import {
  DELEGATED_RECOVERY_EXAMPLES,
  RECOVER_EXAMPLES,
  RECOVERY_CHALLENGE_EXAMPLES,
  RECOVERY_CODE_EXAMPLES,
} from "../../document/examples/credentials.ts";
import { bearerToken } from "../../http/middleware/bearer.ts";
import { demand } from "../../http/refused.ts";
import { APPLICATION_HEADER } from "../../people/named-application.ts";
import { judgeRevival } from "../../permission/hand-out.ts";
import { anyOf } from "../../permission/requires.ts";
import { beginDelegatedRecovery, beginRecovery, createRecoveryCode } from "../../recovery/begin-recovery.ts";
import { completeRecovery } from "../../recovery/complete-recovery.ts";
import { bodyErrors, commonErrors } from "../../schemas/error.ts";
import { messageSchema, registeredSchema } from "../../schemas/people/credential.ts";
import { userParams } from "../../schemas/people/people.ts";
import {
  recoverBodySchema,
  recoveryChallengeSchema,
  recoveryCodeSchema,
} from "../../schemas/people/recovery.ts";
import { answer, bodyOf, changeErrors, operation } from "../operation.ts";
import { shownRegistered } from "./registration.ts";

const challenge = answer(
  "The challenge, and a token that is good for this recovery alone",
  recoveryChallengeSchema,
);

const sendCodeRoute = createRoute({
  method: "post",
  path: "/auth/recover/user/code",
  operationId: "sendRecoveryCode",
  summary: "Always the same answer: there is no mail to send a code by",
  request: { body: bodyOf(recoveryCodeBodySchema, RECOVERY_CODE_EXAMPLES) },
  responses: { 200: answer("What to do instead", messageSchema), ...commonErrors, ...bodyErrors },
});

const makeCodeRoute = operation("post", "/auth/users/{userId}/recovery-code", {
  operationId: "createRecoveryCode",
  summary: "Make the code with which a user recovers: the answer shows it, once",
  needs: ["Auth:Users:Update"],
  request: { params: userParams },
  answers: { 200: answer("The code", recoveryCodeSchema), ...changeErrors },
});

const challengeRoute = createRoute({
  method: "post",
  path: "/auth/recover/user/init",
  operationId: "createRecoveryChallenge",
  summary: "Ask for a challenge to recover with, by a code, which is used up",
  request: { body: bodyOf(recoveryChallengeBodySchema, RECOVERY_CHALLENGE_EXAMPLES) },
  responses: { 200: challenge, ...commonErrors, ...changeErrors },
});

const delegatedRoute = operation("post", "/auth/recover/user/delegated", {
  operationId: "createDelegatedRecoveryChallenge",
  summary: "Get a challenge for an end user to recover with, on one's own word",
  needs: [anyOf("Auth:Recover:Delegated", "Auth:Delegated:Recover", "Auth:Users:Delegate")],
  request: { body: bodyOf(delegatedRecoveryBodySchema, DELEGATED_RECOVERY_EXAMPLES) },
  answers: { 200: challenge, ...changeErrors },
});

const recoverRoute = createRoute({
  method: "post",
  path: "/auth/recover/user",
  operationId: "recover",
  summary:
    "Register new credentials that the recovery key signed, with the challenge's temporaryAuthenticationToken as bearer; earlier ones, sessions and personal access tokens end",
  security: [{ bearer: [] }],
  request: { body: bodyOf(recoverBodySchema, RECOVER_EXAMPLES) },
  responses: { 200: answer("Who has recovered", registeredSchema), ...commonErrors, ...bodyErrors },
});

const ASK_ADMINISTRATOR =
  "This service sends no mail: ask an administrator for a code (POST /auth/users/{userId}/recovery-code).";

/** Adds the operations by which people who lost their credentials recover (wire interface, section A). */
export const addRecoveryRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(sendCodeRoute, (c) => c.json({ message: ASK_ADMINISTRATOR }, 200));
  app.openapi(makeCodeRoute, async (c) => {
    const { userId } = c.req.valid("param");
    demand(await judgeRevival(dependencies.database, c.var, [userId]));
    return c.json(await createRecoveryCode(dependencies, c.get("caller").orgId, userId), 200);
  });
  app.openapi(challengeRoute, async (c) => {
    const appId = c.req.header(APPLICATION_HEADER);
    return c.json(await beginRecovery(dependencies, c.req.valid("json"), appId), 200);
  });
  app.openapi(delegatedRoute, async (c) =>
    c.json(await beginDelegatedRecovery(dependencies, c.var, c.req.valid("json")), 200),
  );
  app.openapi(recoverRoute, async (c) => {
    const token = bearerToken(c.req.header("authorization"));
    const registered = await completeRecovery(dependencies, token, c.req.valid("json"));
    return c.json(shownRegistered(registered), 200);
  });
};
