import {
  assignmentParamsSchema,
  assignmentView,
  changeRequestView,
  createAssignmentBodySchema,
  permissionParamsSchema,
} from "@conclave/custody";
import { leavingOut, listAssignments } from "@conclave/platform";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { unlessBlocked } from "../../change-request/guard-change.ts";
import { withPending } from "../../change-request/pending-change.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { ASSIGNMENT_EXAMPLES } from "../../document/examples/people.ts";
import { pageQuerySchema, readPage } from "../../http/pagination.ts";
import { demand } from "../../http/refused.ts";
import { createAssignment, revokeAssignment } from "../../permission/change-assignment.ts";
import { judgeHandOut, judgeTakingBack } from "../../permission/hand-out.ts";
import { MAY_ASSIGN, MAY_REVOKE } from "../../permission/needs.ts";
import { visiblePermission } from "../../permission/permissions.ts";
import { anyOf } from "../../permission/requires.ts";
import { roomError } from "../../schemas/error.ts";
import { assignmentListSchema, assignmentSchema } from "../../schemas/permission.ts";
import { changeRequestSchema } from "../../schemas/policy.ts";
import { answer, bodyOf, changeErrors, operation, readErrors } from "../operation.ts";

const asked = answer("The change waits for an approval", changeRequestSchema);
const one = answer("The assignment", assignmentSchema);

const createAssignmentRoute = operation("post", "/permissions/{permissionId}/assignments", {
  operationId: "createAssignment",
  summary: "Give a permission to a user, a service account, a token or an application",
  needs: [MAY_ASSIGN],
  request: { params: permissionParamsSchema, body: bodyOf(createAssignmentBodySchema, ASSIGNMENT_EXAMPLES) },
  answers: { 200: one, 202: asked, ...changeErrors, ...roomError },
});

const listAssignmentsRoute = operation("get", "/permissions/{permissionId}/assignments", {
  operationId: "listAssignments",
  summary: "List who has a permission, newest first",
  needs: [anyOf("PermissionAssignments:Read", "Permissions:Assignments:Read")],
  request: { params: permissionParamsSchema, query: pageQuerySchema },
  answers: { 200: answer("One page", assignmentListSchema), ...readErrors },
});

const deleteAssignmentRoute = operation("delete", "/permissions/{permissionId}/assignments/{assignmentId}", {
  operationId: "deleteAssignment",
  summary: "Take a permission back",
  needs: [MAY_REVOKE],
  request: {
    params: assignmentParamsSchema,
    // accepted and ignored: a parameter must not circumvent a policy
    query: z.object({ force: z.enum(["true", "false"]).optional() }),
  },
  answers: { 200: one, 202: asked, ...readErrors },
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
    const { items, next } = await readPage(
      c.req.valid("query"),
      (page) => listAssignments(database, caller.orgId, permissionId, page),
      ({ dateCreated }) => dateCreated,
    );
    const views = items.map(assignmentView);
    return c.json({ items: await withPending(leavingOut(database), caller.orgId, views), ...next }, 200);
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
