import {
  type OrganisationId,
  organisationIdSchema,
  type PolicyEvaluation,
  policyEvaluationIdSchema,
  policyIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import { plainTable } from "../table/table.ts";

export const evaluations = plainTable("policy_evaluations", {
  id: policyEvaluationIdSchema,
  orgId: organisationIdSchema,
  policyId: policyIdSchema,
  subjectId: z.string(),
  /** position among all evaluations of the subject, from 0 */
  position: z.int(),
  triggered: z.boolean(),
  reason: z.string(),
  context: optional(z.record(z.string(), z.unknown())),
  date,
});

/**
 * Stores how policies evaluated a request, in their order, after its earlier evaluations. One statement stores all,
 * because there may be hundreds.
 *
 * @returns the id of each record (plce-…)
 */
export const insertEvaluations = async (
  connection: Pick<Connection, "execute" | "freshId">,
  subject: { readonly orgId: OrganisationId; readonly id: string },
  found: readonly PolicyEvaluation[],
  date: string,
): Promise<readonly string[]> => {
  if (found.length === 0) return [];
  const records = found.map(({ policyId, triggered, reason, context }, place) => ({
    id: connection.freshId(policyEvaluationIdSchema, "plce"),
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
