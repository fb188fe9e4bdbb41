import { z } from "zod";
import { safeNumber } from "../columns.ts";
import type { Connection } from "../database.ts";
import { dueRequests } from "./due-request.ts";

const { columns: d } = dueRequests;

/** Ids of chain requests that wait behind others of their line and do not say so yet, the oldest first. */
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

/** Has all that wait tell again: there is another reason. */
export const forgetNotes = async (connection: Connection): Promise<void> => {
  await connection.execute(
    `update due_requests set ${d.isTold} = false where not ${d.isHead} and ${d.isTold}`,
  );
};

/** Notes that requests say why they wait. */
export const markNoted = async (connection: Connection, ids: readonly string[]): Promise<void> => {
  await connection.execute(`update due_requests set ${d.isTold} = true where id = any($1)`, [ids]);
};

const countSchema = z.object({
  lane: z.string(),
  /** those that can be taken, or are */
  due: safeNumber,
  /** those behind another one, or that are looked at again later */
  waiting: safeNumber,
  parked: safeNumber,
});

/** How many requests of a lane there are, by what becomes of them now. */
export type LaneCount = Readonly<z.output<typeof countSchema>>;

/** Counts what is asked for and not carried out. */
export const countDueRequests = (connection: Connection): Promise<readonly LaneCount[]> =>
  connection.rows(
    countSchema,
    `select lane, (count(*) filter (where ${d.parkedAt} is null and ${d.isHead} and (${d.dueAt} <= now() or token is not null)))::text as due,
            (count(*) filter (where ${d.parkedAt} is null and not (${d.isHead} and (${d.dueAt} <= now() or token is not null))))::text as waiting,
            (count(*) filter (where ${d.parkedAt} is not null))::text as parked
       from due_requests group by lane order by lane`,
  );
