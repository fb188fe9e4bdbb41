import {
  type AssignmentId,
  END_USER_OPERATIONS,
  fail,
  OPERATIONS,
  type Operation,
  ok,
  type PermissionId,
  type Result,
  type TokenId,
  tokenIdSchema,
  type UpdatePermissionBody,
  type UserId,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  type Principal,
  readAccessToken,
  readAssignedPermissions,
  readAssignment,
} from "@conclave/platform";
import { judgeNeeds } from "./granted.ts";
import { visiblePermission } from "./permissions.ts";

/** The caller who assigns a permission, with its own rights. */
export interface Giver {
  readonly caller: Pick<Caller, "orgId" | "userId">;
  readonly principal: Principal;
}

/**
 * Whether a caller may have a permission assigned: nobody assigns more than they hold, or a caller who may
 * assign anything could give itself everything.
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
 * Refuses a token with only a part of its user's permissions: a token or a credential that it makes would have the rest as well.
 * @returns TokenNarrowed
 */
export const judgeWhole = ({ isNarrowed }: Principal): Result<void> =>
  isNarrowed ? fail("TokenNarrowed") : ok(undefined);

/** Judges whether a caller may make a token. A narrowed token makes only tokens that are as narrow. @returns TokenNarrowed too */
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

/** The grants of these identities, all together. */
const heldBy = async (
  connection: Connection,
  { orgId }: Giver["caller"],
  identityIds: readonly string[],
): Promise<readonly Operation[]> => {
  const assigned = await readAssignedPermissions(connection, orgId, identityIds);
  return [...assigned.values()].flat().flatMap(({ operations }) => operations);
};

/**
 * Whether a caller may let somebody act again who was deactivated: judged as if what they hold were handed out now.
 * @param identityIds of the user, service account or application
 * @returns PermissionMissing with an operation that the caller does not hold
 */
export const judgeRevival = async (
  connection: Connection,
  { caller, principal }: Giver,
  identityIds: readonly string[],
): Promise<Result<void>> =>
  judgeNeeds(principal, caller.userId, await heldBy(connection, caller, identityIds));

/**
 * Whether a caller may let one of its own tokens be used again: a narrowed token revives only such as it could make.
 * @returns TokenNarrowed, or PermissionMissing
 */
export const judgeRevivedToken = async (
  connection: Connection,
  giver: Giver,
  tokenId: TokenId,
): Promise<Result<void>> => {
  if (!giver.principal.isNarrowed) return ok(undefined);
  const token = await readAccessToken(connection, giver.caller.orgId, tokenId);
  if (token?.isNarrowed === false) return judgeWhole(giver.principal);
  return judgeRevival(connection, giver, [tokenId]);
};

/**
 * Whether a caller may speak for an end user, whom it logs in or registers. It vouches for the rights of every
 * end user; the rights of this one beyond them are assigned to the caller.
 * @returns PermissionMissing
 */
export const judgeVouching = async (
  connection: Connection,
  { caller, principal }: Giver,
  userId: UserId,
): Promise<Result<void>> => {
  const held = await heldBy(connection, caller, [userId]);
  const beyond = held.filter((operation) => !END_USER_OPERATIONS.includes(operation));
  return judgeNeeds(principal, caller.userId, beyond);
};

/**
 * Whether an assignment may be revoked. A token without any may do nothing, but a gateway of the version before, as it runs beside
 * this one during an upgrade, takes it for all that its user may do. So a caller who revokes a token's last one
 * must hold that themselves, as if they assigned it.
 * @returns TokenNarrowed, or PermissionMissing
 */
export const judgeTakingBack = async (
  connection: Connection,
  { caller, principal }: Giver,
  permissionId: PermissionId,
  assignmentId: AssignmentId,
): Promise<Result<void>> => {
  const assignment = await readAssignment(connection, caller.orgId, permissionId, assignmentId);
  const tokenId = tokenIdSchema.safeParse(assignment?.identityId);
  if (!tokenId.success) return ok(undefined);
  if (principal.isNarrowed) return judgeWhole(principal);
  const token = await readAccessToken(connection, caller.orgId, tokenId.data);
  if (token === undefined) return ok(undefined);
  const assigned = await readAssignedPermissions(connection, caller.orgId, [token.id]);
  const isLast = (assigned.get(token.id) ?? []).every((each) => each.assignmentId === assignmentId);
  const behind = token.appId === undefined ? [token.userId] : [token.userId, token.appId];
  return isLast ? judgeRevival(connection, { caller, principal }, behind) : ok(undefined);
};
