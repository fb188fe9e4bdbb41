import { type OrganisationId, type PeopleBehind, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import { userMarks, users } from "../people/users.ts";
import { readMemberships } from "../user-groups/members.ts";

const { columns: u } = users;

/** Returns the ids that are not, or no longer, users of the organisation. */
export const readUnknownUsers = async (
  connection: Connection,
  orgId: OrganisationId,
  ids: readonly UserId[],
): Promise<readonly UserId[]> => {
  if (ids.length === 0) return [];
  const unknown = await connection.rows(
    z.object({ id: userIdSchema }),
    `select distinct asked.id from unnest($2::text[]) asked(id)
     where not exists (
       select 1 from users u where u.${u.orgId} = $1 and u.id = asked.id and u.${u.dateArchived} is null)`,
    [orgId, ids],
  );
  return unknown.map(({ id }) => id);
};

const behind = z.object({ id: userIdSchema, maker: optional(userIdSchema), isHere: z.boolean() });

/**
 * Reads the person behind each of these users, whether the user is still there, and the user's groups. Call it while holding the
 * organisation's rights.
 */
export const readPeopleBehind = async (
  connection: Connection,
  orgId: OrganisationId,
  ids: readonly UserId[],
): Promise<PeopleBehind> => {
  const rows = await connection.rows(
    behind,
    `select id, ${userMarks.columns.madeBy} as maker, ${u.isActive} and ${u.dateArchived} is null as "isHere" from users
     where ${u.orgId} = $1 and id = any($2)`,
    [orgId, ids],
  );
  return {
    memberships: await readMemberships(connection, orgId, ids),
    makers: new Map(rows.flatMap(({ id, maker }) => (maker === undefined ? [] : [[id, maker]]))),
    gone: new Set(rows.filter(({ isHere }) => !isHere).map(({ id }) => id)),
  };
};
