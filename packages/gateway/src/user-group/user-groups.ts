import {
  type CreateUserGroupBody,
  fail,
  MOST_USER_GROUPS,
  type OrganisationId,
  ok,
  type Result,
  renamedGroup,
  type UpdateUserGroupBody,
  type UserGroup,
  type UserGroupId,
  userGroupIdSchema,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  changeRights,
  countUserGroups,
  deleteUserGroup,
  insertUserGroup,
  isGroupNameTaken,
  lockUserGroup,
  readUserGroup,
  updateUserGroup,
} from "@conclave/platform";
import { guardChange } from "../change-request/guard-change.ts";
import type { Dependencies } from "../dependencies.ts";
import { policiesBehind } from "./named-by.ts";

type Needed = Pick<Dependencies, "database" | "now" | "world">;

/** A group of the caller's organisation (INV-11). @returns UserGroupNotFound */
export const visibleGroup = async (
  connection: Connection,
  orgId: OrganisationId,
  userGroupId: UserGroupId,
): Promise<Result<UserGroup>> => {
  const group = await readUserGroup(connection, orgId, userGroupId);
  return group === undefined ? fail("UserGroupNotFound", { userGroupId, orgId }) : ok(group);
};

/** Makes a group without members. @returns TooManyUserGroups or UserGroupNameTaken */
export const createUserGroup = (
  { database, now, world }: Needed,
  { orgId }: Caller,
  { name, description }: CreateUserGroupBody,
): Promise<Result<UserGroup>> =>
  database.transaction(async (connection) => {
    // of two groups made at once the second counts the first
    await changeRights(connection, orgId);
    if ((await countUserGroups(connection, orgId)) >= MOST_USER_GROUPS) {
      return fail("TooManyUserGroups", { most: MOST_USER_GROUPS });
    }
    const date = now().toISOString();
    const id = world.freshId(userGroupIdSchema, "ug");
    const group = { id, orgId, name, description, memberCount: 0, dateCreated: date, dateUpdated: date };
    return (await insertUserGroup(connection, group)) ? ok(group) : fail("UserGroupNameTaken", { name });
  });

/**
 * Changes the name or the description of a group. A group that a policy names keeps its name: by it people know whom they
 * let approve.
 * @returns UserGroupNotFound, UserGroupNamed or UserGroupNameTaken
 */
export const renameUserGroup = (
  { database, now }: Needed,
  { orgId }: Caller,
  userGroupId: UserGroupId,
  body: UpdateUserGroupBody,
): Promise<Result<UserGroup>> =>
  database.transaction(async (connection) => {
    // of two groups that take one name the second sees the first
    await changeRights(connection, orgId);
    const group = await lockUserGroup(connection, orgId, userGroupId);
    if (group === undefined) return fail("UserGroupNotFound", { userGroupId, orgId });
    const changed = renamedGroup(group, body, now().toISOString());
    if (changed.name !== group.name) {
      const policyIds = await policiesBehind(connection, group);
      if (policyIds.length > 0) return fail("UserGroupNamed", { userGroupId, policyIds });
    }
    if (await isGroupNameTaken(connection, changed)) {
      return fail("UserGroupNameTaken", { name: changed.name });
    }
    await updateUserGroup(connection, changed);
    return ok(changed);
  });

/**
 * Deletes a group; its name can be used again. A group that a policy names stays: without it nobody could approve.
 * @returns UserGroupNotFound, UserGroupNamed, PermissionMissing, or ChangeRequestPending
 */
export const removeUserGroup = (
  dependencies: Needed & Pick<Dependencies, "prices">,
  caller: Caller,
  userGroupId: UserGroupId,
): Promise<Result<void>> =>
  dependencies.database.transaction(async (connection) => {
    const { orgId } = caller;
    await changeRights(connection, orgId);
    const group = await lockUserGroup(connection, orgId, userGroupId);
    if (group === undefined) return fail("UserGroupNotFound", { userGroupId, orgId });
    const policyIds = await policiesBehind(connection, group);
    if (policyIds.length > 0) return fail("UserGroupNamed", { userGroupId, policyIds });
    // judges the caller's right of this moment; no policy is asked about a group that none names
    const guarded = await guardChange(dependencies, connection, caller, {
      kind: "UserGroup",
      operationKind: "Delete",
      entityId: userGroupId,
      body: {},
      activity: { kind: "Policies:Modify", policyIds },
    });
    if (!guarded.ok) return guarded;
    await deleteUserGroup(connection, group);
    return ok(undefined);
  });
