import {
  type AssignmentId,
  OPERATIONS,
  type Operation,
  type OrganisationId,
  type PermissionId,
} from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { listOf } from "../table/selection.ts";
import { assignments } from "./permission-assignments.ts";
import { permissions } from "./permissions.ts";

/** A permission that an identity has, as the views of people and tokens show it (service interface, PermissionAssignment). */
export interface AssignedPermission {
  readonly permissionName: string;
  readonly permissionId: PermissionId;
  readonly assignmentId: AssignmentId;
  readonly operations: readonly Operation[];
}

const { columns: a, shape: assigned } = assignments;
const { columns: p, shape } = permissions;
const ofAssignment = { identityId: assigned.identityId, permissionId: assigned.permissionId };
const ofPermission = {
  name: shape.name,
  grantsEverything: shape.grantsEverything,
  operations: shape.operations,
};
const rowSchema = z.object({ ...ofAssignment, ...ofPermission, assignmentId: assigned.id });

/** Reads the permissions of each of these identities, by identity id. Archived permissions grant nothing and are left out. */
export const readAssignedPermissions = async (
  connection: Connection,
  orgId: OrganisationId,
  identityIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AssignedPermission[]>> => {
  const rows = await connection.rows(
    rowSchema,
    `select ${listOf(ofAssignment, "a")}, ${listOf(ofPermission, "p")}, a.id as "assignmentId"
     from permission_assignments a join permissions p on p.id = a.${a.permissionId} and not p.${p.isArchived}
     where a.${a.orgId} = $1 and a.${a.identityId} = any($2) order by a.${a.dateCreated}, a.id`,
    [orgId, identityIds],
  );
  const found = new Map<string, AssignedPermission[]>();
  for (const row of rows) {
    const assigned = found.get(row.identityId) ?? [];
    assigned.push({
      permissionName: row.name,
      permissionId: row.permissionId,
      assignmentId: row.assignmentId,
      operations: row.grantsEverything ? OPERATIONS : row.operations,
    });
    found.set(row.identityId, assigned);
  }
  return found;
};
