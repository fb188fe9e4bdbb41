import { type OrganisationId, type PolicyEvaluation, policyEvaluationIdSchema } from "@conclave/custody";
import { freshId } from "../../fresh-id.ts";
import type { Connection } from "../database.ts";

/**
 * Stores how policies evaluated a request, in their order, after what they made of it before: in one statement, for there may be hundreds.
 * @returns the id of each record (plce-…)
 */
export const insertEvaluations = async (
  connection: Pick<Connection, "execute">,
  subject: { readonly orgId: OrganisationId; readonly id: string },
  evaluations: readonly PolicyEvaluation[],
  date: string,
): Promise<readonly string[]> => {
  if (evaluations.length === 0) return [];
  const records = evaluations.map(({ policyId, triggered, reason, context }, place) => ({
    id: freshId(policyEvaluationIdSchema, "plce"),
    place,
    policy_id: policyId,
    triggered,
    reason,
    context,
  }));
  await connection.execute(
    `insert into policy_evaluations (id, org_id, policy_id, subject_id, position, triggered, reason, context, date)
     select id, $2, policy_id, $3, place + coalesce(
       (select max(position) + 1 from policy_evaluations where subject_id = $3), 0), triggered, reason, context, $4
     from jsonb_to_recordset($1::jsonb)
       as e (id text, place int, policy_id text, triggered boolean, reason text, context jsonb)`,
    [JSON.stringify(records), subject.orgId, subject.id, date],
  );
  return records.map(({ id }) => id);
};
