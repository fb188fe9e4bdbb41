import {
  type AssignmentId,
  assignmentIdSchema,
  type OrganisationId,
  organisationIdSchema,
  type PermissionId,
  permissionIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";

/** A permission that an identity has. Dates are ISO 8601 UTC. */
export interface PermissionAssignment {
  readonly id: AssignmentId;
  readonly orgId: OrganisationId;
  readonly permissionId: PermissionId;
  /** id of a user, service account, token or application: us-, to- or ap- */
  readonly identityId: string;
  /** made by the service; nobody can revoke it */
  readonly isImmutable: boolean;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

const assignmentRowSchema = z
  .object({
    id: assignmentIdSchema,
    org_id: organisationIdSchema,
    permission_id: permissionIdSchema,
    identity_id: z.string(),
    is_immutable: z.boolean(),
    date_created: date,
    date_updated: date,
  })
  .transform(
    (row): PermissionAssignment => ({
      id: row.id,
      orgId: row.org_id,
      permissionId: row.permission_id,
      identityId: row.identity_id,
      isImmutable: row.is_immutable,
      dateCreated: row.date_created,
      dateUpdated: row.date_updated,
    }),
  );

/** Inserts an assignment. @returns false, and changes nothing, if the identity has the permission already */
export const insertAssignment = async (
  connection: Connection,
  assignment: PermissionAssignment,
): Promise<boolean> =>
  (await connection.execute(
    `insert into permission_assignments (id, org_id, permission_id, identity_id, is_immutable, date_created, date_updated)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (permission_id, identity_id) do nothing`,
    [
      assignment.id,
      assignment.orgId,
      assignment.permissionId,
      assignment.identityId,
      assignment.isImmutable,
      assignment.dateCreated,
      assignment.dateUpdated,
    ],
  )) === 1;

/** Reads an assignment of this permission. */
export const readAssignment = async (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
  id: AssignmentId,
): Promise<PermissionAssignment | undefined> => {
  const [found] = await connection.rows(
    assignmentRowSchema,
    "select * from permission_assignments where org_id = $1 and permission_id = $2 and id = $3",
    [orgId, permissionId, id],
  );
  return found;
};

/** Reads the assignment of a permission to an identity. */
export const readAssignmentOf = async (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
  identityId: string,
): Promise<PermissionAssignment | undefined> => {
  const [found] = await connection.rows(
    assignmentRowSchema,
    "select * from permission_assignments where org_id = $1 and permission_id = $2 and identity_id = $3",
    [orgId, permissionId, identityId],
  );
  return found;
};

/** Lists the assignments of a permission, newest first. */
export const listAssignments = (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
  page: Page,
): Promise<Listed<PermissionAssignment>> =>
  connection.listed(
    assignmentRowSchema,
    `select * from permission_assignments
     where org_id = $1 and permission_id = $2 and ($3::timestamptz is null or (date_created, id) < ($3, $4))
     order by date_created desc, id desc limit $5`,
    [orgId, permissionId, page.after?.date ?? null, page.after?.id ?? null, page.limit],
  );

/** Deletes an assignment. */
export const deleteAssignment = async (
  connection: Connection,
  orgId: OrganisationId,
  id: AssignmentId,
): Promise<void> => {
  await connection.execute("delete from permission_assignments where org_id = $1 and id = $2", [orgId, id]);
};

/** Whether the organisation has this identity: a user, a token or an application that is not archived. */
export const identityExists = async (
  connection: Connection,
  orgId: OrganisationId,
  identityId: string,
): Promise<boolean> => {
  const found = await connection.rows(
    z.object({ id: z.string() }),
    `select id from users where org_id = $1 and id = $2 and date_archived is null
     union all select id from access_tokens where org_id = $1 and id = $2 and date_archived is null
     union all select id from applications where org_id = $1 and id = $2 and date_archived is null`,
    [orgId, identityId],
  );
  return found.length > 0;
};
