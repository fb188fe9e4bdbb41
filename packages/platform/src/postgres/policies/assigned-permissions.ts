import {
  type AssignmentId,
  assignmentIdSchema,
  OPERATIONS,
  type Operation,
  type OrganisationId,
  operationSchema,
  type PermissionId,
  permissionIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";

/** A permission that an identity has, as the views of people and tokens show it (service interface, PermissionAssignment). */
export interface AssignedPermission {
  readonly permissionName: string;
  readonly permissionId: PermissionId;
  readonly assignmentId: AssignmentId;
  readonly operations: readonly Operation[];
}

const rowSchema = z.object({
  identity_id: z.string(),
  name: z.string(),
  permission_id: permissionIdSchema,
  assignment_id: assignmentIdSchema,
  grants_everything: z.boolean(),
  operations: z.array(operationSchema),
});

/** Reads the permissions of each of these identities, by identity id. Archived permissions grant nothing and are left out. */
export const readAssignedPermissions = async (
  connection: Connection,
  orgId: OrganisationId,
  identityIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AssignedPermission[]>> => {
  const rows = await connection.rows(
    rowSchema,
    `select a.identity_id, p.name, p.id as permission_id, a.id as assignment_id, p.grants_everything, p.operations
     from permission_assignments a join permissions p on p.id = a.permission_id and not p.is_archived
     where a.org_id = $1 and a.identity_id = any($2) order by a.date_created, a.id`,
    [orgId, identityIds],
  );
  const found = new Map<string, AssignedPermission[]>();
  for (const row of rows) {
    const assigned = found.get(row.identity_id) ?? [];
    assigned.push({
      permissionName: row.name,
      permissionId: row.permission_id,
      assignmentId: row.assignment_id,
      operations: row.grants_everything ? OPERATIONS : row.operations,
    });
    found.set(row.identity_id, assigned);
  }
  return found;
};
