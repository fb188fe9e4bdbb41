import {
  type AssignmentId,
  type CreateAssignmentBody,
  fail,
  type OrganisationId,
  ok,
  type PermissionId,
  type Result,
  userGroupIdSchema,
  userIdSchema,
} from "@conclave/custody";
import {
  type Connection,
  identityExists,
  insertAssignment,
  keepsAdministrator,
  lockPermission,
  type Permission,
  type PermissionAssignment,
  readAssignment,
  readAssignmentOf,
} from "@conclave/platform";
import { roomForAssignment } from "../people/room.ts";

/** Locks a permission that may be assigned. @returns the permission; PermissionNotFound, or PermissionArchived */
const assignable = async (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
): Promise<Result<Permission>> => {
  const permission = await lockPermission(connection, orgId, permissionId);
  if (permission === undefined) return fail("PermissionNotFound", { permissionId, orgId });
  return permission.isArchived ? fail("PermissionArchived", { permissionId }) : ok(permission);
};

/** The assignment for a body: an existing one, or a new one that is not stored yet. */
export interface AskedAssignment {
  readonly assignment: PermissionAssignment;
  readonly isStored: boolean;
}

/**
 * Finds the assignment for a body, or makes one with this id. Locks the permission's row until the transaction ends.
 * Must run after `changeRights`.
 * @returns PermissionNotFound, PermissionArchived, GroupHoldsNoPermission, IdentityNotFound, TooManyAssignments or TooManyOperations
 */
export const askedAssignment = async (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
  { id, identityId }: CreateAssignmentBody & { readonly id: AssignmentId },
  date: string,
): Promise<Result<AskedAssignment>> => {
  const permission = await assignable(connection, orgId, permissionId);
  if (!permission.ok) return permission;
  if (userGroupIdSchema.safeParse(identityId).success) {
    return fail("GroupHoldsNoPermission", { userGroupId: identityId });
  }
  if (!(await identityExists(connection, orgId, identityId))) {
    return fail("IdentityNotFound", { identityId, orgId });
  }
  const known = await readAssignmentOf(connection, orgId, permissionId, identityId);
  if (known !== undefined) return ok({ assignment: known, isStored: true });
  const room = await roomForAssignment(connection, permission.value, identityId);
  if (!room.ok) return room;
  const assignment: PermissionAssignment = {
    id,
    orgId,
    permissionId,
    identityId,
    isImmutable: false,
    dateCreated: date,
    dateUpdated: date,
  };
  return ok({ assignment, isStored: false });
};

/** Stores an assignment; if another caller made the same one meanwhile, returns that one. */
export const storeAssignment = async (
  connection: Connection,
  assignment: PermissionAssignment,
): Promise<PermissionAssignment> => {
  if (await insertAssignment(connection, assignment)) return assignment;
  const { orgId, permissionId, identityId } = assignment;
  return (await readAssignmentOf(connection, orgId, permissionId, identityId)) ?? assignment;
};

/**
 * An assignment that may be revoked. Locks the permission's row until the transaction ends.
 * @returns AssignmentNotFound, AssignmentImmutable for one that the service made, or AdministratorNeeded
 */
export const revocableAssignment = async (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
  assignmentId: AssignmentId,
): Promise<Result<PermissionAssignment>> => {
  const permission = await lockPermission(connection, orgId, permissionId);
  const assignment = await readAssignment(connection, orgId, permissionId, assignmentId);
  if (permission === undefined || assignment === undefined) {
    return fail("AssignmentNotFound", { permissionId, assignmentId });
  }
  if (assignment.isImmutable) return fail("AssignmentImmutable", { assignmentId });
  const isNeeded = permission.grantsEverything && (await isLastAdministrator(connection, assignment));
  return isNeeded ? fail("AdministratorNeeded") : ok(assignment);
};

/**
 * Whether the assignment is that of the last administrator. Tokens and applications with all permissions do not count
 * as administrators, as no person would then be in charge.
 */
const isLastAdministrator = async (
  connection: Connection,
  { orgId, identityId }: PermissionAssignment,
): Promise<boolean> => {
  const user = userIdSchema.safeParse(identityId);
  return user.success && !(await keepsAdministrator(connection, orgId, user.data));
};
