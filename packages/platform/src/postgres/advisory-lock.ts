import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Connection, Database } from "./database.ts";

const TRY_AGAIN_MS = 500;

const lockSchema = z.object({ locked: z.boolean() });

/**
 * Runs work that only one process of the cluster may do at a time, unless another process is doing it. The database server
 * holds the lock, and releases it if the process dies.
 *
 * @param lock the lock's name, the same in all processes
 * @param work ends soon once `lost` aborts: the database does not answer, and another process may get the lock
 * @returns the result of `work`; undefined if another process has the lock
 * @throws Outage if the database is unreachable, also if the lock was lost for that reason meanwhile
 */
export const tryAdvisoryLock = <T>(
  database: Database,
  lock: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<{ readonly value: T } | undefined> =>
  database.transaction(async (connection) => {
    const [row] = await connection.rows(
      lockSchema,
      "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked",
      [lock],
    );
    if (row?.locked !== true) return undefined;
    const [done, lost] = [new AbortController(), new AbortController()];
    let failure: unknown;
    const keeping = keepBusy(connection, database.bounds.askMs, done.signal).catch((error: unknown) => {
      failure = error;
      lost.abort();
    });
    const value = await work(lost.signal).finally(() => {
      done.abort();
      return keeping;
    });
    if (lost.signal.aborted) throw failure;
    return { value };
  });

/** A transaction holds the lock, and the server ends one that is idle for a minute. Asking tells whether it is there, too. */
const keepBusy = async (connection: Connection, everyMs: number, done: AbortSignal): Promise<void> => {
  while (!done.aborted) {
    await pause(everyMs, undefined, { signal: done }).catch(() => undefined);
    if (!done.aborted) await connection.execute("select 1");
  }
};

/**
 * Like tryAdvisoryLock, but waits until the lock is free.
 *
 * @param stopping ends the wait for the lock
 * @returns the result of `work`; undefined if it was stopped before the lock was free
 */
export const withAdvisoryLock = async <T>(
  database: Database,
  lock: string,
  stopping: AbortSignal,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T | undefined> => {
  while (!stopping.aborted) {
    const held = await tryAdvisoryLock(database, lock, work);
    if (held !== undefined) return held.value;
    await pause(TRY_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
  return undefined;
};
