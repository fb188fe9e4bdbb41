import {
  type ApplicationId,
  createApplicationBodySchema,
  type IdentityChange,
  renameBodySchema,
} from "@conclave/custody";
import { type Caller, listApplications } from "@conclave/platform";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { changeApplication, createApplication, visibleApplication } from "../people/applications.ts";
import { showApplication, showApplications } from "../people/show.ts";
import { judgeHandOut } from "../permission/hand-out.ts";
import { requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { applicationListSchema, applicationParams, applicationSchema } from "../schemas/people.ts";

const one = {
  description: "The application",
  content: { "application/json": { schema: applicationSchema } },
};

const createApplicationRoute = createRoute({
  method: "post",
  path: "/auth/apps",
  operationId: "createApplication",
  summary: "Create an application; the answer shows the token of one that runs on a server, once",
  ...requires("Auth:Apps:Create", "Auth:Types:Application"),
  request: {
    body: { required: true, content: { "application/json": { schema: createApplicationBodySchema } } },
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

const listApplicationsRoute = createRoute({
  method: "get",
  path: "/auth/apps",
  operationId: "listApplications",
  summary: "List the organisation's applications, newest first",
  ...requires("Auth:Apps:Read", "Auth:Types:Application"),
  responses: {
    200: { description: "All", content: { "application/json": { schema: applicationListSchema } } },
    ...commonErrors,
    ...forbiddenError,
  },
});

const getApplicationRoute = createRoute({
  method: "get",
  path: "/auth/apps/{appId}",
  operationId: "getApplication",
  summary: "Read an application",
  ...requires("Auth:Apps:Read", "Auth:Types:Application"),
  request: { params: applicationParams },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError },
});

const updateApplicationRoute = createRoute({
  method: "put",
  path: "/auth/apps/{appId}",
  operationId: "updateApplication",
  summary: "Change an application's name or externalId",
  ...requires("Auth:Apps:Update", "Auth:Types:Application"),
  request: {
    params: applicationParams,
    body: { required: true, content: { "application/json": { schema: renameBodySchema } } },
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

/** A change of an application that takes no body; client libraries send {}. */
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
    ...requires("Auth:Apps:Update", "Auth:Types:Application"),
    request: { params: applicationParams },
    responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
  });

const activateRoute = changeRoute(
  "put",
  "/auth/apps/{appId}/activate",
  "activateApplication",
  "Let an application act again",
);
const deactivateRoute = changeRoute(
  "put",
  "/auth/apps/{appId}/deactivate",
  "deactivateApplication",
  "Refuse an application's token at once",
);
const archiveRoute = changeRoute(
  "delete",
  "/auth/apps/{appId}",
  "archiveApplication",
  "Archive an application and its token, for good",
);

/** Adds the operations on applications (service interface, Get application). */
export const addApplicationRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  const change = async (caller: Caller, appId: ApplicationId, by: IdentityChange) =>
    showApplication(database, await changeApplication(dependencies, caller, appId, by));

  app.openapi(createApplicationRoute, async (c) => {
    const body = c.req.valid("json");
    demand(await judgeHandOut(database, c.var, body.permissionId));
    return c.json(await createApplication(dependencies, c.get("caller"), body), 200);
  });
  app.openapi(listApplicationsRoute, async (c) => {
    const { orgId } = c.get("caller");
    const applications = await listApplications(database, orgId);
    return c.json({ items: await showApplications(database, orgId, applications) }, 200);
  });
  app.openapi(getApplicationRoute, async (c) => {
    const { appId } = c.req.valid("param");
    const found = await visibleApplication(database, c.get("caller").orgId, appId);
    return c.json(await showApplication(database, demand(found)), 200);
  });
  app.openapi(updateApplicationRoute, async (c) => {
    const body = c.req.valid("json");
    return c.json(await change(c.get("caller"), c.req.valid("param").appId, { kind: "Renamed", body }), 200);
  });
  app.openapi(activateRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").appId, { kind: "Activated" }), 200),
  );
  app.openapi(deactivateRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").appId, { kind: "Deactivated" }), 200),
  );
  app.openapi(archiveRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").appId, { kind: "Archived" }), 200),
  );
};
