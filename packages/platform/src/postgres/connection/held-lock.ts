import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Connection } from "./statements.ts";

const lockSchema = z.object({ locked: z.boolean() });

type RunTransaction = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** How it is noticed that the connection which holds a lock is there no more. */
interface Watch {
  /** how often it is asked, in milliseconds */
  readonly askMs: number;
  /** aborts when the server has ended it, which says so at once: it has let go of the lock */
  readonly broken: AbortSignal;
}

/** Database.exclusively: the database server holds the lock, in a transaction of a connection of its own. */
export const tryAdvisoryLock = <T>(
  transaction: RunTransaction,
  watch: Watch,
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
    const keeping = keepBusy(connection, watch, done.signal).catch((error: unknown) => {
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
const keepBusy = async (
  connection: Connection,
  { askMs, broken }: Watch,
  done: AbortSignal,
): Promise<void> => {
  const signal = AbortSignal.any([done, broken]);
  while (!done.aborted) {
    await pause(askMs, undefined, { signal }).catch(() => undefined);
    // on one that has broken this fails at once
    if (!done.aborted) await connection.execute("select 1");
  }
};
