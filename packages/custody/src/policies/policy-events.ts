import type { DomainEvent } from "../event.ts";
import { type Approval, approvalView } from "./approval.ts";
import type { PolicyEvaluation } from "./evaluation.ts";
import { type Policy, policyView } from "./policy.ts";

/** A request as the API shows it, under its own name: `{ transferRequest }`. */
export type ShownRequest = Readonly<Record<string, unknown>>;

/** The longest field, in characters of JSON, of a request that the events of its policies repeat. */
const REPEATED_LENGTH_MAX = 2_048;

const withoutLong = (view: unknown): unknown =>
  typeof view === "object" && view !== null
    ? Object.fromEntries(
        Object.entries(view).filter(
          ([, member]) => (JSON.stringify(member) ?? "").length <= REPEATED_LENGTH_MAX,
        ),
      )
    : view;

/** Removes the long fields of a request: hundreds of policies may trigger on one request, each with an event. */
export const repeatedRequest = (request: ShownRequest): ShownRequest =>
  Object.fromEntries(Object.entries(request).map(([name, view]) => [name, withoutLong(view)]));

/**
 * The event of a policy that triggered on a request, whatever its action (wire interface, section D.4).
 * @param request as `repeatedRequest` returns it
 */
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

/** The event of a new approval, which people are asked for. */
export const approvalPending = (approval: Approval, request: ShownRequest): DomainEvent =>
  approvalEvent("policy.approval.pending", approval, request);

/** The event of an approval that people settled, or that expired. */
export const approvalResolved = (approval: Approval, request: ShownRequest): DomainEvent =>
  approvalEvent("policy.approval.resolved", approval, request);
