import { z } from "zod";
import { approvalIdSchema, userIdSchema } from "../identifiers.ts";

/** The largest number of approvers in all groups of one approval. */
const MOST_APPROVERS = 5_000;

/**
 * The decision that every request has before a signer signs it (INV-8); signers read it in the authorisation.
 * A decision by people names them and their approval.
 */
export const policyDecisionSchema = z
  .strictObject({
    outcome: z.literal("Allowed"),
    /** ids of the evaluated policies; empty when none applies */
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

/** The decision when no policy applies: allowed, with an empty list of policies. */
export const allowWithoutPolicies = (date: string): PolicyDecision => allowedBy([], date);

/** The decision when policies were evaluated and none blocked or asked for approval. */
export const allowedBy = (policies: readonly string[], date: string): PolicyDecision => ({
  outcome: "Allowed",
  policies: [...policies],
  date,
});
