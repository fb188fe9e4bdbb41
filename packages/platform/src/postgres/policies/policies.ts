import {
  type OrganisationId,
  organisationIdSchema,
  POLICY_STATUSES,
  type Policy,
  type PolicyId,
  type PolicyStatus,
  policyBodySchema,
  policyIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";

/** A policy as its row stores it. */
export const policyRowSchema = z
  .object({
    id: policyIdSchema,
    org_id: organisationIdSchema,
    status: z.enum(POLICY_STATUSES),
    body: policyBodySchema,
    date_created: date,
    date_updated: date,
  })
  .transform(
    (row): Policy => ({
      id: row.id,
      orgId: row.org_id,
      status: row.status,
      body: row.body,
      dateCreated: row.date_created,
      dateUpdated: row.date_updated,
    }),
  );

export const insertPolicy = async (connection: Connection, policy: Policy): Promise<void> => {
  await connection.execute(
    `insert into policies (id, org_id, status, body, date_created, date_updated) values ($1, $2, $3, $4, $5, $6)`,
    [
      policy.id,
      policy.orgId,
      policy.status,
      JSON.stringify(policy.body),
      policy.dateCreated,
      policy.dateUpdated,
    ],
  );
};

/** Writes the columns of a policy that can change. */
export const updatePolicy = async (connection: Connection, policy: Policy): Promise<void> => {
  const updated = await connection.execute(
    "update policies set status = $3, body = $4, date_updated = $5 where id = $1 and org_id = $2",
    [policy.id, policy.orgId, policy.status, JSON.stringify(policy.body), policy.dateUpdated],
  );
  if (updated !== 1) throw new Error(`${policy.id} is not there to be updated`);
};

export const readPolicy = async (
  connection: Connection,
  orgId: OrganisationId,
  id: PolicyId,
): Promise<Policy | undefined> => {
  const [found] = await connection.rows(
    policyRowSchema,
    "select * from policies where org_id = $1 and id = $2",
    [orgId, id],
  );
  return found;
};

/** Reads a policy and locks its row until the transaction ends. */
export const lockPolicy = async (
  connection: Connection,
  orgId: OrganisationId,
  id: PolicyId,
): Promise<Policy | undefined> => {
  const [found] = await connection.rows(
    policyRowSchema,
    "select * from policies where org_id = $1 and id = $2 for update",
    [orgId, id],
  );
  return found;
};

/** Lists the policies of an organisation, newest first; with a status, those in that status. */
export const listPolicies = (
  connection: Connection,
  orgId: OrganisationId,
  status: PolicyStatus | undefined,
  page: Page,
): Promise<Listed<Policy>> =>
  connection.listed(
    policyRowSchema,
    `select * from policies
     where org_id = $1 and ($2::text is null or status = $2)
       and ($3::timestamptz is null or (date_created, id) < ($3, $4))
     order by date_created desc, id desc limit $5`,
    [orgId, status ?? null, page.after?.date ?? null, page.after?.id ?? null, page.limit],
  );

/** How many policies of an organisation are not archived, and how long they are together, as JSON writes them. */
export interface PolicyRoom {
  readonly count: number;
  readonly length: number;
}

/**
 * Measures an organisation's policies, and keeps others from adding to them until the transaction ends.
 * @param except one that is about to be replaced
 */
export const measurePolicies = async (
  connection: Connection,
  orgId: OrganisationId,
  except: PolicyId | undefined,
): Promise<PolicyRoom> => {
  await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`policies of ${orgId}`]);
  const [room] = await connection.rows(
    z.object({ count: z.int(), length: z.int() }),
    `select count(*)::int as count, coalesce(sum(length(body::text)), 0)::int as length from policies
      where org_id = $1 and status = 'Active' and id is distinct from $2`,
    [orgId, except ?? null],
  );
  return room ?? { count: 0, length: 0 };
};
