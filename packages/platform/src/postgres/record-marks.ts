import { z } from "zod";
import { bigNumber } from "./columns.ts";
import type { Connection } from "./database.ts";

/** A mark as it was put. */
export interface PutMark {
  readonly mark: bigint;
  /** Unix ms, by the database's clock */
  readonly nowMs: number;
}

const putSchema = z
  .object({ mark: bigNumber, now_ms: z.string() })
  .transform(({ mark, now_ms }): PutMark => ({ mark, nowMs: Number(now_ms) }));

/**
 * Puts the next mark of a process: one more than the records have of it, or 1.
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
     returning mark, floor(extract(epoch from now()) * 1000)::text as now_ms`,
    [process],
  );
  if (put === undefined) throw new Error("a mark that was put is not told");
  return put;
};
