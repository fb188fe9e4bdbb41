import {
  createServiceAccountBodySchema,
  type IdentityChange,
  type Operation,
  renameBodySchema,
  type UserId,
} from "@conclave/custody";
import { type Caller, listUsers } from "@conclave/platform";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { changeUser } from "../people/change-user.ts";
import { visibleServiceAccount } from "../people/people.ts";
import { createServiceAccount } from "../people/service-accounts.ts";
import { showServiceAccount, showServiceAccounts } from "../people/show.ts";
import { judgeHandOut } from "../permission/hand-out.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { serviceAccountListSchema, serviceAccountParams, serviceAccountSchema } from "../schemas/people.ts";

/** the list has no pages in any client library (wire interface, section E.4) */
const MOST_ACCOUNTS = 10_000;

const one = {
  description: "The service account",
  content: { "application/json": { schema: serviceAccountSchema } },
};

/** The operation of today, or the two of before: one on applications, one for the type (wire interface, section A.3). */
const needs = (now: Operation, before: Operation) =>
  requires(anyOf(now, before), anyOf(now, "Auth:Types:ServiceAccount"));

const createServiceAccountRoute = createRoute({
  method: "post",
  path: "/auth/service-accounts",
  operationId: "createServiceAccount",
  summary: "Create a service account; the answer shows its token, once",
  ...needs("Auth:ServiceAccounts:Create", "Auth:Apps:Create"),
  request: {
    body: { required: true, content: { "application/json": { schema: createServiceAccountBodySchema } } },
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

const listServiceAccountsRoute = createRoute({
  method: "get",
  path: "/auth/service-accounts",
  operationId: "listServiceAccounts",
  summary: "List the organisation's service accounts, newest first",
  ...needs("Auth:ServiceAccounts:Read", "Auth:Apps:Read"),
  responses: {
    200: { description: "All", content: { "application/json": { schema: serviceAccountListSchema } } },
    ...commonErrors,
    ...forbiddenError,
  },
});

const getServiceAccountRoute = createRoute({
  method: "get",
  path: "/auth/service-accounts/{serviceAccountId}",
  operationId: "getServiceAccount",
  summary: "Read a service account",
  ...needs("Auth:ServiceAccounts:Read", "Auth:Apps:Read"),
  request: { params: serviceAccountParams },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError },
});

const updateServiceAccountRoute = createRoute({
  method: "put",
  path: "/auth/service-accounts/{serviceAccountId}",
  operationId: "updateServiceAccount",
  summary: "Change a service account's name or externalId",
  ...needs("Auth:ServiceAccounts:Update", "Auth:Apps:Update"),
  request: {
    params: serviceAccountParams,
    body: { required: true, content: { "application/json": { schema: renameBodySchema } } },
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

/** A change of a service account whose body, if there is one, says nothing that matters here. */
const changeRoute = <const Method extends "put" | "delete", const Path extends string>(
  method: Method,
  path: Path,
  operationId: string,
  summary: string,
  operation: Operation,
) =>
  createRoute({
    method,
    path,
    operationId,
    summary,
    ...needs(operation, "Auth:Apps:Update"),
    request: { params: serviceAccountParams },
    responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
  });

const activateRoute = changeRoute(
  "put",
  "/auth/service-accounts/{serviceAccountId}/activate",
  "activateServiceAccount",
  "Let a service account act again",
  "Auth:ServiceAccounts:Activate",
);
const deactivateRoute = changeRoute(
  "put",
  "/auth/service-accounts/{serviceAccountId}/deactivate",
  "deactivateServiceAccount",
  "Refuse a service account's token at once",
  "Auth:ServiceAccounts:Deactivate",
);
const archiveRoute = changeRoute(
  "delete",
  "/auth/service-accounts/{serviceAccountId}",
  "archiveServiceAccount",
  "Archive a service account and its token, for good",
  "Auth:ServiceAccounts:Delete",
);

/** Adds the operations on service accounts. */
export const addServiceAccountRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  const change = async ({ orgId }: Caller, id: UserId, by: IdentityChange) =>
    showServiceAccount(database, await changeUser(dependencies, orgId, id, by, visibleServiceAccount));

  app.openapi(createServiceAccountRoute, async (c) => {
    const body = c.req.valid("json");
    demand(await judgeHandOut(database, c.var, body.permissionId));
    return c.json(await createServiceAccount(dependencies, c.get("caller"), body), 200);
  });
  app.openapi(listServiceAccountsRoute, async (c) => {
    const { orgId } = c.get("caller");
    const users = await listUsers(database, orgId, { isServiceAccount: true }, { limit: MOST_ACCOUNTS });
    return c.json({ items: await showServiceAccounts(database, orgId, users) }, 200);
  });
  app.openapi(getServiceAccountRoute, async (c) => {
    const { serviceAccountId } = c.req.valid("param");
    const user = await visibleServiceAccount(database, c.get("caller").orgId, serviceAccountId);
    return c.json(await showServiceAccount(database, demand(user)), 200);
  });
  app.openapi(updateServiceAccountRoute, async (c) => {
    const { serviceAccountId } = c.req.valid("param");
    const body = c.req.valid("json");
    return c.json(await change(c.get("caller"), serviceAccountId, { kind: "Renamed", body }), 200);
  });
  app.openapi(activateRoute, async (c) => {
    const { serviceAccountId } = c.req.valid("param");
    return c.json(await change(c.get("caller"), serviceAccountId, { kind: "Activated" }), 200);
  });
  app.openapi(deactivateRoute, async (c) => {
    const { serviceAccountId } = c.req.valid("param");
    return c.json(await change(c.get("caller"), serviceAccountId, { kind: "Deactivated" }), 200);
  });
  app.openapi(archiveRoute, async (c) => {
    const { serviceAccountId } = c.req.valid("param");
    return c.json(await change(c.get("caller"), serviceAccountId, { kind: "Archived" }), 200);
  });
};
