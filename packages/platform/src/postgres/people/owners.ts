import { type OrganisationId, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";

const rowSchema = z.object({ id: userIdSchema }).transform(({ id }) => id);

/** Whose keys and wallets a list is asked for, when an id or a username names the user. */
export const findOwner = async (
  connection: Connection,
  orgId: OrganisationId,
  idOrUsername: string,
): Promise<UserId | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    // ids stay when a user is archived, and so do the user's keys; a username may belong to another one by then
    "select id from users where org_id = $1 and (id = $2 or (username = $2 and date_archived is null)) limit 1",
    [orgId, idOrUsername],
  );
  return found;
};
