import {
  fail,
  MOST_GROUP_MEMBERS,
  type OrganisationId,
  ok,
  type Result,
  type UserGroup,
  type UserGroupId,
  type UserId,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  changeRights,
  deleteMembers,
  insertMembers,
  lockUserGroup,
  readMembersAmong,
  readUnknownPeople,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/** A change of a group's members. */
export interface MemberChange {
  readonly kind: "Added" | "Removed";
  readonly userIds: readonly UserId[];
}

/** A change without the people for whom it would change nothing. */
const effectOf = async (
  connection: Connection,
  group: UserGroup,
  { kind, userIds }: MemberChange,
): Promise<MemberChange> => {
  const members = await readMembersAmong(connection, group, userIds);
  const differs = (userId: UserId): boolean => members.has(userId) === (kind === "Removed");
  return { kind, userIds: [...new Set(userIds)].filter(differs) };
};

/** Somebody who was archived since can be removed, and not added. */
const judgeKnown = async (
  connection: Connection,
  orgId: OrganisationId,
  { kind, userIds: asked }: MemberChange,
): Promise<Result<void>> => {
  const archived = kind === "Removed" ? "included" : "left out";
  const userIds = await readUnknownPeople(connection, orgId, asked, archived);
  return userIds.length > 0 ? fail("MemberUnknown", { userIds }) : ok(undefined);
};

/** A change of a group's members that may be made. */
export interface JudgedChange {
  readonly group: UserGroup;
  /** the people for whom it changes something */
  readonly change: MemberChange;
}

/**
 * Judges a change of a group's members by the records. Locks the group's row until the transaction ends. Must run after
 * `changeRights`, so that of two changes the second sees the first.
 * @returns UserGroupNotFound, MemberUnknown or TooManyMembers
 */
const judgeMembers = async (
  connection: Connection,
  orgId: OrganisationId,
  userGroupId: UserGroupId,
  asked: MemberChange,
): Promise<Result<JudgedChange>> => {
  const group = await lockUserGroup(connection, orgId, userGroupId);
  if (group === undefined) return fail("UserGroupNotFound", { userGroupId, orgId });
  const known = await judgeKnown(connection, orgId, asked);
  if (!known.ok) return known;
  const change = await effectOf(connection, group, asked);
  const isFull = change.kind === "Added" && group.memberCount + change.userIds.length > MOST_GROUP_MEMBERS;
  return isFull ? fail("TooManyMembers", { userGroupId, most: MOST_GROUP_MEMBERS }) : ok({ group, change });
};

const storeMembers = async (
  connection: Connection,
  { group, change: { kind, userIds } }: JudgedChange,
  date: string,
): Promise<void> => {
  await (kind === "Added"
    ? insertMembers(connection, group, userIds, date)
    : deleteMembers(connection, group, userIds));
};

/**
 * Adds people to a group, or removes people from it. Members that are there already, and people that are not, stay so.
 * @returns UserGroupNotFound, MemberUnknown or TooManyMembers, and then changes nothing
 */
export const changeMembers = (
  { database, now }: Pick<Dependencies, "database" | "now">,
  { orgId }: Caller,
  userGroupId: UserGroupId,
  asked: MemberChange,
): Promise<Result<void>> =>
  database.transaction(async (connection) => {
    await changeRights(connection, orgId);
    const judged = await judgeMembers(connection, orgId, userGroupId, asked);
    if (!judged.ok) return judged;
    await storeMembers(connection, judged.value, now().toISOString());
    return ok(undefined);
  });
