import { z } from "zod";
import type { Connection } from "../database.ts";
import type { Claim } from "./claim.ts";
import { DUE_SUBJECT } from "./due-request.ts";

/** The longest that a request pauses before it is looked at again. One that is due later than that waits for a clock that went back. */
export const DUE_AGAIN_MS_MAX: number = 60_000;

const goneSchema = z.object({ line: z.string().nullable() });

// a process that gives a claim back removes its name from the row: a version before this one takes a claim without writing its own

/**
 * Ends a claim whose request asks for nothing more. The next one of its line becomes due. One that was asked for again meanwhile stays.
 * @returns false, and nothing changes, when another process has taken it over
 */
export const finishClaim = async (
  connection: Connection,
  { id, token, asked }: Pick<Claim, "id" | "token" | "asked">,
): Promise<boolean> => {
  const [gone] = await connection.rows(
    goneSchema,
    "delete from due_requests where id = $1 and token = $2 and asked = $3 returning line",
    [id, token, asked],
  );
  if (gone === undefined) return postponeClaim(connection, { id, token }, 0);
  if (gone.line !== null) connection.announce(DUE_SUBJECT);
  return true;
};

/** Gives a claim back, to be taken again after some time, DUE_AGAIN_MS_MAX at the most. @returns false when another process has taken it over */
export const postponeClaim = async (
  connection: Connection,
  { id, token }: Pick<Claim, "id" | "token">,
  afterMs: number,
): Promise<boolean> => {
  const given = await connection.execute(
    `update due_requests set token = null, holder = null, held_since = null, failures = 0, reason = null,
            due_at = now() + make_interval(secs => $3 / 1000.0)
      where id = $1 and token = $2`,
    [id, token, Math.min(afterMs, DUE_AGAIN_MS_MAX)],
  );
  return given > 0;
};

/** Gives a claim back that failed for a reason nobody foresaw. @returns false when another process has taken it over */
export const failClaim = async (
  connection: Connection,
  { id, token }: Pick<Claim, "id" | "token">,
  afterMs: number,
  reason: string,
): Promise<boolean> => {
  const given = await connection.execute(
    `update due_requests set token = null, holder = null, held_since = null, failures = failures + 1, reason = $4,
            due_at = now() + make_interval(secs => $3 / 1000.0)
      where id = $1 and token = $2`,
    [id, token, Math.min(afterMs, DUE_AGAIN_MS_MAX), reason],
  );
  return given > 0;
};

/**
 * Puts a claim aside that failed again and again: it is taken up by `takeUpParked`.
 * @param letsGo whether those behind it go on without it, as nothing of it may land
 * @returns false when another process has taken it over
 */
export const parkClaim = async (
  connection: Connection,
  { id, token }: Pick<Claim, "id" | "token">,
  reason: string,
  letsGo: boolean,
): Promise<boolean> => {
  const parked = await connection.execute(
    `update due_requests set token = null, holder = null, held_since = null, failures = failures + 1, reason = $3, parked_at = now(),
            is_head = is_head and not ($4 and line is not null)
      where id = $1 and token = $2`,
    [id, token, reason, letsGo],
  );
  connection.announce(DUE_SUBJECT);
  return parked > 0;
};
