import {
  type OrganisationId,
  organisationIdSchema,
  type UserGroup,
  type UserGroupId,
  userGroupIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { users } from "../people/users.ts";
import { listOf } from "../table/selection.ts";
import { mappedTable } from "../table/table.ts";
import { groupMembers } from "./members.ts";

const columns = {
  id: userGroupIdSchema,
  orgId: organisationIdSchema,
  name: z.string(),
  description: optional(z.string()),
  dateCreated: date,
  dateUpdated: date,
};
const rowSchema: z.ZodType<UserGroup> = z.object({ ...columns, memberCount: z.int() });

const { columns: m } = groupMembers;
const SELECT = `select ${listOf(columns, "g")},
    (select count(*)::int from user_group_members m join users u on u.id = m.${m.userId} and u.${users.columns.dateArchived} is null
      where m.${m.groupId} = g.id) as "memberCount"
  from user_groups g`;

const userGroups = mappedTable(
  "user_groups",
  columns,
  { row: rowSchema },
  {
    key: ["orgId", "id"],
    changing: ["name", "description", "dateUpdated"],
    joined: { select: SELECT, alias: "g" },
  },
);

/** Inserts a group without members. @returns false, and changes nothing, if the organisation has one of this name */
export const insertUserGroup = (connection: Connection, group: UserGroup): Promise<boolean> =>
  userGroups.insert(connection, group, "on conflict (org_id, name) do nothing");

export const readUserGroup = (
  connection: Connection,
  orgId: OrganisationId,
  id: UserGroupId,
): Promise<UserGroup | undefined> => userGroups.one(connection, { orgId, id });

/** Like readUserGroup, and locks the row until the transaction ends. */
export const lockUserGroup = (
  connection: Connection,
  orgId: OrganisationId,
  id: UserGroupId,
): Promise<UserGroup | undefined> => userGroups.one(connection, { orgId, id }, "for update");

/** Lists the groups of an organisation, newest first. */
export const listUserGroups = (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
): Promise<Listed<UserGroup>> => userGroups.page(connection, "g.org_id = $1", [orgId], page);

/** Writes the columns of a group that can change. @throws a unique violation if another group has the name */
export const updateUserGroup = async (connection: Connection, group: UserGroup): Promise<void> => {
  if (!(await userGroups.update(connection, group)))
    throw new Error(`${group.id} is not there to be updated`);
};

/** Whether another group of the organisation has this name. */
export const isGroupNameTaken = async (
  connection: Connection,
  { orgId, id, name }: Pick<UserGroup, "orgId" | "id" | "name">,
): Promise<boolean> => {
  const other = await userGroups.one(connection, { orgId, name });
  return other !== undefined && other.id !== id;
};

/** Deletes a group and its memberships. */
export const deleteUserGroup = async (
  connection: Connection,
  { orgId, id }: Pick<UserGroup, "orgId" | "id">,
): Promise<void> => {
  await connection.execute("delete from user_groups where org_id = $1 and id = $2", [orgId, id]);
};

export const countUserGroups = async (connection: Connection, orgId: OrganisationId): Promise<number> => {
  const [found] = await connection.rows(
    z.object({ count: z.int() }),
    "select count(*)::int as count from user_groups where org_id = $1",
    [orgId],
  );
  return found?.count ?? 0;
};

const idSchema = z.object({ id: userGroupIdSchema });

/** Returns the ids that are no groups of the organisation. */
export const readUnknownGroups = async (
  connection: Connection,
  orgId: OrganisationId,
  ids: readonly UserGroupId[],
): Promise<readonly UserGroupId[]> => {
  if (ids.length === 0) return [];
  const unknown = await connection.rows(
    idSchema,
    `select distinct asked.id from unnest($2::text[]) asked(id)
     where not exists (select from user_groups g where g.org_id = $1 and g.id = asked.id)`,
    [orgId, ids],
  );
  return unknown.map(({ id }) => id);
};
