import {
  assignmentParamsSchema,
  assignmentView,
  createAssignmentBodySchema,
  permissionParamsSchema,
} from "@conclave/custody";
import { deleteAssignment, listAssignments } from "@conclave/platform";
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import { askedAssignment, revocableAssignment, storeAssignment } from "../permission/assignments.ts";
import { visiblePermission } from "../permission/permissions.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { assignmentListSchema, assignmentSchema } from "../schemas/permission.ts";

const one = { description: "The assignment", content: { "application/json": { schema: assignmentSchema } } };

const createAssignmentRoute = createRoute({
  method: "post",
  path: "/permissions/{permissionId}/assignments",
  operationId: "createAssignment",
  summary: "Give a permission to a user, a service account, a token or an application",
  ...requires(anyOf("PermissionAssignments:Create", "Permissions:Assign")),
  request: {
    params: permissionParamsSchema,
    body: { required: true, content: { "application/json": { schema: createAssignmentBodySchema } } },
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

const listAssignmentsRoute = createRoute({
  method: "get",
  path: "/permissions/{permissionId}/assignments",
  operationId: "listAssignments",
  summary: "List who has a permission, newest first",
  ...requires(anyOf("PermissionAssignments:Read", "Permissions:Assignments:Read")),
  request: { params: permissionParamsSchema, query: pageQuerySchema },
  responses: {
    200: { description: "One page", content: { "application/json": { schema: assignmentListSchema } } },
    ...commonErrors,
    ...forbiddenError,
    ...notFoundError,
  },
});

const deleteAssignmentRoute = createRoute({
  method: "delete",
  path: "/permissions/{permissionId}/assignments/{assignmentId}",
  operationId: "deleteAssignment",
  summary: "Take a permission back",
  ...requires(anyOf("PermissionAssignments:Revoke", "Permissions:Revoke")),
  request: {
    params: assignmentParamsSchema,
    query: z.object({ force: z.enum(["true", "false"]).optional() }),
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError },
});

/** Adds the operations on assignments of permissions. */
export const addAssignmentRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  { database, now }: Pick<Dependencies, "database" | "now">,
): void => {
  app.openapi(createAssignmentRoute, async (c) => {
    const { permissionId } = c.req.valid("param");
    const caller = c.get("caller");
    const stored = await database.transaction(async (connection) => {
      const date = now().toISOString();
      const asked = await askedAssignment(connection, caller, permissionId, c.req.valid("json"), date);
      return storeAssignment(connection, demand(asked));
    });
    return c.json(assignmentView(stored), 200);
  });
  app.openapi(listAssignmentsRoute, async (c) => {
    const { permissionId } = c.req.valid("param");
    const caller = c.get("caller");
    demand(await visiblePermission(database, caller, permissionId));
    const page = demand(pageOf(c.req.valid("query")));
    const rows = await listAssignments(database, caller.orgId, permissionId, withLookahead(page));
    const { items, next } = paginate(rows, page, ({ dateCreated }) => dateCreated);
    return c.json({ items: items.map(assignmentView), ...next }, 200);
  });
  app.openapi(deleteAssignmentRoute, async (c) => {
    const { permissionId, assignmentId } = c.req.valid("param");
    const revoked = await database.transaction(async (connection) => {
      const assignment = demand(
        await revocableAssignment(connection, c.get("caller"), permissionId, assignmentId),
      );
      await deleteAssignment(connection, assignment.orgId, assignment.id);
      return assignment;
    });
    return c.json(assignmentView(revoked), 200);
  });
};
