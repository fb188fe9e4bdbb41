import { type OrganisationId, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
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
