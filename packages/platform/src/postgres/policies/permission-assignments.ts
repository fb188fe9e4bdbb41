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
import { accessTokens } from "../people/access-tokens.ts";
import { applications } from "../people/applications.ts";
import { users } from "../people/users.ts";
import type { ValueOf } from "../table/stored-table.ts";
import { plainTable } from "../table/table.ts";

export const assignments = plainTable("permission_assignments", {
  id: assignmentIdSchema,
  orgId: organisationIdSchema,
  permissionId: permissionIdSchema,
  /** id of a user, service account, token or application: us-, to- or ap- */
  identityId: z.string(),
  /** made by the service; nobody can revoke it */
  isImmutable: z.boolean(),
  dateCreated: date,
  dateUpdated: date,
});

/** A permission that an identity has. Dates are ISO 8601 UTC. */
export type PermissionAssignment = ValueOf<typeof assignments>;

/** Inserts an assignment. @returns false, and changes nothing, if the identity already has the permission */
export const insertAssignment = (
  connection: Connection,
  assignment: PermissionAssignment,
): Promise<boolean> =>
  assignments.insert(connection, assignment, "on conflict (permission_id, identity_id) do nothing");

/** Reads an assignment of this permission. */
export const readAssignment = (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
  id: AssignmentId,
): Promise<PermissionAssignment | undefined> => assignments.one(connection, { orgId, permissionId, id });

/** Reads the assignment of a permission to an identity. */
export const readAssignmentOf = (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
  identityId: string,
): Promise<PermissionAssignment | undefined> =>
  assignments.one(connection, { orgId, permissionId, identityId });

/** Lists the assignments of a permission, newest first. */
export const listAssignments = (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
  page: Page,
): Promise<Listed<PermissionAssignment>> =>
  assignments.page(connection, "org_id = $1 and permission_id = $2", [orgId, permissionId], page);

/** Deletes an assignment. */
export const deleteAssignment = async (
  connection: Connection,
  orgId: OrganisationId,
  id: AssignmentId,
): Promise<void> => {
  await connection.execute("delete from permission_assignments where org_id = $1 and id = $2", [orgId, id]);
};

const [u, t, a] = [users.columns, accessTokens.columns, applications.columns];

/** Whether the organisation has this identity: a user, a token or an application that is not archived. */
export const identityExists = async (
  connection: Connection,
  orgId: OrganisationId,
  identityId: string,
): Promise<boolean> => {
  const found = await connection.rows(
    z.object({ id: z.string() }),
    `select id from users where ${u.orgId} = $1 and id = $2 and ${u.dateArchived} is null
     union all select id from access_tokens where ${t.orgId} = $1 and id = $2 and ${t.dateArchived} is null
     union all select id from applications where ${a.orgId} = $1 and id = $2 and ${a.dateArchived} is null`,
    [orgId, identityId],
  );
  return found.length > 0;
};
