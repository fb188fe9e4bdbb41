import { z } from "zod";
import { safeNumber } from "../columns.ts";
import type { Connection } from "../database.ts";

/** Ids of chain requests that wait behind others of their line and do not say so yet, the oldest first. */
export const listUntold = async (connection: Connection, limit: number): Promise<readonly string[]> => {
  const rows = await connection.rows(
    z.object({ id: z.string() }),
    "select id from due_requests where not is_head and not is_told and parked_at is null order by seq limit $1",
    [limit],
  );
  return rows.map(({ id }) => id);
};

/** Whether a request still waits behind others of its line. */
export const waitsInLine = async (connection: Connection, id: string): Promise<boolean> => {
  const rows = await connection.rows(
    z.object({ id: z.string() }),
    "select id from due_requests where id = $1 and not is_head",
    [id],
  );
  return rows.length > 0;
};

/** Has all that wait tell again: there is another reason. */
export const forgetTold = async (connection: Connection): Promise<void> => {
  await connection.execute("update due_requests set is_told = false where not is_head and is_told");
};

/** Notes that requests say why they wait. */
export const markTold = async (connection: Connection, ids: readonly string[]): Promise<void> => {
  await connection.execute("update due_requests set is_told = true where id = any($1)", [ids]);
};

/** How many requests of a lane there are, by what becomes of them now. */
export interface LaneCount {
  readonly lane: string;
  /** those that can be taken, or are */
  readonly due: number;
  /** those behind another one, or that are looked at again later */
  readonly waiting: number;
  readonly parked: number;
}

const countSchema = z.object({ lane: z.string(), due: safeNumber, waiting: safeNumber, parked: safeNumber });

/** Counts what is asked for and not carried out. */
export const countDueRequests = (connection: Connection): Promise<readonly LaneCount[]> =>
  connection.rows(
    countSchema,
    `select lane, (count(*) filter (where parked_at is null and is_head and (due_at <= now() or token is not null)))::text as due,
            (count(*) filter (where parked_at is null and not (is_head and (due_at <= now() or token is not null))))::text as waiting,
            (count(*) filter (where parked_at is not null))::text as parked
       from due_requests group by lane order by lane`,
  );
