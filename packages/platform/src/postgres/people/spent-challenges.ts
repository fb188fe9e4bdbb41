import type { Connection } from "../database.ts";

/**
 * Uses a challenge up that is a token and has no row of its own.
 * @param dateExpires when the token expires (ISO 8601 UTC); it is remembered that long
 * @returns false when it was used before, also by a request at the same moment
 */
export const spendChallenge = async (
  connection: Connection,
  id: string,
  dateExpires: string,
): Promise<boolean> => {
  await connection.execute("delete from spent_challenges where date_expires < now() - interval '1 hour'");
  return (
    (await connection.execute(
      "insert into spent_challenges (id, date_expires) values ($1, $2) on conflict do nothing",
      [id, dateExpires],
    )) === 1
  );
};
