import {
  type AssignmentId,
  assignmentIdSchema,
  type CreateAssignmentBody,
  fail,
  ok,
  type PermissionId,
  type Result,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  freshId,
  identityExists,
  insertAssignment,
  listAssignments,
  lockPermission,
  type PermissionAssignment,
  readAssignment,
  readAssignmentOf,
} from "@conclave/platform";
import { visiblePermission } from "./permissions.ts";

/**
 * The assignment that a body asks for, not stored yet; the one that is there when the identity has the permission already.
 * @returns PermissionNotFound, PermissionArchived, or IdentityNotFound
 */
export const askedAssignment = async (
  connection: Connection,
  caller: Caller,
  permissionId: PermissionId,
  { identityId }: CreateAssignmentBody,
  date: string,
): Promise<Result<PermissionAssignment>> => {
  const permission = await visiblePermission(connection, caller, permissionId);
  if (!permission.ok) return permission;
  if (permission.value.isArchived) return fail("PermissionArchived", { permissionId });
  if (!(await identityExists(connection, caller.orgId, identityId))) {
    return fail("IdentityNotFound", { identityId, orgId: caller.orgId });
  }
  const known = await readAssignmentOf(connection, caller.orgId, permissionId, identityId);
  if (known !== undefined) return ok(known);
  return ok({
    id: freshId(assignmentIdSchema, "as"),
    orgId: caller.orgId,
    permissionId,
    identityId,
    isImmutable: false,
    dateCreated: date,
    dateUpdated: date,
  });
};

/** Stores an assignment; when somebody else assigned the same meanwhile, theirs is the answer. */
export const storeAssignment = async (
  connection: Connection,
  assignment: PermissionAssignment,
): Promise<PermissionAssignment> => {
  if (await insertAssignment(connection, assignment)) return assignment;
  const { orgId, permissionId, identityId } = assignment;
  return (await readAssignmentOf(connection, orgId, permissionId, identityId)) ?? assignment;
};

/**
 * An assignment that may be revoked.
 * @returns AssignmentNotFound, AssignmentImmutable for one that the service made, or AdministratorNeeded
 */
export const revocableAssignment = async (
  connection: Connection,
  { orgId }: Pick<Caller, "orgId">,
  permissionId: PermissionId,
  assignmentId: AssignmentId,
): Promise<Result<PermissionAssignment>> => {
  const assignment = await readAssignment(connection, orgId, permissionId, assignmentId);
  if (assignment === undefined) return fail("AssignmentNotFound", { permissionId, assignmentId });
  if (assignment.isImmutable) return fail("AssignmentImmutable", { assignmentId });
  return (await isLastAdministrator(connection, assignment)) ? fail("AdministratorNeeded") : ok(assignment);
};

/** The permission's row is held meanwhile, so that two last ones are not revoked at once. */
const isLastAdministrator = async (
  connection: Connection,
  { orgId, permissionId }: PermissionAssignment,
): Promise<boolean> => {
  const permission = await lockPermission(connection, orgId, permissionId);
  if (permission?.grantsEverything !== true) return false;
  return (await listAssignments(connection, orgId, permissionId, { limit: 2 })).length < 2;
};
