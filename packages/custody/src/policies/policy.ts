import { z } from "zod";
import { fail, ok, type Result } from "../errors.ts";
import type { OrganisationId, PolicyId } from "../identifiers.ts";
import {
  ACTIVITY_KINDS,
  type PolicyBody,
  policyActionSchema,
  policyFiltersSchema,
  policyRuleSchema,
} from "./policy-body.ts";

export const POLICY_STATUSES = ["Active", "Archived"] as const;
export type PolicyStatus = (typeof POLICY_STATUSES)[number];

/** A rule of an organisation, what it applies to, and what happens when it triggers. Dates are ISO 8601 UTC. */
export interface Policy {
  readonly id: PolicyId;
  readonly orgId: OrganisationId;
  readonly status: PolicyStatus;
  /** as the client sent it: clients read back the same body */
  readonly body: PolicyBody;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

export type PolicyEvent =
  | { readonly kind: "Updated"; readonly body: PolicyBody; readonly date: string }
  | { readonly kind: "Archived"; readonly date: string };

/** Changes the state of a policy. @returns PolicyArchived: an archived policy never changes and never applies again */
export const decidePolicy = (policy: Policy, event: PolicyEvent): Result<Policy> => {
  if (policy.status === "Archived") return fail("PolicyArchived", { policyId: policy.id });
  switch (event.kind) {
    case "Updated":
      return ok({ ...policy, body: event.body, dateUpdated: event.date });
    case "Archived":
      return ok({ ...policy, status: "Archived", dateUpdated: event.date });
  }
};

/** The Policy in API responses (with the additions of wire interface section F.7). */
export const policyViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(POLICY_STATUSES),
  activityKind: z.enum(ACTIVITY_KINDS),
  rule: policyRuleSchema,
  action: policyActionSchema,
  filters: policyFiltersSchema,
  dateCreated: z.string(),
  dateUpdated: z.string(),
});
export type PolicyView = z.infer<typeof policyViewSchema>;

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
