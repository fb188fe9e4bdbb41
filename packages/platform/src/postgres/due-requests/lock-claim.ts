import { z } from "zod";
import type { Connection } from "../database.ts";
import type { Claim } from "./claim.ts";

/**
 * Locks a claim to the end of the transaction: no other process takes it over before the transaction's writes can be seen.
 *
 * @returns false if another process has taken it over, or it has ended
 */
export const lockClaim = async (
  connection: Connection,
  { id, token }: Pick<Claim, "id" | "token">,
): Promise<boolean> => {
  const locked = await connection.rows(
    z.object({ id: z.string() }),
    "select id from due_requests where id = $1 and token = $2 for no key update",
    [id, token],
  );
  return locked.length > 0;
};
