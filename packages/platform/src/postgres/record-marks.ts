import { z } from "zod";
import { bigNumber, date } from "./columns.ts";
import type { Connection } from "./database.ts";
import { plainTable } from "./table/table.ts";

/** A mark that was written, and the time. */
export interface PutMark {
  readonly mark: bigint;
  /** Unix ms, by the database's clock */
  readonly nowMs: number;
}

export const recordMarks = plainTable("record_marks", {
  process: z.string(),
  mark: bigNumber,
  dateMarked: date,
});

const putSchema = z.object({ mark: bigNumber, nowMs: z.string().transform(Number) });

/**
 * Writes the next mark of a process: the stored one plus one, or 1 if there is none.
 *
 * @param process fresh random, a UUID
 */
export const markRecords = async (
  connection: Pick<Connection, "rows">,
  process: string,
): Promise<PutMark> => {
  const [put] = await connection.rows(
    putSchema,
    `insert into record_marks (process, mark, date_marked) values ($1, 1, now())
     on conflict (process) do update set mark = record_marks.mark + 1, date_marked = now()
     returning mark, floor(extract(epoch from now()) * 1000)::text as "nowMs"`,
    [process],
  );
  if (put === undefined) throw new Error("a mark that was put is not told");
  return put;
};
