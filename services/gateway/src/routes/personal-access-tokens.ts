import { createPatBodySchema, type IdentityChange, renameBodySchema, type TokenId } from "@conclave/custody";
import { type Caller, listAccessTokens } from "@conclave/platform";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import {
  changePersonalAccessToken,
  createPersonalAccessToken,
  ownToken,
} from "../people/personal-access-tokens.ts";
import { showToken, showTokens } from "../people/show.ts";
import { judgeNewToken } from "../permission/hand-out.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { accessTokenListSchema, accessTokenSchema, tokenParams } from "../schemas/people.ts";

const one = { description: "The token", content: { "application/json": { schema: accessTokenSchema } } };

/** The operation of today, or the two of before (wire interface, section A.3). */
const MAKES = requires(
  anyOf("Auth:Pats:Create", "Auth:Users:Create"),
  anyOf("Auth:Pats:Create", "Auth:Types:Pat"),
);
const CHANGES = requires(anyOf("Auth:Pats:Create", "Auth:Types:Pat"));

const createTokenRoute = createRoute({
  method: "post",
  path: "/auth/pats",
  operationId: "createPersonalAccessToken",
  summary: "Create a token for oneself; the answer shows it, once",
  ...MAKES,
  request: { body: { required: true, content: { "application/json": { schema: createPatBodySchema } } } },
  responses: {
    200: {
      description: "The token",
      content: { "application/json": { schema: accessTokenSchema.required({ accessToken: true }) } },
    },
    ...commonErrors,
    ...forbiddenError,
    ...notFoundError,
    ...bodyErrors,
  },
});

const listTokensRoute = createRoute({
  method: "get",
  path: "/auth/pats",
  operationId: "listPersonalAccessTokens",
  summary: "List one's own tokens",
  ...requires(),
  responses: {
    200: { description: "All", content: { "application/json": { schema: accessTokenListSchema } } },
    ...commonErrors,
  },
});

const getTokenRoute = createRoute({
  method: "get",
  path: "/auth/pats/{tokenId}",
  operationId: "getPersonalAccessToken",
  summary: "Read one of one's own tokens",
  ...requires(),
  request: { params: tokenParams },
  responses: { 200: one, ...commonErrors, ...notFoundError },
});

const updateTokenRoute = createRoute({
  method: "put",
  path: "/auth/pats/{tokenId}",
  operationId: "updatePersonalAccessToken",
  summary: "Change the name or externalId of one of one's own tokens",
  ...CHANGES,
  request: {
    params: tokenParams,
    body: { required: true, content: { "application/json": { schema: renameBodySchema } } },
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

/** A change of a token that takes no body; client libraries send {}. */
const changeRoute = <const Method extends "put" | "delete", const Path extends string>(
  method: Method,
  path: Path,
  operationId: string,
  summary: string,
) =>
  createRoute({
    method,
    path,
    operationId,
    summary,
    ...CHANGES,
    request: { params: tokenParams },
    responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
  });

const activateRoute = changeRoute(
  "put",
  "/auth/pats/{tokenId}/activate",
  "activatePersonalAccessToken",
  "Let a token be used again",
);
const deactivateRoute = changeRoute(
  "put",
  "/auth/pats/{tokenId}/deactivate",
  "deactivatePersonalAccessToken",
  "Refuse a token at once",
);
const archiveRoute = changeRoute(
  "delete",
  "/auth/pats/{tokenId}",
  "archivePersonalAccessToken",
  "Archive a token, for good",
);

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
    return c.json({ items: await showTokens(database, orgId, tokens) }, 200);
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
  app.openapi(activateRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").tokenId, { kind: "Activated" }), 200),
  );
  app.openapi(deactivateRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").tokenId, { kind: "Deactivated" }), 200),
  );
  app.openapi(archiveRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").tokenId, { kind: "Archived" }), 200),
  );
};
