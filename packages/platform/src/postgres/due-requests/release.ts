import { z } from "zod";
import type { Connection } from "../database.ts";
import type { Claim } from "./claim.ts";
import { DUE_SUBJECT } from "./due-request.ts";

/**
 * The longest pause before a request is tried again. A request that is due later than that got its time before the
 * clock was set back.
 */
export const DUE_AGAIN_MS_MAX: number = 60_000;

const goneSchema = z.object({ line: z.string().nullable() });

// every release also clears `holder`: a process of the previous version claims a request without writing its own name

/**
 * Ends a claim whose request needs no more work. The next request of its line becomes due. A request that was asked for
 * again meanwhile stays.
 *
 * @returns false, and nothing changes, if another process has taken it over
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

/**
 * Releases a claim, to be claimed again after some time, at most DUE_AGAIN_MS_MAX. @returns false if another process
 * has taken it over
 */
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

/** Releases a claim that failed for an unforeseen reason. @returns false if another process has taken it over */
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
 * Parks a request that failed again and again, until `takeUpParked`.
 *
 * @param letsGo whether the next requests of its line go on without it, because no transaction of it may land
 * @returns false if another process has taken it over
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
