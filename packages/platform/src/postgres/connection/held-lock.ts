import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Connection } from "./statements.ts";

const lockSchema = z.object({ locked: z.boolean() });

type RunTransaction = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** How the loss of the connection that holds a lock is noticed. */
interface Watch {
  /** how often the connection is checked with a statement, in milliseconds */
  readonly askMs: number;
  /** aborts when the server has ended the connection, which releases the lock */
  readonly broken: AbortSignal;
}

/** Implements Database.exclusively: the database server holds the lock, in a transaction of a connection of its own. */
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

/**
 * Sends statements regularly: the lock belongs to a transaction, and the server ends one that is idle for a minute. A
 * failed statement also shows that the connection is lost.
 */
const keepBusy = async (
  connection: Connection,
  { askMs, broken }: Watch,
  done: AbortSignal,
): Promise<void> => {
  const signal = AbortSignal.any([done, broken]);
  while (!done.aborted) {
    await pause(askMs, undefined, { signal }).catch(() => undefined);
    // fails at once on a broken connection
    if (!done.aborted) await connection.execute("select 1");
  }
};
