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
import type { Dependencies } from "../dependencies.ts";

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
 * Changes the name or the description of a group. Neither decides who approves, so no policy is asked.
 * @returns UserGroupNotFound or UserGroupNameTaken
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
    if (await isGroupNameTaken(connection, changed)) {
      return fail("UserGroupNameTaken", { name: changed.name });
    }
    await updateUserGroup(connection, changed);
    return ok(changed);
  });

/** Deletes a group; its name can be used again. @returns UserGroupNotFound */
export const removeUserGroup = (
  { database }: Needed,
  { orgId }: Caller,
  userGroupId: UserGroupId,
): Promise<Result<void>> =>
  database.transaction(async (connection) => {
    await changeRights(connection, orgId);
    const group = await lockUserGroup(connection, orgId, userGroupId);
    if (group === undefined) return fail("UserGroupNotFound", { userGroupId, orgId });
    await deleteUserGroup(connection, group);
    return ok(undefined);
  });
