import {
  changeRequestView,
  newPolicyBodySchema,
  type PolicyEvent,
  type PolicyId,
  policyView,
  problem,
} from "@conclave/custody";
import { type Caller, listPolicies, readPendingChange, readPolicy } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { POLICY_EXAMPLES } from "../../document/examples/policies.ts";
import { readPageOfLarge } from "../../http/pagination.ts";
import { demand, Refused } from "../../http/refused.ts";
import { MAY_ARCHIVE_POLICY } from "../../permission/needs.ts";
import { createPolicy, judgeNamed } from "../../policy/create-policy.ts";
import { changePolicy } from "../../policy/policy-change.ts";
import { forbiddenError, roomError } from "../../schemas/error.ts";
import {
  changeRequestSchema,
  policyListSchema,
  policyParams,
  policyQuery,
  policySchema,
} from "../../schemas/policy.ts";
import { answer, bodyOf, changeErrors, createErrors, operation, readErrors } from "../operation.ts";

/** wire interface, section E.4 */
const DEFAULT_LIMIT = 20;

const one = answer("The policy", policySchema);
const asked = answer("The change waits for an approval", changeRequestSchema);
const body = bodyOf(newPolicyBodySchema, POLICY_EXAMPLES);

const createPolicyRoute = operation("post", "/v2/policies", {
  operationId: "createPolicy",
  summary: "Create a policy; it holds for every request from now on",
  needs: ["Policies:Create"],
  request: { body },
  answers: { 200: one, ...createErrors, ...roomError },
});

const listPoliciesRoute = operation("get", "/v2/policies", {
  operationId: "listPolicies",
  summary: "List the organisation's policies, newest first",
  needs: ["Policies:Read"],
  request: { query: policyQuery },
  answers: { 200: answer("One page", policyListSchema), ...forbiddenError },
});

const getPolicyRoute = operation("get", "/v2/policies/{policyId}", {
  operationId: "getPolicy",
  summary: "Read a policy, and the change of it that waits for an approval",
  needs: ["Policies:Read"],
  request: { params: policyParams },
  answers: { 200: one, ...readErrors },
});

const updatePolicyRoute = operation("put", "/v2/policies/{policyId}", {
  operationId: "updatePolicy",
  summary: "Replace a policy; requests that wait are judged by it at the next vote",
  needs: ["Policies:Update"],
  request: { params: policyParams, body },
  answers: { 200: one, 202: asked, ...changeErrors, ...roomError },
});

const archivePolicyRoute = operation("delete", "/v2/policies/{policyId}", {
  operationId: "archivePolicy",
  summary: "Archive a policy; requests that wait still need the approvals that it asked for",
  needs: [MAY_ARCHIVE_POLICY],
  request: { params: policyParams },
  answers: { 200: one, 202: asked, ...changeErrors },
});

/** Adds the operations on policies. */
export const addPolicyRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database, now } = dependencies;
  /** Makes the change, or a request for it. @throws Refused, also when a policy blocks the change */
  const change = async (caller: Caller, policyId: PolicyId, event: PolicyEvent) => {
    const changed = demand(await changePolicy(dependencies, caller, policyId, event));
    if (changed.kind === "Changed" || changed.request.status === "Pending") return changed;
    const { id: changeRequestId, reason } = changed.request;
    throw new Refused(problem("PolicyBlocked", { policyId, changeRequestId, reason }));
  };

  app.openapi(createPolicyRoute, async (c) => {
    const policy = await createPolicy(dependencies, c.get("caller"), c.req.valid("json"));
    return c.json(policyView(demand(policy)), 200);
  });
  app.openapi(listPoliciesRoute, async (c) => {
    const { status, ...query } = c.req.valid("query");
    const { items, next } = await readPageOfLarge(
      { limit: DEFAULT_LIMIT, ...query },
      {
        read: (page) => listPolicies(database, c.get("caller").orgId, status, page),
        dateOf: ({ dateCreated }) => dateCreated,
        show: (policies) => policies.map(policyView),
      },
    );
    return c.json({ items, ...next }, 200);
  });
  app.openapi(getPolicyRoute, async (c) => {
    const { policyId } = c.req.valid("param");
    const { orgId } = c.get("caller");
    const policy = await readPolicy(database, orgId, policyId);
    if (policy === undefined) throw new Refused(problem("PolicyNotFound", { policyId, orgId }));
    const waiting = await readPendingChange(database, orgId, policyId);
    const pending = waiting === undefined ? {} : { pendingChangeRequest: changeRequestView(waiting) };
    return c.json({ ...policyView(policy), ...pending }, 200);
  });
  app.openapi(updatePolicyRoute, async (c) => {
    const caller = c.get("caller");
    const known = demand(await judgeNamed(database, caller, c.req.valid("json")));
    const { policyId } = c.req.valid("param");
    const date = now().toISOString();
    const changed = await change(caller, policyId, { kind: "Updated", body: known, date });
    return changed.kind === "Changed"
      ? c.json(policyView(changed.policy), 200)
      : c.json(changeRequestView(changed.request), 202);
  });
  app.openapi(archivePolicyRoute, async (c) => {
    const { policyId } = c.req.valid("param");
    const date = now().toISOString();
    const changed = await change(c.get("caller"), policyId, { kind: "Archived", date });
    return changed.kind === "Changed"
      ? c.json(policyView(changed.policy), 200)
      : c.json(changeRequestView(changed.request), 202);
  });
};
