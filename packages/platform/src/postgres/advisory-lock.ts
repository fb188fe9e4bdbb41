import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Database } from "./database.ts";

const TRY_AGAIN_MS = 500;
/** The lock is held by a transaction, which the server ends when it hears nothing for a minute. */
const KEEP_MS = 15_000;

const lockSchema = z.object({ locked: z.boolean() });

/**
 * Does something that only one process of the cluster may do at a time, unless one is at it. The lock is the server's: it
 * is free again when the process dies.
 *
 * @param lock a name that all processes give
 * @returns what `work` returns; undefined when somebody else has the lock
 * @throws Outage when the database is away, also when the lock was lost in that way meanwhile
 */
export const tryAdvisoryLock = <T>(
  database: Database,
  lock: string,
  work: () => Promise<T>,
): Promise<{ readonly value: T } | undefined> =>
  database.transaction(async (connection) => {
    const [row] = await connection.rows(
      lockSchema,
      "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked",
      [lock],
    );
    if (row?.locked !== true) return undefined;
    const keeping = setInterval(() => void connection.execute("select 1").catch(() => undefined), KEEP_MS);
    try {
      return { value: await work() };
    } finally {
      clearInterval(keeping);
    }
  });

/**
 * The same, and waits until the lock is free.
 *
 * @param stopping ends the wait for the lock
 * @returns what `work` returns; undefined when it was stopped before the lock was free
 */
export const withAdvisoryLock = async <T>(
  database: Database,
  lock: string,
  stopping: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> => {
  while (!stopping.aborted) {
    const held = await tryAdvisoryLock(database, lock, work);
    if (held !== undefined) return held.value;
    await pause(TRY_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
  return undefined;
};
