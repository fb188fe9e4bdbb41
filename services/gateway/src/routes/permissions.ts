import {
  archivePermissionBodySchema,
  createPermissionBodySchema,
  permissionParamsSchema,
  permissionView,
  updatePermissionBodySchema,
} from "@conclave/custody";
import { listPermissions } from "@conclave/platform";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import {
  changedPermission,
  createPermission,
  type PermissionChange,
  storePermission,
  visiblePermission,
} from "../permission/permissions.ts";
import { requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { permissionListSchema, permissionSchema } from "../schemas/permission.ts";

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
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
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
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

/** Adds the operations on permissions. */
export const addPermissionRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database, now } = dependencies;
  const change = (
    caller: GatewayEnv["Variables"]["caller"],
    id: Parameters<typeof changedPermission>[2],
    by: PermissionChange,
  ) =>
    database.transaction(async (connection) => {
      const changed = await changedPermission(connection, caller, id, by, now().toISOString());
      return changed.ok ? storePermission(connection, changed.value) : changed;
    });
  app.openapi(createPermissionRoute, async (c) => {
    const permission = await createPermission(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(permissionView(demand(permission)), 200);
  });
  app.openapi(listPermissionsRoute, async (c) => {
    const page = demand(pageOf(c.req.valid("query")));
    const rows = await listPermissions(database, c.get("caller").orgId, withLookahead(page));
    const { items, next } = paginate(rows, page, ({ dateCreated }) => dateCreated);
    return c.json({ items: items.map(permissionView), ...next }, 200);
  });
  app.openapi(getPermissionRoute, async (c) => {
    const { permissionId } = c.req.valid("param");
    return c.json(
      permissionView(demand(await visiblePermission(database, c.get("caller"), permissionId))),
      200,
    );
  });
  app.openapi(updatePermissionRoute, async (c) => {
    const { permissionId } = c.req.valid("param");
    return c.json(
      permissionView(demand(await change(c.get("caller"), permissionId, c.req.valid("json")))),
      200,
    );
  });
  app.openapi(archivePermissionRoute, async (c) => {
    const { permissionId } = c.req.valid("param");
    return c.json(
      permissionView(demand(await change(c.get("caller"), permissionId, c.req.valid("json")))),
      200,
    );
  });
};
