import { type OrganisationId, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { users } from "./users.ts";

const { columns: u } = users;

const rowSchema = z.object({ id: userIdSchema }).transform(({ id }) => id);

/** Finds the user by whose keys or wallets a list is filtered, by id or username. */
export const findOwner = async (
  connection: Connection,
  orgId: OrganisationId,
  idOrUsername: string,
): Promise<UserId | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    // an archived user keeps the id and the keys; the username may belong to another user by now
    `select id from users
     where ${u.orgId} = $1 and (id = $2 or (username = $2 and ${u.dateArchived} is null)) limit 1`,
    [orgId, idOrUsername],
  );
  return found;
};
