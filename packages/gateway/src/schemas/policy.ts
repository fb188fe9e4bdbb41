import {
  ACTIVITY_KINDS,
  APPROVAL_STATUSES,
  approvalGroupSchema,
  approvalIdSchema,
  CHANGE_OPERATIONS,
  CHANGE_REQUEST_KINDS,
  CHANGE_REQUEST_STATUSES,
  MOST_GROUPS,
  MOST_POLICIES,
  MOST_VOICES,
  POLICY_STATUSES,
  policyActionSchema,
  policyFiltersSchema,
  policyIdSchema,
  policyRuleSchema,
  userIdSchema,
  VOICES,
} from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { pageQuerySchema } from "../http/pagination.ts";

export const policyParams = z.object({ policyId: policyIdSchema });
export const approvalParams = z.object({ approvalId: approvalIdSchema });

export const policyQuery = pageQuerySchema.extend({ status: z.enum(POLICY_STATUSES).optional() });

export const approvalQuery = pageQuerySchema.extend({
  /** the last two are of client libraries of before 2024: no approval has them here */
  status: z.enum([...APPROVAL_STATUSES, "AutoApproved", "AutoDenied"]).optional(),
  initiatorId: userIdSchema.optional(),
  approverId: userIdSchema.optional(),
  /** of client libraries of before 2024 */
  triggerStatus: z.enum(["Triggered", "Skipped"]).optional(),
});

const requesterSchema = z.object({
  userId: z.string(),
  tokenId: z.string().optional(),
  appId: z.string().optional(),
});

/** A change that waits for an approval, or had to (wire interface, section E.3). */
export const changeRequestSchema = z
  .object({
    id: z.string(),
    kind: z.enum(CHANGE_REQUEST_KINDS),
    operationKind: z.enum(CHANGE_OPERATIONS),
    status: z.enum(CHANGE_REQUEST_STATUSES),
    requester: requesterSchema,
    entityId: z.string(),
    body: z.record(z.string(), z.unknown()),
    approvalId: z.string().optional(),
    reason: z.string().optional(),
    dateCreated: z.string(),
    dateResolved: z.string().optional(),
  })
  .openapi("ChangeRequest");

/** The Policy of the interface, with the additions of wire interface section F.7. */
export const policySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.enum(POLICY_STATUSES),
    activityKind: z.enum(ACTIVITY_KINDS),
    rule: policyRuleSchema,
    action: policyActionSchema,
    filters: policyFiltersSchema,
    dateCreated: z.string(),
    dateUpdated: z.string(),
    pendingChangeRequest: changeRequestSchema.optional(),
  })
  .openapi("Policy");

export const policyListSchema = z.object({
  items: z.array(policySchema).readonly(),
  nextPageToken: z.string().optional(),
});

/** The Approval of both generations of client libraries (wire interface, section F.7). */
export const approvalSchema = z
  .object({
    id: z.string(),
    initiatorId: z.string(),
    activity: z.record(z.string(), z.unknown()),
    status: z.enum(APPROVAL_STATUSES),
    expirationDate: z.string().optional(),
    dateCreated: z.string(),
    dateUpdated: z.string(),
    dateResolved: z.string().optional(),
    policyEvaluations: z
      .array(
        z.object({
          policyId: z.string(),
          triggered: z.boolean(),
          reason: z.string(),
          context: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .max(MOST_POLICIES)
      .readonly(),
    evaluatedPolicies: z
      .array(
        z.object({
          policyId: z.string(),
          triggerStatus: z.enum(["Triggered", "Skipped"]),
          reason: z.string(),
        }),
      )
      .max(MOST_POLICIES)
      .readonly(),
    approvalGroups: z
      .array(approvalGroupSchema.safeExtend({ policyId: z.string() }))
      .max(MOST_POLICIES * MOST_GROUPS)
      .readonly(),
    decisions: z
      .array(
        z.object({
          userId: z.string(),
          value: z.enum(VOICES),
          reason: z.string().nullable(),
          date: z.string(),
          dateActioned: z.string(),
        }),
      )
      // the last of them is a denial
      .max(MOST_VOICES + 1)
      .readonly(),
  })
  .openapi("Approval");

export const approvalListSchema = z.object({
  items: z.array(approvalSchema).readonly(),
  nextPageToken: z.string().optional(),
});
