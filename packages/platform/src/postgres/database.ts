import type { World } from "@conclave/custody";
import { type ClientConfig, Pool, type PoolClient } from "pg";
import type { z } from "zod";
import { processWorld } from "../world.ts";
import { asOutage, isStalePlan } from "./connection/away.ts";
import { CONNECTION_BOUNDS, type ConnectionBounds } from "./connection/bounds.ts";
import { tryAdvisoryLock } from "./connection/held-lock.ts";
import { type DatabaseSession, inSession } from "./connection/session.ts";
import { makeSockets } from "./connection/sockets.ts";
import {
  type Connection,
  type ConnectionParts,
  committedBy,
  inTransactionOf,
  type Runner,
  runnerOf,
  type SqlStatement,
  statementsOf,
} from "./connection/statements.ts";
import type { UnreadableReport } from "./connection/unreadable-row.ts";
import { listen, type Subscription } from "./listener.ts";

export { type Connection, leavingOut } from "./connection/statements.ts";
export {
  type Listed,
  NOTHING_LISTED,
  type UnreadableReport,
  UnreadableRow,
} from "./connection/unreadable-row.ts";

const MAX_CONNECTIONS = 10;
/** Idle connections are kept this long, because a new one costs a fork, a login and new plans. */
const IDLE_CONNECTION_MS = 300_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

export interface Database extends Connection {
  /**
   * Runs `work` in one transaction, which commits when it returns and rolls back when it throws.
   *
   * @throws Outage if the database does not answer; with the problem OutcomeUnknown if the answer to the commit was
   * lost
   */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * Runs one statement that is a transaction by itself, in one round trip, and returns its rows, parsed. Its changes are committed when
   * this returns.
   * @throws Outage if the database does not answer; with the problem OutcomeUnknown if the statement had been sent
   */
  commit<Row>(schema: z.ZodType<Row>, text: string, values: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * Runs `work` on a connection of its own, on which statements may take any time, and wait three seconds for a lock.
   *
   * @throws Outage if the database does not answer
   */
  session<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T>;
  /**
   * Runs work that only one process of the cluster may do at a time, unless another process is doing it. The lock is
   * released if the process dies. The work may use the database freely.
   *
   * @param lock the lock's name, the same in all processes
   * @param work must end soon once `lost` aborts: the database does not answer, and another process may get the lock
   * @returns the result of `work`; undefined if another process has the lock
   * @throws Outage if the database is unreachable, also if the lock was lost for that reason meanwhile
   */
  exclusively<T>(
    lock: string,
    work: (lost: AbortSignal) => Promise<T>,
  ): Promise<{ readonly value: T } | undefined>;
  /** Calls back on every NOTIFY of a channel. It reconnects without limit, and calls back after each reconnection too. */
  listen(channel: string, onNotify: () => void): Subscription;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** postgres://user:password@host:port/name */
  readonly url: string;
  /** shown in pg_stat_activity */
  readonly name: string;
  /** source of ids for rows that the store makes by itself; by default the process */
  readonly world?: Pick<World, "freshId">;
  readonly maxConnections?: number;
  /** called for connections that break while idle; a break during a statement is an Outage */
  readonly onBreak?: (error: Error) => void;
  /** receives reports of rows that are left out of lists because they cannot be read */
  readonly onUnreadable?: (report: UnreadableReport) => void;
  /** sends announcements to other processes; without it there are none */
  readonly announce?: (subject: string) => void;
  readonly bounds?: Partial<ConnectionBounds>;
}

/** Opens a pool. It connects at the first statement. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const bounds = { ...CONNECTION_BOUNDS, ...options.bounds };
  const sockets = makeSockets(bounds.probeAfterMs);
  const settings: ClientConfig = {
    connectionString: options.url,
    application_name: options.name,
    connectionTimeoutMillis: bounds.connectMs,
    stream: sockets.make,
  };
  const answering: ClientConfig = { ...settings, query_timeout: bounds.answerMs };
  const pool = new Pool({
    ...answering,
    max: options.maxConnections ?? MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: bounds.statementMs,
    lock_timeout: bounds.lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  });
  pool.on("error", (error) => {
    // the pool hangs the whole client on its error, and a log line would hold all of it: every prepared statement, 20 KB
    Reflect.deleteProperty(error, "client");
    options.onBreak?.(error);
  });
  const parts: ConnectionParts = {
    announce: (subject) => options.announce?.(subject),
    unreadable: (report) => options.onUnreadable?.(report),
    freshId: (options.world ?? processWorld).freshId,
  };
  const transaction: Database["transaction"] = (work) =>
    withClient(pool, (runner, ended) => inTransactionOf(runner, work, parts, ended));
  return {
    ...statementsOf(
      { query: (asked) => pool.query(asked).catch((error) => withoutPlan(pool, asked, error)) },
      parts,
    ),
    transaction,
    commit: (schema, text, values) =>
      withClient(pool, (runner, ended) => committedBy(runner, schema, text, values, ended)),
    exclusively: (lock, work) =>
      withClient(pool, (runner, ended, broken) => {
        const run: Database["transaction"] = (inside) => inTransactionOf(runner, inside, parts, ended);
        return tryAdvisoryLock(run, { askMs: bounds.askMs, broken }, lock, work);
      }),
    session: (work) => inSession({ ...settings, lock_timeout: bounds.lockMs }, bounds.closeMs, work, parts),
    listen: (channel, onNotify) => listen(answering, bounds, channel, onNotify),
    close: async () => {
      await pool.end();
      await sockets.close(bounds.closeMs);
    },
  };
};

/**
 * Uses a connection of the pool, which takes it back if it can be used again.
 *
 * @param use learns by `broken` that the connection ended between two statements
 */
const withClient = async <T>(
  pool: Pool,
  use: (runner: Runner, ended: (isFit: boolean) => void, broken: AbortSignal) => Promise<T>,
): Promise<T> => {
  const client: PoolClient = await pool.connect().catch(asOutage);
  // a client that breaks between two statements emits an error event, which would end the process if it were not
  // handled
  const broken = new AbortController();
  const hear = () => broken.abort();
  client.on("error", hear);
  const ended = (isFit: boolean): void => {
    client.off("error", hear);
    client.release(!isFit);
  };
  return use(runnerOf(client), ended, broken.signal);
};

/** Repeats a statement that failed because of a stale plan; the pool has dropped the connection with that plan. */
const withoutPlan = async (pool: Pool, { text, values }: SqlStatement, error: unknown) => {
  if (!isStalePlan(error)) throw error;
  return pool.query({ text, values });
};
