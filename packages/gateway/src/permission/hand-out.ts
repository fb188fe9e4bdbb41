import {
  type AssignmentId,
  fail,
  OPERATIONS,
  ok,
  type PermissionId,
  type Result,
  type UpdatePermissionBody,
} from "@conclave/custody";
import { type Caller, type Connection, type Principal, readAssignment } from "@conclave/platform";
import { judgeNeeds } from "./granted.ts";
import { visiblePermission } from "./permissions.ts";

/** Who hands something out, and what it may do itself. */
export interface Giver {
  readonly caller: Caller;
  readonly principal: Principal;
}

/**
 * Whether a caller may have a permission assigned: nobody hands out more than they hold, or whoever may assign anything could
 * give itself everything.
 * @returns PermissionNotFound, or PermissionMissing with an operation that the caller does not hold
 */
export const judgeHandOut = async (
  connection: Connection,
  { caller, principal }: Giver,
  permissionId: PermissionId | undefined,
): Promise<Result<void>> => {
  if (permissionId === undefined) return ok(undefined);
  const permission = await visiblePermission(connection, caller, permissionId);
  if (!permission.ok) return permission;
  const { grantsEverything, operations } = permission.value;
  return judgeNeeds(principal, caller.userId, grantsEverything ? OPERATIONS : operations);
};

/** The same of what a change adds to a permission, and of all that one grants again which is no longer archived. */
export const judgeGain = async (
  connection: Connection,
  { caller, principal }: Giver,
  permissionId: PermissionId,
  change: UpdatePermissionBody & { readonly isArchived?: boolean },
): Promise<Result<void>> => {
  const permission = await visiblePermission(connection, caller, permissionId);
  if (!permission.ok) return permission;
  const { operations, isArchived } = permission.value;
  const added = change.operations?.filter((each) => !operations.includes(each)) ?? [];
  const revived = isArchived && change.isArchived === false ? operations : [];
  return judgeNeeds(principal, caller.userId, [...added, ...revived]);
};

/**
 * A token that holds a part of what its user may do does not come to the rest by way of its user: by a token or a credential
 * that it makes. @returns TokenNarrowed
 */
export const judgeWhole = ({ isNarrowed }: Principal): Result<void> =>
  isNarrowed ? fail("TokenNarrowed") : ok(undefined);

/** Whether a token may be made: a narrowed one makes only such as are as narrow. @returns TokenNarrowed too */
export const judgeNewToken = async (
  connection: Connection,
  giver: Giver,
  permissionId: PermissionId | undefined,
): Promise<Result<void>> => {
  if (!giver.principal.isNarrowed) return ok(undefined);
  return permissionId === undefined
    ? judgeWhole(giver.principal)
    : judgeHandOut(connection, giver, permissionId);
};

/** Whether an assignment may be revoked: a token without any may do all that its user may. @returns TokenNarrowed */
export const judgeTakingBack = async (
  connection: Connection,
  { caller, principal }: Giver,
  permissionId: PermissionId,
  assignmentId: AssignmentId,
): Promise<Result<void>> => {
  if (!principal.isNarrowed) return ok(undefined);
  const assignment = await readAssignment(connection, caller.orgId, permissionId, assignmentId);
  return assignment?.identityId.startsWith("to-") === true ? judgeWhole(principal) : ok(undefined);
};
