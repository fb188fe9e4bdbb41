import { type OrganisationId, type PeopleBehind, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { optional } from "../columns.ts";
import type { Connection } from "../database.ts";

/** Returns those of the ids that are not, or no longer, users of the organisation. */
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
       select 1 from users u where u.org_id = $1 and u.id = asked.id and u.date_archived is null)`,
    [orgId, ids],
  );
  return unknown.map(({ id }) => id);
};

const behindSchema = z.object({ id: userIdSchema, made_by: optional(userIdSchema), is_here: z.boolean() });

/** Reads who stands behind these users, and who of them has left. Call it while the organisation's rights are held. */
export const readPeopleBehind = async (
  connection: Connection,
  orgId: OrganisationId,
  ids: readonly UserId[],
): Promise<PeopleBehind> => {
  const rows = await connection.rows(
    behindSchema,
    `select id, made_by, is_active and date_archived is null as is_here from users
     where org_id = $1 and id = any($2)`,
    [orgId, ids],
  );
  return {
    makers: new Map(rows.flatMap(({ id, made_by: maker }) => (maker === undefined ? [] : [[id, maker]]))),
    gone: new Set(rows.filter(({ is_here: isHere }) => !isHere).map(({ id }) => id)),
  };
};
