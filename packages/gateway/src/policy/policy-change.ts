import {
  type ChangeRequest,
  decidePolicy,
  fail,
  ok,
  type Policy,
  type PolicyBody,
  type PolicyEvent,
  type PolicyId,
  policyBodySchema,
  policyIdSchema,
  policyView,
  type Result,
} from "@conclave/custody";
import { type Caller, type Connection, changeRights, lockPolicy, updatePolicy } from "@conclave/platform";
import { z } from "zod";
import { guardChange } from "../change-request/guard-change.ts";
import { readInChange } from "../change-request/stored-change.ts";
import type { Dependencies } from "../dependencies.ts";
import { judgeApproverGroups } from "./approver-groups.ts";
import { roomForPolicy } from "./policy-room.ts";

/** A policy that was changed, or the change request that waits or was blocked. */
export type PolicyChange =
  | { readonly kind: "Changed"; readonly policy: Policy }
  | { readonly kind: "Asked"; readonly request: ChangeRequest };

/**
 * Changes a policy, or first asks for the approvals that a policy on changes of policies requires.
 * @returns PolicyNotFound, PolicyArchived, ApproverGroupUnknown, QuorumUnreachable, TooManyPolicies or
 * ChangeRequestPending
 */
export const changePolicy = (
  dependencies: Dependencies,
  caller: Caller,
  policyId: PolicyId,
  event: PolicyEvent,
): Promise<Result<PolicyChange>> =>
  dependencies.database.transaction(async (connection) => {
    const { orgId } = caller;
    await changeRights(connection, orgId);
    const policy = await lockPolicy(connection, orgId, policyId);
    if (policy === undefined) return fail("PolicyNotFound", { policyId, orgId });
    const changed = decidePolicy(policy, event);
    if (!changed.ok) return changed;
    const fits = await judgeChanged(connection, changed.value);
    if (!fits.ok) return fits;
    const guarded = await guardChange(dependencies, connection, caller, {
      kind: "Policy",
      // client libraries know no other operation on policies: archiving updates the status
      operationKind: "Update",
      entityId: policyId,
      body: { ...policyView(changed.value) },
      activity: { kind: "Policies:Modify", policyIds: [policyId] },
    });
    if (!guarded.ok) return guarded;
    if (guarded.value !== undefined) return ok({ kind: "Asked", request: guarded.value });
    await updatePolicy(connection, changed.value);
    return ok({ kind: "Changed", policy: changed.value });
  });

/** Whether the changed policy fits the limits and names groups that can decide; an archived one takes no room and asks nobody. */
const judgeChanged = async (connection: Connection, policy: Policy): Promise<Result<PolicyBody>> => {
  if (policy.status === "Archived") return ok(policy.body);
  const groups = await judgeApproverGroups(connection, policy.orgId, policy.body);
  return groups.ok ? roomForPolicy(connection, policy, policy.body, policy.id) : groups;
};

const statusSchema = z.object({ status: z.string() });
const partsSchema = z.object({
  name: z.unknown(),
  activityKind: z.unknown(),
  rule: z.unknown(),
  action: z.unknown(),
  filters: z.unknown(),
});

/** @throws UnreadableRow */
const approvedBodyOf = (request: ChangeRequest): PolicyBody =>
  readInChange(request, "body", policyBodySchema, readInChange(request, "body", partsSchema, request.body));

/** The change in a request's body, in the form that people approved. */
const eventOf = (request: ChangeRequest, date: string): PolicyEvent =>
  readInChange(request, "body", statusSchema, request.body).status === "Archived"
    ? { kind: "Archived", date }
    : { kind: "Updated", body: approvedBodyOf(request), date };

/** Makes an approved change of a policy. */
export const applyPolicyChange = async (
  connection: Connection,
  request: ChangeRequest,
  date: string,
): Promise<Result<Policy>> => {
  const policyId = readInChange(request, "entity_id", policyIdSchema, request.entityId);
  const policy = await lockPolicy(connection, request.orgId, policyId);
  if (policy === undefined) return fail("PolicyNotFound", { policyId });
  const changed = decidePolicy(policy, eventOf(request, date));
  if (!changed.ok) return changed;
  const fits = await judgeChanged(connection, changed.value);
  if (!fits.ok) return fits;
  await updatePolicy(connection, changed.value);
  return changed;
};
