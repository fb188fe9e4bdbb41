import {
  type ChangeRequest,
  fail,
  MOST_GROUP_MEMBERS,
  type OrganisationId,
  ok,
  type Result,
  type UserGroup,
  type UserGroupId,
  type UserId,
  userGroupIdSchema,
} from "@conclave/custody";
import {
  type Connection,
  deleteMembers,
  insertMembers,
  lockUserGroup,
  readMembersAmong,
  readUnknownPeople,
  updateUserGroup,
} from "@conclave/platform";
import { readInChange } from "../change-request/stored-change.ts";
import { type MemberChange, memberChangeOf } from "./member-change.ts";
import { judgeLeaving } from "./named-by.ts";

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

const judgeFit = async (
  connection: Connection,
  group: UserGroup,
  { kind, userIds }: MemberChange,
): Promise<Result<void>> => {
  if (kind === "Removed") return judgeLeaving(connection, group, userIds);
  return group.memberCount + userIds.length > MOST_GROUP_MEMBERS
    ? fail("TooManyMembers", { userGroupId: group.id, most: MOST_GROUP_MEMBERS })
    : ok(undefined);
};

/** A change of a group's members that may be made. */
export interface JudgedChange {
  readonly group: UserGroup;
  /** the people for whom it changes something: possibly nobody */
  readonly change: MemberChange;
}

/**
 * Judges a change of a group's members by the records. Locks the group's row until the transaction ends. Must run after
 * `changeRights`, so that of two changes the second sees the first.
 * @returns UserGroupNotFound, MemberUnknown, TooManyMembers or QuorumLost
 */
export const judgeMembers = async (
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
  if (change.userIds.length === 0) return ok({ group, change });
  const fits = await judgeFit(connection, group, change);
  return fits.ok ? ok({ group, change }) : fits;
};

/** Writes a judged change. */
export const storeMembers = async (
  connection: Connection,
  { group, change: { kind, userIds } }: JudgedChange,
  date: string,
): Promise<void> => {
  await (kind === "Added"
    ? insertMembers(connection, group, userIds, date)
    : deleteMembers(connection, group, userIds));
  await updateUserGroup(connection, { ...group, dateUpdated: date });
};

/** Makes an approved change of a group's members, judged by the records of now. */
export const applyMemberChange = async (
  connection: Connection,
  request: ChangeRequest,
  date: string,
): Promise<Result<JudgedChange>> => {
  const id = readInChange(request, "entity_id", userGroupIdSchema, request.entityId);
  const judged = await judgeMembers(connection, request.orgId, id, memberChangeOf(request));
  if (judged.ok) await storeMembers(connection, judged.value, date);
  return judged;
};
