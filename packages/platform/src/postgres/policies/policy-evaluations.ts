import { type OrganisationId, type PolicyEvaluation, policyEvaluationIdSchema } from "@conclave/custody";
import { z } from "zod";
import { freshId } from "../../fresh-id.ts";
import type { Connection } from "../database.ts";

const nextSchema = z.object({ next: z.int() });

/**
 * Stores how policies evaluated a request, in their order, after what they made of it before.
 * @returns the id of each record (plce-…)
 */
export const insertEvaluations = async (
  connection: Connection,
  subject: { readonly orgId: OrganisationId; readonly id: string },
  evaluations: readonly PolicyEvaluation[],
  date: string,
): Promise<readonly string[]> => {
  if (evaluations.length === 0) return [];
  const [row] = await connection.rows(
    nextSchema,
    "select coalesce(max(position) + 1, 0) as next from policy_evaluations where subject_id = $1",
    [subject.id],
  );
  const next = row?.next ?? 0;
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
        next + position,
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
