import { type OrganisationId, type PolicyEvaluation, policyEvaluationIdSchema } from "@conclave/custody";
import { freshId } from "../../fresh-id.ts";
import type { Connection } from "../database.ts";

/**
 * Stores how policies evaluated a request, in their order.
 * @returns the id of each record (plce-…)
 */
export const insertEvaluations = async (
  connection: Connection,
  subject: { readonly orgId: OrganisationId; readonly id: string },
  evaluations: readonly PolicyEvaluation[],
  date: string,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const [position, evaluation] of evaluations.entries()) {
    const id = freshId(policyEvaluationIdSchema, "plce");
    await connection.execute(
      `insert into policy_evaluations (id, org_id, policy_id, subject_id, position, triggered, reason, context, date)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        subject.orgId,
        evaluation.policyId,
        subject.id,
        position,
        evaluation.triggered,
        evaluation.reason,
        evaluation.context === undefined ? null : JSON.stringify(evaluation.context),
        date,
      ],
    );
    ids.push(id);
  }
  return ids;
};
