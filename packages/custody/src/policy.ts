import { z } from "zod";

/** The decision that every request carries before it may be signed (INV-8); signers read it in the authorisation. */
export const policyDecisionSchema = z.strictObject({
  outcome: z.literal("Allowed"),
  /** ids of the policies that were evaluated; empty when the organisation has none that apply */
  policies: z.array(z.string()),
  /** ISO 8601 UTC */
  date: z.string(),
});
export type PolicyDecision = z.infer<typeof policyDecisionSchema>;

/** The decision when no policy applies: allowed, and recorded as such. */
export const allowWithoutPolicies = (date: string): PolicyDecision => ({
  outcome: "Allowed",
  policies: [],
  date,
});
