import {
  archivePermissionBodySchema,
  changeRequestView,
  createPermissionBodySchema,
  type PermissionId,
  permissionParamsSchema,
  permissionView,
  updatePermissionBodySchema,
} from "@conclave/custody";
import { type Caller, leavingOut, listPermissions } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { unlessBlocked } from "../../change-request/guard-change.ts";
import { withPending } from "../../change-request/pending-change.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import {
  ARCHIVE_PERMISSION_EXAMPLES,
  CREATE_PERMISSION_EXAMPLES,
  UPDATE_PERMISSION_EXAMPLES,
} from "../../document/examples/people.ts";
import { pageQuerySchema, readPage } from "../../http/pagination.ts";
import { demand } from "../../http/refused.ts";
import { changePermission, type PermissionChange } from "../../permission/change-permission.ts";
import { type Giver, judgeGain } from "../../permission/hand-out.ts";
import { MAY_DELETE_PERMISSION } from "../../permission/needs.ts";
import { createPermission, visiblePermission } from "../../permission/permissions.ts";
import { forbiddenError, roomError } from "../../schemas/error.ts";
import { permissionListSchema, permissionSchema } from "../../schemas/permission.ts";
import { changeRequestSchema } from "../../schemas/policy.ts";
import { answer, bodyOf, changeErrors, createErrors, operation, readErrors } from "../operation.ts";

const asked = answer("The change waits for an approval", changeRequestSchema);
const one = answer("The permission", permissionSchema);

const createPermissionRoute = operation("post", "/permissions", {
  operationId: "createPermission",
  summary: "Create a permission: a name for a list of operations",
  needs: ["Permissions:Create"],
  request: { body: bodyOf(createPermissionBodySchema, CREATE_PERMISSION_EXAMPLES) },
  answers: { 200: one, ...createErrors },
});

const listPermissionsRoute = operation("get", "/permissions", {
  operationId: "listPermissions",
  summary: "List the organisation's permissions, newest first",
  needs: ["Permissions:Read"],
  request: { query: pageQuerySchema },
  answers: { 200: answer("One page", permissionListSchema), ...forbiddenError },
});

const getPermissionRoute = operation("get", "/permissions/{permissionId}", {
  operationId: "getPermission",
  summary: "Read a permission",
  needs: ["Permissions:Read"],
  request: { params: permissionParamsSchema },
  answers: { 200: one, ...readErrors },
});

const updatePermissionRoute = operation("put", "/permissions/{permissionId}", {
  operationId: "updatePermission",
  summary: "Change a permission's name or operations",
  needs: ["Permissions:Update"],
  request: {
    params: permissionParamsSchema,
    body: bodyOf(updatePermissionBodySchema, UPDATE_PERMISSION_EXAMPLES),
  },
  answers: { 200: one, 202: asked, ...changeErrors, ...roomError },
});

const archivePermissionRoute = operation("put", "/permissions/{permissionId}/archive", {
  operationId: "archivePermission",
  summary: "Archive a permission, or take it back: while archived it grants nothing",
  needs: ["Permissions:Archive"],
  request: {
    params: permissionParamsSchema,
    body: bodyOf(archivePermissionBodySchema, ARCHIVE_PERMISSION_EXAMPLES),
  },
  answers: { 200: one, 202: asked, ...changeErrors, ...roomError },
});

const deletePermissionRoute = operation("delete", "/permissions/{permissionId}", {
  operationId: "deletePermission",
  summary: "Archive a permission, for clients that call it deleting: it grants nothing",
  needs: [MAY_DELETE_PERMISSION],
  request: { params: permissionParamsSchema },
  answers: { 200: one, 202: asked, ...changeErrors },
});

/** Adds the operations on permissions. */
export const addPermissionRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  /** Makes the change, or a request for it. @throws Refused, also when a policy blocks the change */
  const change = async (
    giver: Giver & { readonly caller: Caller },
    id: PermissionId,
    by: PermissionChange,
  ) => {
    demand(await judgeGain(database, giver, id, by));
    return unlessBlocked(await changePermission(dependencies, giver.caller, id, by));
  };

  app.openapi(createPermissionRoute, async (c) => {
    const permission = await createPermission(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(permissionView(demand(permission)), 200);
  });
  app.openapi(listPermissionsRoute, async (c) => {
    const { items, next } = await readPage(
      c.req.valid("query"),
      (page) => listPermissions(database, c.get("caller").orgId, page),
      ({ dateCreated }) => dateCreated,
    );
    const views = items.map(permissionView);
    return c.json(
      { items: await withPending(leavingOut(database), c.get("caller").orgId, views), ...next },
      200,
    );
  });
  app.openapi(getPermissionRoute, async (c) => {
    const caller = c.get("caller");
    const permission = await visiblePermission(database, caller, c.req.valid("param").permissionId);
    const view = permissionView(demand(permission));
    const [shown = view] = await withPending(database, caller.orgId, [view]);
    return c.json(shown, 200);
  });
  app.openapi(updatePermissionRoute, async (c) => {
    const changed = await change(c.var, c.req.valid("param").permissionId, c.req.valid("json"));
    return changed.kind === "Made"
      ? c.json(permissionView(changed.entity), 200)
      : c.json(changeRequestView(changed.request), 202);
  });
  app.openapi(archivePermissionRoute, async (c) => {
    const changed = await change(c.var, c.req.valid("param").permissionId, c.req.valid("json"));
    return changed.kind === "Made"
      ? c.json(permissionView(changed.entity), 200)
      : c.json(changeRequestView(changed.request), 202);
  });
  app.openapi(deletePermissionRoute, async (c) => {
    const changed = await change(c.var, c.req.valid("param").permissionId, { isArchived: true });
    return changed.kind === "Made"
      ? c.json(permissionView(changed.entity), 200)
      : c.json(changeRequestView(changed.request), 202);
  });
};
