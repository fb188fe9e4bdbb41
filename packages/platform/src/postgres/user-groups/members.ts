import {
  type OrganisationId,
  organisationIdSchema,
  type UserGroup,
  type UserGroupId,
  type UserId,
  userGroupIdSchema,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { applications } from "../people/applications.ts";
import { type User, users } from "../people/users.ts";
import { plainTable } from "../table/table.ts";

export const groupMembers = plainTable("user_group_members", {
  groupId: userGroupIdSchema,
  userId: userIdSchema,
  orgId: organisationIdSchema,
  dateAdded: date,
});

const { columns: u } = users;
const idSchema = z.object({ id: userIdSchema });
const membershipSchema = z.object({ userId: userIdSchema, groupId: userGroupIdSchema });

/** The key of a group. */
type Group = Pick<UserGroup, "orgId" | "id">;

/** Adds members; those that are members already stay. Must run after `changeRights`. */
export const insertMembers = async (
  connection: Connection,
  { orgId, id }: Group,
  userIds: readonly UserId[],
  dateAdded: string,
): Promise<void> => {
  await connection.execute(
    `insert into user_group_members (group_id, org_id, user_id, date_added)
     select $1, $2, unnest($3::text[]), $4 on conflict do nothing`,
    [id, orgId, userIds, dateAdded],
  );
};

/** Removes members. Must run after `changeRights`. */
export const deleteMembers = async (
  connection: Connection,
  { orgId, id }: Group,
  userIds: readonly UserId[],
): Promise<void> => {
  await connection.execute(
    "delete from user_group_members where group_id = $1 and org_id = $2 and user_id = any($3::text[])",
    [id, orgId, userIds],
  );
};

/** Returns which of these users are members of a group, archived ones too. */
export const readMembersAmong = async (
  connection: Connection,
  { orgId, id }: Group,
  userIds: readonly UserId[],
): Promise<ReadonlySet<UserId>> => {
  const rows = await connection.rows(
    idSchema,
    "select user_id as id from user_group_members where group_id = $1 and org_id = $2 and user_id = any($3::text[])",
    [id, orgId, userIds],
  );
  return new Set(rows.map((row) => row.id));
};

/** Lists the members of a group that are not archived, in the order of the list of users: newest first. */
export const listMembers = (
  connection: Connection,
  { orgId, id }: Group,
  page: Page,
): Promise<Listed<User>> =>
  users.page(
    connection,
    `${u.orgId} = $1 and ${u.dateArchived} is null
       and exists (select from user_group_members m where m.group_id = $2 and m.user_id = users.id)`,
    [orgId, id],
    page,
  );

/**
 * Returns the ids that are no people of the organisation: those of nobody, of service accounts, and of the users as which
 * applications act.
 *
 * @param archived whether archived people count as people of the organisation
 */
export const readUnknownPeople = async (
  connection: Connection,
  orgId: OrganisationId,
  ids: readonly UserId[],
  archived: "included" | "left out",
): Promise<readonly UserId[]> => {
  const unknown = await connection.rows(
    idSchema,
    `select distinct asked.id from unnest($2::text[]) asked(id)
     where not exists (
       select from users u where u.${u.orgId} = $1 and u.id = asked.id and not u.${u.isServiceAccount}
         and (u.${u.dateArchived} is null or $3)
         and not exists (select from applications a where a.${applications.columns.userId} = u.id))`,
    [orgId, ids, archived === "included"],
  );
  return unknown.map(({ id }) => id);
};

/**
 * Reads the groups of each of these users. Call it while holding the organisation's rights: nobody joins or leaves a group
 * meanwhile.
 */
export const readMemberships = async (
  connection: Connection,
  orgId: OrganisationId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, ReadonlySet<UserGroupId>>> => {
  const rows = await connection.rows(
    membershipSchema,
    `select user_id as "userId", group_id as "groupId" from user_group_members
     where org_id = $1 and user_id = any($2::text[])`,
    [orgId, userIds],
  );
  const found = new Map<UserId, Set<UserGroupId>>();
  for (const { userId, groupId } of rows) found.set(userId, (found.get(userId) ?? new Set()).add(groupId));
  return found;
};

/** People who are about to leave a group. */
export interface Leaving {
  readonly groupId: UserGroupId;
  readonly userIds: readonly UserId[];
}

/**
 * Reads the active members of each of these groups, without those who are deactivated or archived, or have registered no
 * credential yet and so cannot vote.
 *
 * @param most of each group: no quorum counts more people
 * @param leaving those who are left out
 */
export const readActiveMembers = async (
  connection: Connection,
  orgId: OrganisationId,
  groupIds: readonly UserGroupId[],
  most: number,
  leaving?: Leaving,
): Promise<ReadonlyMap<UserGroupId, ReadonlySet<UserId>>> => {
  const rows = await connection.rows(
    membershipSchema,
    `select asked.id as "groupId", found."userId" from unnest($2::text[]) asked(id)
     cross join lateral (
       select u.id as "userId" from user_group_members m join users u on u.id = m.user_id
       where m.group_id = asked.id and m.org_id = $1 and u.${u.isActive} and u.${u.isRegistered} and u.${u.dateArchived} is null
         and not (m.group_id = $4 and m.user_id = any($5::text[]))
       limit $3) found`,
    [orgId, [...new Set(groupIds)], most, leaving?.groupId ?? "", leaving?.userIds ?? []],
  );
  const found = new Map<UserGroupId, Set<UserId>>();
  for (const { userId, groupId } of rows) found.set(groupId, (found.get(groupId) ?? new Set()).add(userId));
  return found;
};
