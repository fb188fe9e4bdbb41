import {
  archivePermissionBodySchema,
  changeRequestView,
  createPermissionBodySchema,
  permissionParamsSchema,
  permissionView,
  updatePermissionBodySchema,
} from "@conclave/custody";
import { listPermissions } from "@conclave/platform";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { unlessBlocked } from "../change-request/guard-change.ts";
import { withPending } from "../change-request/pending-change.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import { changePermission } from "../permission/change-permission.ts";
import { judgeGain } from "../permission/hand-out.ts";
import { createPermission, visiblePermission } from "../permission/permissions.ts";
import { requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { permissionListSchema, permissionSchema } from "../schemas/permission.ts";
import { changeRequestSchema } from "../schemas/policy.ts";

const asked = {
  description: "The change waits for an approval",
  content: { "application/json": { schema: changeRequestSchema } },
};
const one = { description: "The permission", content: { "application/json": { schema: permissionSchema } } };

const createPermissionRoute = createRoute({
  method: "post",
  path: "/permissions",
  operationId: "createPermission",
  summary: "Create a permission: a name for a list of operations",
  ...requires("Permissions:Create"),
  request: {
    body: { required: true, content: { "application/json": { schema: createPermissionBodySchema } } },
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...bodyErrors },
});

const listPermissionsRoute = createRoute({
  method: "get",
  path: "/permissions",
  operationId: "listPermissions",
  summary: "List the organisation's permissions, newest first",
  ...requires("Permissions:Read"),
  request: { query: pageQuerySchema },
  responses: {
    200: { description: "One page", content: { "application/json": { schema: permissionListSchema } } },
    ...commonErrors,
    ...forbiddenError,
  },
});

const getPermissionRoute = createRoute({
  method: "get",
  path: "/permissions/{permissionId}",
  operationId: "getPermission",
  summary: "Read a permission",
  ...requires("Permissions:Read"),
  request: { params: permissionParamsSchema },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError },
});

const updatePermissionRoute = createRoute({
  method: "put",
  path: "/permissions/{permissionId}",
  operationId: "updatePermission",
  summary: "Change a permission's name or operations",
  ...requires("Permissions:Update"),
  request: {
    params: permissionParamsSchema,
    body: { required: true, content: { "application/json": { schema: updatePermissionBodySchema } } },
  },
  responses: { 200: one, 202: asked, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

const archivePermissionRoute = createRoute({
  method: "put",
  path: "/permissions/{permissionId}/archive",
  operationId: "archivePermission",
  summary: "Archive a permission, or take it back: while archived it grants nothing",
  ...requires("Permissions:Archive"),
  request: {
    params: permissionParamsSchema,
    body: { required: true, content: { "application/json": { schema: archivePermissionBodySchema } } },
  },
  responses: { 200: one, 202: asked, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

/** Adds the operations on permissions. */
export const addPermissionRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(createPermissionRoute, async (c) => {
    const permission = await createPermission(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(permissionView(demand(permission)), 200);
  });
  app.openapi(listPermissionsRoute, async (c) => {
    const page = demand(pageOf(c.req.valid("query")));
    const rows = await listPermissions(database, c.get("caller").orgId, withLookahead(page));
    const { items, next } = paginate(rows, page, ({ dateCreated }) => dateCreated);
    const views = items.map(permissionView);
    return c.json({ items: await withPending(database, c.get("caller").orgId, views), ...next }, 200);
  });
  app.openapi(getPermissionRoute, async (c) => {
    const caller = c.get("caller");
    const permission = await visiblePermission(database, caller, c.req.valid("param").permissionId);
    const view = permissionView(demand(permission));
    const [shown = view] = await withPending(database, caller.orgId, [view]);
    return c.json(shown, 200);
  });
  app.openapi(updatePermissionRoute, async (c) => {
    const { permissionId } = c.req.valid("param");
    const body = c.req.valid("json");
    demand(await judgeGain(database, c.var, permissionId, body));
    const changed = unlessBlocked(await changePermission(dependencies, c.get("caller"), permissionId, body));
    return changed.kind === "Made"
      ? c.json(permissionView(changed.entity), 200)
      : c.json(changeRequestView(changed.request), 202);
  });
  app.openapi(archivePermissionRoute, async (c) => {
    const { permissionId } = c.req.valid("param");
    const body = c.req.valid("json");
    demand(await judgeGain(database, c.var, permissionId, body));
    const changed = unlessBlocked(await changePermission(dependencies, c.get("caller"), permissionId, body));
    return changed.kind === "Made"
      ? c.json(permissionView(changed.entity), 200)
      : c.json(changeRequestView(changed.request), 202);
  });
};
