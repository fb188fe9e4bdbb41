import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { plainTable } from "../table/table.ts";

export const spentChallenges = plainTable("spent_challenges", { id: z.uuid(), dateExpires: date });

/**
 * Consumes a challenge that is stored in its token only.
 * @param dateExpires when the token expires (ISO 8601 UTC); the use is remembered until then
 * @returns false if it was used before, also by a simultaneous request
 */
export const spendChallenge = (connection: Connection, id: string, dateExpires: string): Promise<boolean> =>
  spentChallenges.insert(connection, { id, dateExpires }, "on conflict do nothing");
