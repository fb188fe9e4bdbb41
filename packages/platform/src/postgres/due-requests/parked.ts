import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { DUE_SUBJECT, dueRequests } from "./due-request.ts";

const { columns: d, shape } = dueRequests;

const parked = z.object({
  id: shape.id,
  kind: z.string(),
  lane: shape.lane,
  reason: z.string(),
  failures: shape.failures,
  /** ISO 8601 UTC */
  dateParked: date,
});

/** A request that failed again and again for an unforeseen reason. */
export type ParkedRequest = Readonly<z.output<typeof parked>>;

/** Lists parked requests, the oldest first. */
export const listParked = (connection: Connection, limit: number): Promise<readonly ParkedRequest[]> =>
  connection.listed(
    parked,
    `select id, kind, lane, reason, failures, ${d.parkedAt} as "dateParked" from due_requests
      where ${d.parkedAt} is not null order by ${d.parkedAt}, id limit $1`,
    [limit],
  );

/**
 * Makes parked requests due again: those with the given ids; or those that were parked for this long, or whose parking
 * time lies in the future because the clock was set back.
 *
 * @returns how many
 */
export const takeUpParked = async (
  connection: Connection,
  which: { readonly ids: readonly string[] } | { readonly parkedForMs: number },
): Promise<number> => {
  const again = `set ${d.parkedAt} = null, failures = 0, ${d.dueAt} = now()`;
  const count =
    "ids" in which
      ? await connection.execute(
          `update due_requests ${again} where ${d.parkedAt} is not null and id = any($1)`,
          [which.ids],
        )
      : await connection.execute(
          `update due_requests ${again} where ${d.parkedAt} <= now() - make_interval(secs => $1 / 1000.0) or ${d.parkedAt} > now()`,
          [which.parkedForMs],
        );
  if (count > 0) connection.announce(DUE_SUBJECT);
  return count;
};
