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

/** The caller who assigns a permission, with the caller's own rights. */
export interface Giver {
  readonly caller: Pick<Caller, "orgId" | "userId">;
  readonly principal: Principal;
}

/**
 * Whether a caller may assign a permission: nobody may assign more than they hold, or a caller who may assign could
 * obtain every permission.
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

/**
 * The same for the operations that a change adds to a permission; for a permission that is no longer archived, for all
 * of its operations.
 */
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
 * Refuses a narrowed token, which has only a part of its user's permissions: a token or credential that it makes would
 * have all of them.
 * @returns TokenNarrowed
 */
export const judgeWhole = ({ isNarrowed }: Principal): Result<void> =>
  isNarrowed ? fail("TokenNarrowed") : ok(undefined);

/**
 * Judges whether a caller may make a token. A narrowed token may only make tokens that are as narrow. @returns
 * TokenNarrowed too
 */
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

/** All operations that these identities hold together. */
const heldBy = async (
  connection: Connection,
  { orgId }: Giver["caller"],
  identityIds: readonly string[],
): Promise<readonly Operation[]> => {
  const assigned = await readAssignedPermissions(connection, orgId, identityIds);
  return [...assigned.values()].flat().flatMap(({ operations }) => operations);
};

/**
 * Whether a caller may reactivate a deactivated identity, judged as if its permissions were assigned now.
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
 * Whether a caller may reactivate one of its own tokens: a narrowed token may only reactivate tokens that it could
 * make.
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
 * Whether a caller may vouch for an end user, by logging in or registering them. The caller must itself hold every
 * right of the end user beyond those that all end users have.
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
 * Whether an assignment may be revoked. A token without any assignment may do nothing, but a gateway of the previous
 * version, which runs beside this one during an upgrade, gives it all permissions of its user. So a caller who revokes
 * a token's last assignment must hold these permissions itself, as if it assigned them.
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
