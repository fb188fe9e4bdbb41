import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { challengeView } from "../credential/challenge-view.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError } from "../schemas/error.ts";
import { actionBodySchema, actionSchema, challengeSchema, initBodySchema } from "../schemas/user-action.ts";

const initRoute = createRoute({
  method: "post",
  path: "/auth/action/init",
  operationId: "createUserActionChallenge",
  summary: "Ask for a challenge: what to sign for one request",
  ...requires(),
  request: { body: { required: true, content: { "application/json": { schema: initBodySchema } } } },
  responses: {
    200: { description: "The challenge", content: { "application/json": { schema: challengeSchema } } },
    ...commonErrors,
    ...bodyErrors,
  },
});

const signRoute = createRoute({
  method: "post",
  path: "/auth/action",
  operationId: "createUserActionSignature",
  summary: "Hand in the signature: get a token for that one request",
  ...requires(),
  request: { body: { required: true, content: { "application/json": { schema: actionBodySchema } } } },
  responses: {
    200: { description: "The token", content: { "application/json": { schema: actionSchema } } },
    ...commonErrors,
    ...forbiddenError,
    ...bodyErrors,
  },
});

/** Adds the two calls by which a user signs an action (wire interface, section B.3). */
export const addUserActionRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  { userActions }: Pick<Dependencies, "userActions">,
): void => {
  app.openapi(initRoute, async (c) => {
    const body = c.req.valid("json");
    const request = {
      method: body.userActionHttpMethod,
      path: body.userActionHttpPath,
      payload: body.userActionPayload,
    };
    const begun = demand(await userActions.begin(c.get("caller"), request));
    return c.json(challengeView(begun, begun.credentials), 200);
  });
  app.openapi(signRoute, async (c) => {
    const { challengeIdentifier, ...factors } = c.req.valid("json");
    const signed = await userActions.complete(c.get("caller"), challengeIdentifier, factors);
    return c.json({ userAction: demand(signed) }, 200);
  });
};
