import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { DUE_SUBJECT } from "./due-request.ts";

/** A request that failed again and again for a reason nobody foresaw. */
export interface ParkedRequest {
  readonly id: string;
  readonly kind: string;
  readonly lane: string;
  readonly reason: string;
  readonly failures: number;
  /** ISO 8601 UTC */
  readonly dateParked: string;
}

const parkedSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    lane: z.string(),
    reason: z.string(),
    failures: z.number(),
    parked_at: date,
  })
  .transform(({ parked_at: dateParked, ...row }): ParkedRequest => ({ ...row, dateParked }));

/** Lists what is put aside, the oldest first. */
export const listParked = (connection: Connection, limit: number): Promise<readonly ParkedRequest[]> =>
  connection.listed(
    parkedSchema,
    `select id, kind, lane, reason, failures, parked_at from due_requests
      where parked_at is not null order by parked_at, id limit $1`,
    [limit],
  );

/**
 * Makes what is put aside due again: those of the ids; or, without ids, all that were parked for so long, or at a time that is still
 * to come, for the clock went back.
 * @returns how many
 */
export const takeUpParked = async (
  connection: Connection,
  which: { readonly ids: readonly string[] } | { readonly parkedForMs: number },
): Promise<number> => {
  const again = "set parked_at = null, failures = 0, due_at = now()";
  const count =
    "ids" in which
      ? await connection.execute(
          `update due_requests ${again} where parked_at is not null and id = any($1)`,
          [which.ids],
        )
      : await connection.execute(
          `update due_requests ${again} where parked_at <= now() - make_interval(secs => $1 / 1000.0) or parked_at > now()`,
          [which.parkedForMs],
        );
  if (count > 0) connection.announce(DUE_SUBJECT);
  return count;
};
