import { z } from "zod";
import { safeNumber } from "../columns.ts";
import type { Connection } from "../database.ts";
import { dueRequests } from "./due-request.ts";

const { columns: d } = dueRequests;

/** Ids of chain requests that wait behind others of their line, and whose records do not say so yet, the oldest first. */
export const listUnnoted = async (connection: Connection, limit: number): Promise<readonly string[]> => {
  const rows = await connection.rows(
    z.object({ id: z.string() }),
    `select id from due_requests where not ${d.isHead} and not ${d.isTold} and ${d.parkedAt} is null order by seq limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
};

/** Whether a request still waits behind others of its line. */
export const waitsInLine = async (connection: Connection, id: string): Promise<boolean> => {
  const rows = await connection.rows(
    z.object({ id: z.string() }),
    `select id from due_requests where id = $1 and not ${d.isHead}`,
    [id],
  );
  return rows.length > 0;
};

/** Clears the notes of all waiting requests, because the reason has changed and must be noted again. */
export const forgetNotes = async (connection: Connection): Promise<void> => {
  await connection.execute(
    `update due_requests set ${d.isTold} = false where not ${d.isHead} and ${d.isTold}`,
  );
};

/** Records that the requests' own records say why they wait. */
export const markNoted = async (connection: Connection, ids: readonly string[]): Promise<void> => {
  await connection.execute(`update due_requests set ${d.isTold} = true where id = any($1)`, [ids]);
};

const countSchema = z.object({
  lane: z.string(),
  /** requests that can be claimed or are claimed */
  due: safeNumber,
  /** requests behind another one, or due later */
  waiting: safeNumber,
  parked: safeNumber,
});

/** How many requests of a lane are due, waiting and parked. */
export type LaneCount = Readonly<z.output<typeof countSchema>>;

/** Counts the enqueued requests by lane. */
export const countDueRequests = (connection: Connection): Promise<readonly LaneCount[]> =>
  connection.rows(
    countSchema,
    `select lane, (count(*) filter (where ${d.parkedAt} is null and ${d.isHead} and (${d.dueAt} <= now() or token is not null)))::text as due,
            (count(*) filter (where ${d.parkedAt} is null and not (${d.isHead} and (${d.dueAt} <= now() or token is not null))))::text as waiting,
            (count(*) filter (where ${d.parkedAt} is not null))::text as parked
       from due_requests group by lane order by lane`,
  );
