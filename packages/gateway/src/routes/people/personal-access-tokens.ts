import { createPatBodySchema, type IdentityChange, renameBodySchema, type TokenId } from "@conclave/custody";
import { type Caller, leavingOut, listAccessTokens } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { RENAME_EXAMPLES, TOKEN_EXAMPLES } from "../../document/examples/people.ts";
import { demand } from "../../http/refused.ts";
import {
  changePersonalAccessToken,
  createPersonalAccessToken,
  ownToken,
} from "../../people/personal-access-tokens.ts";
import { showToken, showTokens } from "../../people/show.ts";
import { judgeNewToken, judgeRevivedToken } from "../../permission/hand-out.ts";
import { anyOf } from "../../permission/requires.ts";
import { notFoundError, roomError } from "../../schemas/error.ts";
import { accessTokenListSchema, accessTokenSchema, tokenParams } from "../../schemas/people/people.ts";
import { answer, bodyOf, changeErrors, operation } from "../operation.ts";

const one = answer("The token", accessTokenSchema);

/** The current operation, or its older name (wire interface, section A.3). */
const mayChange = anyOf("Auth:Pats:Create", "Auth:Types:Pat");

const createTokenRoute = operation("post", "/auth/pats", {
  operationId: "createPersonalAccessToken",
  summary: "Create a token for oneself; the answer shows it, once",
  needs: [anyOf("Auth:Pats:Create", "Auth:Users:Create"), mayChange],
  request: { body: bodyOf(createPatBodySchema, TOKEN_EXAMPLES) },
  answers: {
    200: answer("The token", accessTokenSchema.required({ accessToken: true })),
    ...changeErrors,
    ...roomError,
  },
});

const listTokensRoute = operation("get", "/auth/pats", {
  operationId: "listPersonalAccessTokens",
  summary: "List one's own tokens",
  needs: [],
  request: {},
  answers: { 200: answer("All", accessTokenListSchema) },
});

const getTokenRoute = operation("get", "/auth/pats/{tokenId}", {
  operationId: "getPersonalAccessToken",
  summary: "Read one of one's own tokens",
  needs: [],
  request: { params: tokenParams },
  answers: { 200: one, ...notFoundError },
});

const updateTokenRoute = operation("put", "/auth/pats/{tokenId}", {
  operationId: "updatePersonalAccessToken",
  summary: "Change the name or externalId of one of one's own tokens",
  needs: [mayChange],
  request: { params: tokenParams, body: bodyOf(renameBodySchema, RENAME_EXAMPLES) },
  answers: { 200: one, ...changeErrors },
});

/** A change of a token without a body; client libraries send {}. */
const act = {
  needs: [mayChange],
  request: { params: tokenParams },
  answers: { 200: one, ...changeErrors },
};

const activateRoute = operation("put", "/auth/pats/{tokenId}/activate", {
  operationId: "activatePersonalAccessToken",
  summary: "Let a token be used again",
  ...act,
});

const deactivateRoute = operation("put", "/auth/pats/{tokenId}/deactivate", {
  operationId: "deactivatePersonalAccessToken",
  summary: "Refuse a token at once",
  ...act,
});

const archiveRoute = operation("delete", "/auth/pats/{tokenId}", {
  operationId: "archivePersonalAccessToken",
  summary: "Archive a token, for good",
  ...act,
});

/** Adds the operations on personal access tokens. */
export const addPersonalAccessTokenRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  dependencies: Dependencies,
): void => {
  const { database } = dependencies;
  const change = async (caller: Caller, tokenId: TokenId, by: IdentityChange) =>
    showToken(database, await changePersonalAccessToken(dependencies, caller, tokenId, by));

  app.openapi(createTokenRoute, async (c) => {
    const body = c.req.valid("json");
    demand(await judgeNewToken(database, c.var, body.permissionId));
    return c.json(await createPersonalAccessToken(dependencies, c.get("caller"), body), 200);
  });
  app.openapi(listTokensRoute, async (c) => {
    const { orgId, userId } = c.get("caller");
    const tokens = await listAccessTokens(database, orgId, "Pat", [userId]);
    return c.json({ items: await showTokens(leavingOut(database), orgId, tokens) }, 200);
  });
  app.openapi(getTokenRoute, async (c) => {
    const token = await ownToken(database, c.get("caller"), c.req.valid("param").tokenId);
    return c.json(await showToken(database, demand(token)), 200);
  });
  app.openapi(updateTokenRoute, async (c) => {
    const body = c.req.valid("json");
    return c.json(
      await change(c.get("caller"), c.req.valid("param").tokenId, { kind: "Renamed", body }),
      200,
    );
  });
  app.openapi(activateRoute, async (c) => {
    const { tokenId } = c.req.valid("param");
    demand(await judgeRevivedToken(database, c.var, tokenId));
    return c.json(await change(c.get("caller"), tokenId, { kind: "Activated" }), 200);
  });
  app.openapi(deactivateRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").tokenId, { kind: "Deactivated" }), 200),
  );
  app.openapi(archiveRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").tokenId, { kind: "Archived" }), 200),
  );
};
