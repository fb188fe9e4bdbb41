import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { plainTable } from "../table/table.ts";

/** A gateway's request for a share of a window. */
export interface WindowQuestion {
  /** an organisation, or one of its end users */
  readonly subject: string;
  /** requests in a window, at all gateways together */
  readonly limit: number;
  /** requests that this gateway takes, if as many are left */
  readonly wanted: number;
  readonly windowSeconds: number;
}

export const requestWindows = plainTable("request_windows", {
  subject: z.string(),
  dateEnds: date,
  taken: z.int(),
  granted: z.int(),
});

const grantSchema = z.object({ granted: z.int(), endsInMs: z.coerce.number() });

/**
 * A window is over when it has ended, or if it ends more than two windows from now, because the clock was set back. A
 * window that ends only a little later than one window from now was begun by a statement that started later but got the
 * row first.
 */
const IS_OVER =
  "known.date_ends <= now() or known.date_ends > excluded.date_ends + make_interval(secs => $4)";

/**
 * Takes requests from a subject's window, which begins with the first request taken.
 *
 * @returns how many were granted, 0 to `wanted`, and when the window ends by the database's clock
 */
export const takeFromWindow = async (
  connection: Pick<Connection, "rows">,
  { subject, limit, wanted, windowSeconds }: WindowQuestion,
): Promise<z.output<typeof grantSchema>> => {
  const [row] = await connection.rows(
    grantSchema,
    `insert into request_windows as known (subject, date_ends, taken, granted)
     values ($1, now() + make_interval(secs => $4), least($2::integer, $3::integer), least($2::integer, $3::integer))
     on conflict (subject) do update set
       date_ends = case when ${IS_OVER} then excluded.date_ends else known.date_ends end,
       taken = case when ${IS_OVER} then excluded.taken
         else known.taken + least($2, greatest($3 - known.taken, 0)) end,
       granted = case when ${IS_OVER} then excluded.granted
         else least($2, greatest($3 - known.taken, 0)) end
     returning granted, extract(epoch from date_ends - now()) * 1000 as "endsInMs"`,
    [subject, wanted, limit, windowSeconds],
  );
  if (row === undefined) throw new Error("an upsert returns its row");
  return row;
};
