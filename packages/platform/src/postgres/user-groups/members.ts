import {
  type OrganisationId,
  organisationIdSchema,
  type UserGroup,
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
