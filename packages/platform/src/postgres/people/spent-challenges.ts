import type { Connection } from "../database.ts";

/**
 * Consumes a challenge that is stored in its token only.
 * @param dateExpires when the token expires (ISO 8601 UTC); the use is remembered until then
 * @returns false if it was used before, also by a simultaneous request
 */
export const spendChallenge = async (
  connection: Connection,
  id: string,
  dateExpires: string,
): Promise<boolean> =>
  (await connection.execute(
    "insert into spent_challenges (id, date_expires) values ($1, $2) on conflict do nothing",
    [id, dateExpires],
  )) === 1;
