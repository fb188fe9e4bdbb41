import type { DomainEvent } from "../event.ts";
import { type Approval, approvalView } from "./approval.ts";
import type { PolicyEvaluation } from "./evaluation.ts";
import { type Policy, policyView } from "./policy.ts";

/** A request as the API shows it, under its own name: `{ transferRequest }`. */
export type ShownRequest = Readonly<Record<string, unknown>>;

/** A policy triggered on a request, whatever follows from it (wire interface, section D.4). */
export const policyTriggered = (
  id: string,
  policy: Policy,
  evaluation: PolicyEvaluation,
  request: ShownRequest,
  date: string,
): DomainEvent => ({
  kind: "policy.triggered",
  orgId: policy.orgId,
  entityId: id,
  date,
  data: {
    policyEvaluation: {
      id,
      triggered: true,
      reason: evaluation.reason,
      date,
      policy: policyView(policy),
      activity: { kind: policy.body.activityKind, ...request },
      ...(evaluation.context === undefined ? {} : { context: evaluation.context }),
    },
  },
});

const approvalEvent = (
  kind: "policy.approval.pending" | "policy.approval.resolved",
  approval: Approval,
  request: ShownRequest,
): DomainEvent => ({
  kind,
  orgId: approval.orgId,
  entityId: approval.id,
  date: approval.dateUpdated,
  data: { activityId: approval.subject.id, approval: approvalView(approval, request) },
});

/** People are asked to approve. */
export const approvalPending = (approval: Approval, request: ShownRequest): DomainEvent =>
  approvalEvent("policy.approval.pending", approval, request);

/** People approved or denied, or their time is over. */
export const approvalResolved = (approval: Approval, request: ShownRequest): DomainEvent =>
  approvalEvent("policy.approval.resolved", approval, request);
