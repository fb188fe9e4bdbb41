import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Connection } from "./statements.ts";

const lockSchema = z.object({ locked: z.boolean() });

type RunTransaction = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/**
 * Database.exclusively: the database server holds the lock, in a transaction of a connection of its own.
 *
 * @param askMs how often the connection is asked whether it is there, in milliseconds
 */
export const tryAdvisoryLock = <T>(
  transaction: RunTransaction,
  askMs: number,
  lock: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<{ readonly value: T } | undefined> =>
  transaction(async (connection) => {
    const [row] = await connection.rows(
      lockSchema,
      "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked",
      [lock],
    );
    if (row?.locked !== true) return undefined;
    const [done, lost] = [new AbortController(), new AbortController()];
    let failure: unknown;
    const keeping = keepBusy(connection, askMs, done.signal).catch((error: unknown) => {
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
