import {
  type AssignmentId,
  assignmentIdSchema,
  type OrganisationId,
  organisationIdSchema,
  type PermissionId,
  permissionIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date } from "./columns.ts";
import type { Connection } from "./database.ts";

/** A permission that an identity has. Dates are ISO 8601 UTC. */
export interface PermissionAssignment {
  readonly id: AssignmentId;
  readonly orgId: OrganisationId;
  readonly permissionId: PermissionId;
  /** a user, service account, token or application: us-, to- or ap- */
  readonly identityId: string;
  /** made by the service: nobody revokes it */
  readonly isImmutable: boolean;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

export const assignmentRowSchema = z
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

/** Assigns a permission. @returns false, and changes nothing, when the identity has it already */
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
