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
import { mappedTable } from "../table/table.ts";

const columns = {
  id: policyIdSchema,
  orgId: organisationIdSchema,
  status: z.enum(POLICY_STATUSES),
  body: policyBodySchema,
  dateCreated: date,
  dateUpdated: date,
};
const rowSchema: z.ZodType<Policy> = z.object(columns);

export const policies = mappedTable(
  "policies",
  columns,
  { row: rowSchema },
  { key: ["id", "orgId"], changing: ["status", "body", "dateUpdated"] },
);

export const insertPolicy = async (connection: Connection, policy: Policy): Promise<void> => {
  await policies.insert(connection, policy);
};

/** Writes the columns of a policy that can change. */
export const updatePolicy = async (connection: Connection, policy: Policy): Promise<void> => {
  if (!(await policies.update(connection, policy)))
    throw new Error(`${policy.id} is not there to be updated`);
};

export const readPolicy = (
  connection: Connection,
  orgId: OrganisationId,
  id: PolicyId,
): Promise<Policy | undefined> => policies.one(connection, { orgId, id });

/** Reads a policy and locks its row until the transaction ends. */
export const lockPolicy = (
  connection: Connection,
  orgId: OrganisationId,
  id: PolicyId,
): Promise<Policy | undefined> => policies.one(connection, { orgId, id }, "for update");

/** Lists the policies of an organisation, newest first; with a status, those in that status. */
export const listPolicies = (
  connection: Connection,
  orgId: OrganisationId,
  status: PolicyStatus | undefined,
  page: Page,
): Promise<Listed<Policy>> =>
  policies.page(
    connection,
    "org_id = $1 and ($2::text is null or status = $2)",
    [orgId, status ?? null],
    page,
  );

/** The number of an organisation's policies that are not archived, and their total length as JSON. */
export interface PolicyRoom {
  readonly count: number;
  readonly length: number;
}

/**
 * Measures an organisation's policies, and keeps others from adding policies until the transaction ends.
 *
 * @param except a policy that is about to be replaced
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
