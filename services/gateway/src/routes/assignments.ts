import {
  assignmentParamsSchema,
  assignmentView,
  changeRequestView,
  createAssignmentBodySchema,
  permissionParamsSchema,
} from "@conclave/custody";
import { listAssignments } from "@conclave/platform";
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { unlessBlocked } from "../change-request/guard-change.ts";
import { withPending } from "../change-request/pending-change.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import { createAssignment, revokeAssignment } from "../permission/change-assignment.ts";
import { judgeHandOut, judgeTakingBack } from "../permission/hand-out.ts";
import { visiblePermission } from "../permission/permissions.ts";
import { anyOf, requires } from "../permission/requires.ts";
import { demand } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import { assignmentListSchema, assignmentSchema } from "../schemas/permission.ts";
import { changeRequestSchema } from "../schemas/policy.ts";

const asked = {
  description: "The change waits for an approval",
  content: { "application/json": { schema: changeRequestSchema } },
};
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
  responses: { 200: one, 202: asked, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
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
    // taken and not heeded: nobody gets around a policy by asking for it
    query: z.object({ force: z.enum(["true", "false"]).optional() }),
  },
  responses: { 200: one, 202: asked, ...commonErrors, ...forbiddenError, ...notFoundError },
});

/** Adds the operations on assignments of permissions. */
export const addAssignmentRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(createAssignmentRoute, async (c) => {
    const { permissionId } = c.req.valid("param");
    const body = c.req.valid("json");
    demand(await judgeHandOut(database, c.var, permissionId));
    const made = unlessBlocked(await createAssignment(dependencies, c.get("caller"), permissionId, body));
    return made.kind === "Made"
      ? c.json(assignmentView(made.entity), 200)
      : c.json(changeRequestView(made.request), 202);
  });
  app.openapi(listAssignmentsRoute, async (c) => {
    const { permissionId } = c.req.valid("param");
    const caller = c.get("caller");
    demand(await visiblePermission(database, caller, permissionId));
    const page = demand(pageOf(c.req.valid("query")));
    const rows = await listAssignments(database, caller.orgId, permissionId, withLookahead(page));
    const { items, next } = paginate(rows, page, ({ dateCreated }) => dateCreated);
    const views = items.map(assignmentView);
    return c.json({ items: await withPending(database, caller.orgId, views), ...next }, 200);
  });
  app.openapi(deleteAssignmentRoute, async (c) => {
    const { permissionId, assignmentId } = c.req.valid("param");
    demand(await judgeTakingBack(database, c.var, permissionId, assignmentId));
    const revoked = unlessBlocked(
      await revokeAssignment(dependencies, c.get("caller"), permissionId, assignmentId),
    );
    return revoked.kind === "Made"
      ? c.json(assignmentView(revoked.entity), 200)
      : c.json(changeRequestView(revoked.request), 202);
  });
};
