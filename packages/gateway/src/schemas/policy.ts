import {
  APPROVAL_STATUSES,
  approvalIdSchema,
  approvalViewSchema,
  changeRequestViewSchema,
  POLICY_STATUSES,
  policyIdSchema,
  policyViewSchema,
  userIdSchema,
} from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { pageQuerySchema } from "../http/pagination.ts";

export const policyParams = z.object({ policyId: policyIdSchema });
export const approvalParams = z.object({ approvalId: approvalIdSchema });

export const policyQuery = pageQuerySchema.extend({ status: z.enum(POLICY_STATUSES).optional() });

export const approvalQuery = pageQuerySchema.extend({
  /** the last two are from client libraries before 2024; no approval has them here */
  status: z.enum([...APPROVAL_STATUSES, "AutoApproved", "AutoDenied"]).optional(),
  initiatorId: userIdSchema.optional(),
  approverId: userIdSchema.optional(),
  /** from client libraries before 2024 */
  triggerStatus: z.enum(["Triggered", "Skipped"]).optional(),
});

/** A change that waits for an approval, or waited for one (wire interface, section E.3). */
export const changeRequestSchema = z.object(changeRequestViewSchema.shape).openapi("ChangeRequest");

/** The Policy of the interface, with the additions of wire interface section F.7. */
export const policySchema = z
  .object({ ...policyViewSchema.shape, pendingChangeRequest: changeRequestSchema.optional() })
  .openapi("Policy");

export const policyListSchema = z.object({
  items: z.array(policySchema).readonly(),
  nextPageToken: z.string().optional(),
});

/** The Approval of both generations of client libraries (wire interface, section F.7). */
export const approvalSchema = z.object(approvalViewSchema.shape).openapi("Approval");

export const approvalListSchema = z.object({
  items: z.array(approvalSchema).readonly(),
  nextPageToken: z.string().optional(),
});
