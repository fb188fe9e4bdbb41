import {
  type Approval,
  type ApprovalView,
  approvalDecisionBodySchema,
  approvalView,
  problem,
} from "@conclave/custody";
import { type Connection, leavingOut, listApprovals, readApproval, showSubject } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { DECISION_EXAMPLES } from "../../document/examples/policies.ts";
import { readPageOfLarge } from "../../http/pagination.ts";
import { demand, Refused } from "../../http/refused.ts";
import { MAY_APPROVE } from "../../permission/needs.ts";
import { decideOnApproval } from "../../policy/decide-approval.ts";
import { forbiddenError, roomError } from "../../schemas/error.ts";
import { approvalListSchema, approvalParams, approvalQuery, approvalSchema } from "../../schemas/policy.ts";
import { answer, bodyOf, changeErrors, operation, readErrors } from "../operation.ts";

/** wire interface, section E.4 */
const DEFAULT_LIMIT = 20;

const one = answer("The approval", approvalSchema);

const listApprovalsRoute = operation("get", "/v2/policy-approvals", {
  operationId: "listApprovals",
  summary: "List the approvals that policies asked for, newest first",
  needs: ["Policies:Approvals:Read"],
  request: { query: approvalQuery },
  answers: { 200: answer("One page", approvalListSchema), ...forbiddenError },
});

const getApprovalRoute = operation("get", "/v2/policy-approvals/{approvalId}", {
  operationId: "getApproval",
  summary: "Read an approval",
  needs: ["Policies:Approvals:Read"],
  request: { params: approvalParams },
  answers: { 200: one, ...readErrors },
});

const decideRoute = operation("post", "/v2/policy-approvals/{approvalId}/decisions", {
  operationId: "createApprovalDecision",
  summary: "Approve or deny: the last approval that is needed releases the request, one denial rejects it",
  needs: [MAY_APPROVE],
  request: { params: approvalParams, body: bodyOf(approvalDecisionBodySchema, DECISION_EXAMPLES) },
  answers: { 200: one, ...changeErrors, ...roomError },
});

/** Adds the operations on approvals. */
export const addPolicyApprovalRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  const show = async (connection: Connection, approval: Approval): Promise<ApprovalView> =>
    approvalView(approval, await showSubject(connection, approval.subject));

  app.openapi(listApprovalsRoute, async (c) => {
    const { status, initiatorId, approverId, triggerStatus, ...query } = c.req.valid("query");
    const triggered = triggerStatus === undefined ? undefined : triggerStatus === "Triggered";
    const selection = { status, initiatorId, approverId, triggered };
    const { items, next } = await readPageOfLarge(
      { limit: DEFAULT_LIMIT, ...query },
      {
        read: (page) => listApprovals(database, c.get("caller").orgId, selection, page),
        dateOf: ({ dateCreated }) => dateCreated,
        show: async (approvals) => {
          const views: ApprovalView[] = [];
          for (const approval of approvals) views.push(await show(leavingOut(database), approval));
          return views;
        },
      },
    );
    return c.json({ items, ...next }, 200);
  });
  app.openapi(getApprovalRoute, async (c) => {
    const { approvalId } = c.req.valid("param");
    const { orgId } = c.get("caller");
    const approval = await readApproval(database, orgId, approvalId);
    if (approval === undefined) throw new Refused(problem("ApprovalNotFound", { approvalId, orgId }));
    return c.json(await show(database, approval), 200);
  });
  app.openapi(decideRoute, async (c) => {
    const { approvalId } = c.req.valid("param");
    const approver = { ...c.get("caller"), isServiceAccount: c.get("principal").isServiceAccount };
    const decided = await decideOnApproval(dependencies, approver, approvalId, c.req.valid("json"));
    return c.json(demand(decided), 200);
  });
};
