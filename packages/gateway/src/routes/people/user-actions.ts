import type { OpenAPIHono } from "@hono/zod-openapi";
import { challengeView } from "../../credential/challenge-view.ts";
import { relyingPartyOf } from "../../credential/relying-party-view.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { ACTION_CHALLENGE_EXAMPLES, SIGNED_CHALLENGE_EXAMPLES } from "../../document/examples/credentials.ts";
import { demand } from "../../http/refused.ts";
import { bodyErrors } from "../../schemas/error.ts";
import {
  actionBodySchema,
  actionSchema,
  challengeSchema,
  initBodySchema,
} from "../../schemas/people/user-action.ts";
import { answer, bodyOf, createErrors, operation } from "../operation.ts";

const initRoute = operation("post", "/auth/action/init", {
  operationId: "createUserActionChallenge",
  summary: "Ask for a challenge: what to sign for one request",
  needs: [],
  request: { body: bodyOf(initBodySchema, ACTION_CHALLENGE_EXAMPLES) },
  answers: { 200: answer("The challenge", challengeSchema), ...bodyErrors },
});

const signRoute = operation("post", "/auth/action", {
  operationId: "createUserActionSignature",
  summary: "Hand in the signature: get a token for that one request",
  needs: [],
  request: { body: bodyOf(actionBodySchema, SIGNED_CHALLENGE_EXAMPLES) },
  answers: { 200: answer("The token", actionSchema), ...createErrors },
});

/** Adds the two calls by which a user signs an action (wire interface, section B.3). */
export const addUserActionRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  { userActions, relyingParties }: Pick<Dependencies, "userActions" | "relyingParties">,
): void => {
  app.openapi(initRoute, async (c) => {
    const body = c.req.valid("json");
    const request = {
      method: body.userActionHttpMethod,
      path: body.userActionHttpPath,
      payload: body.userActionPayload,
    };
    const begun = demand(await userActions.begin(c.get("caller"), request));
    const rp = relyingPartyOf({ relyingParties }, c.get("application"));
    return c.json(challengeView(begun, begun.credentials, rp), 200);
  });
  app.openapi(signRoute, async (c) => {
    const { challengeIdentifier, ...factors } = c.req.valid("json");
    const signed = await userActions.complete(c.get("caller"), challengeIdentifier, factors);
    return c.json({ userAction: demand(signed) }, 200);
  });
};
