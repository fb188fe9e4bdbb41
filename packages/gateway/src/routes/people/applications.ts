import {
  type ApplicationId,
  createApplicationBodySchema,
  type IdentityChange,
  renameBodySchema,
} from "@conclave/custody";
import { type Caller, leavingOut, listApplications } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { APPLICATION_EXAMPLES, RENAME_EXAMPLES } from "../../document/examples/people.ts";
import { demand } from "../../http/refused.ts";
import { changeApplication, createApplication, visibleApplication } from "../../people/applications.ts";
import { MAY_MAKE_APPLICATION } from "../../people/judge-maker.ts";
import { showApplication, showApplications } from "../../people/show.ts";
import { judgeHandOut, judgeRevival } from "../../permission/hand-out.ts";
import { forbiddenError, roomError } from "../../schemas/error.ts";
import { applicationListSchema, applicationParams, applicationSchema } from "../../schemas/people/people.ts";
import { answer, bodyOf, changeErrors, operation, readErrors } from "../operation.ts";

const one = answer("The application", applicationSchema);

const createApplicationRoute = operation("post", "/auth/apps", {
  operationId: "createApplication",
  summary: "Create an application; the answer shows the token of one that runs on a server, once",
  needs: MAY_MAKE_APPLICATION,
  request: { body: bodyOf(createApplicationBodySchema, APPLICATION_EXAMPLES) },
  answers: { 200: one, ...changeErrors, ...roomError },
});

const listApplicationsRoute = operation("get", "/auth/apps", {
  operationId: "listApplications",
  summary: "List the organisation's applications, newest first",
  needs: ["Auth:Apps:Read", "Auth:Types:Application"],
  request: {},
  answers: { 200: answer("All", applicationListSchema), ...forbiddenError },
});

const getApplicationRoute = operation("get", "/auth/apps/{appId}", {
  operationId: "getApplication",
  summary: "Read an application",
  needs: ["Auth:Apps:Read", "Auth:Types:Application"],
  request: { params: applicationParams },
  answers: { 200: one, ...readErrors },
});

const updateApplicationRoute = operation("put", "/auth/apps/{appId}", {
  operationId: "updateApplication",
  summary: "Change an application's name or externalId",
  needs: ["Auth:Apps:Update", "Auth:Types:Application"],
  request: { params: applicationParams, body: bodyOf(renameBodySchema, RENAME_EXAMPLES) },
  answers: { 200: one, ...changeErrors },
});

/** Clients up to 0.6.12 send a POST (wire interface, section J). */
const updateByPostRoute = operation("post", "/auth/apps/{appId}", {
  operationId: "updateApplicationByPost",
  summary: "Change an application's name or externalId, as clients up to 0.6.12 do",
  needs: ["Auth:Apps:Update", "Auth:Types:Application"],
  request: { params: applicationParams, body: bodyOf(renameBodySchema, RENAME_EXAMPLES) },
  answers: { 200: one, ...changeErrors },
});

/** A change of an application without a body; client libraries send {}. */
const act = {
  needs: ["Auth:Apps:Update", "Auth:Types:Application"],
  request: { params: applicationParams },
  answers: { 200: one, ...changeErrors },
} as const;

const activateRoute = operation("put", "/auth/apps/{appId}/activate", {
  operationId: "activateApplication",
  summary: "Let an application act again",
  ...act,
});

const deactivateRoute = operation("put", "/auth/apps/{appId}/deactivate", {
  operationId: "deactivateApplication",
  summary: "Refuse an application's token at once",
  ...act,
});

const archiveRoute = operation("delete", "/auth/apps/{appId}", {
  operationId: "archiveApplication",
  summary: "Archive an application and its token, for good",
  ...act,
});

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
    return c.json({ items: await showApplications(leavingOut(database), orgId, applications) }, 200);
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
  app.openapi(updateByPostRoute, async (c) => {
    const body = c.req.valid("json");
    return c.json(await change(c.get("caller"), c.req.valid("param").appId, { kind: "Renamed", body }), 200);
  });
  app.openapi(activateRoute, async (c) => {
    const { appId } = c.req.valid("param");
    const { userId } = demand(await visibleApplication(database, c.get("caller").orgId, appId));
    demand(await judgeRevival(database, c.var, [appId, userId]));
    return c.json(await change(c.get("caller"), appId, { kind: "Activated" }), 200);
  });
  app.openapi(deactivateRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").appId, { kind: "Deactivated" }), 200),
  );
  app.openapi(archiveRoute, async (c) =>
    c.json(await change(c.get("caller"), c.req.valid("param").appId, { kind: "Archived" }), 200),
  );
};
