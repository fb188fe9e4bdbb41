import { z } from "zod";
import { approvalIdSchema, userIdSchema } from "../identifiers.ts";

/** As many as all groups of one approval can have. */
const MOST_APPROVERS = 5_000;

/**
 * The decision that every request carries before it may be signed (INV-8); signers read it in the
 * authorisation. A decision by people names them and their approval.
 */
export const policyDecisionSchema = z
  .strictObject({
    outcome: z.literal("Allowed"),
    /** ids of the policies that were evaluated; empty when the organisation has none that apply */
    policies: z.array(z.string()),
    /** ISO 8601 UTC */
    date: z.string(),
    approvalId: approvalIdSchema.optional(),
    approvers: z.array(userIdSchema).min(1).max(MOST_APPROVERS).optional(),
  })
  .refine(({ approvalId, approvers }) => (approvalId === undefined) === (approvers === undefined), {
    error: "an approval has approvers, and approvers have an approval",
  });
export type PolicyDecision = z.infer<typeof policyDecisionSchema>;

/** The decision when no policy applies: allowed, and recorded as such. */
export const allowWithoutPolicies = (date: string): PolicyDecision => allowedBy([], date);

/** The decision when policies were evaluated, and none of them stood against it. */
export const allowedBy = (policies: readonly string[], date: string): PolicyDecision => ({
  outcome: "Allowed",
  policies: [...policies],
  date,
});
