import { fail, ok, type Result } from "../errors.ts";
import type { OrganisationId, PolicyId } from "../identifiers.ts";
import type { ActivityKind, PolicyBody } from "./policy-body.ts";

export const POLICY_STATUSES = ["Active", "Archived"] as const;
export type PolicyStatus = (typeof POLICY_STATUSES)[number];

/** A rule of an organisation, what it applies to, and what happens when it triggers. Dates are ISO 8601 UTC. */
export interface Policy {
  readonly id: PolicyId;
  readonly orgId: OrganisationId;
  readonly status: PolicyStatus;
  /** as it was sent: clients read back what they wrote */
  readonly body: PolicyBody;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

export type PolicyEvent =
  | { readonly kind: "Updated"; readonly body: PolicyBody; readonly date: string }
  | { readonly kind: "Archived"; readonly date: string };

/** Moves a policy on. @returns PolicyArchived: an archived policy never changes and never applies again */
export const decidePolicy = (policy: Policy, event: PolicyEvent): Result<Policy> => {
  if (policy.status === "Archived") return fail("PolicyArchived", { policyId: policy.id });
  switch (event.kind) {
    case "Updated":
      return ok({ ...policy, body: event.body, dateUpdated: event.date });
    case "Archived":
      return ok({ ...policy, status: "Archived", dateUpdated: event.date });
  }
};

/** The Policy that the API answers. */
export interface PolicyView {
  readonly id: string;
  readonly name: string;
  readonly status: PolicyStatus;
  readonly activityKind: ActivityKind;
  readonly rule: PolicyBody["rule"];
  readonly action: PolicyBody["action"];
  readonly filters: NonNullable<PolicyBody["filters"]>;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

export const policyView = ({ id, status, body, dateCreated, dateUpdated }: Policy): PolicyView => ({
  id,
  name: body.name,
  status,
  activityKind: body.activityKind,
  rule: body.rule,
  action: body.action,
  filters: body.filters ?? {},
  dateCreated,
  dateUpdated,
});
