import { createHash } from "node:crypto";
import { Pool, type PoolClient } from "pg";
import type { z } from "zod";
import { Outage } from "../outage.ts";
import { listen, type Subscription } from "./listener.ts";

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 3_000;
/** Idle connections are kept this long, because a new one costs a fork, a login and all its plans. */
const IDLE_CONNECTION_MS = 300_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** PostgreSQL truncates a statement's name to 63 bytes */
const NAME_DIGITS = 32;
const STALE_PLAN = "0A000";

/**
 * Runs statements, in the pool or in one transaction. A schema parses every row. A statement with values is prepared once
 * per connection, so there must be few different texts: pass everything that varies as a value.
 */
export interface Connection {
  /** Runs a statement and returns its rows, parsed. */
  rows<Row>(schema: z.ZodType<Row>, text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Runs a statement and returns the number of affected rows. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
  /** Tells others once the transaction has committed, at once where there is none. They may never hear it: they look by themselves too. */
  announce(subject: string): void;
}

export interface Database extends Connection {
  /**
   * Runs `work` in one transaction, which commits when it returns and rolls back when it throws.
   * @throws Outage if the database does not answer
   */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Calls back on every NOTIFY of a channel. It reconnects without limit, and calls back after each reconnection too. */
  listen(channel: string, onNotify: () => void): Subscription;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** postgres://user:password@host:port/name */
  readonly url: string;
  /** shown in pg_stat_activity */
  readonly name: string;
  readonly maxConnections?: number;
  /** called for connections that break while idle; a break during a statement is an Outage */
  readonly onBreak?: (error: Error) => void;
  /** carries announcements; without it nobody hears them */
  readonly announce?: (subject: string) => void;
}

/** Opens a pool. It connects at the first statement. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const settings = { connectionString: options.url, application_name: options.name };
  const pool = new Pool({
    ...settings,
    max: options.maxConnections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  });
  pool.on("error", (error) => options.onBreak?.(error));
  const announce = (subject: string): void => options.announce?.(subject);
  return {
    ...statementsOf(
      { query: (asked) => pool.query(asked).catch((error) => withoutPlan(pool, asked, error)) },
      announce,
    ),
    transaction: async (work) => {
      const subjects = new Set<string>();
      const value = await inTransaction(pool, (runner) =>
        work(statementsOf(runner, (subject) => subjects.add(subject))),
      );
      for (const subject of subjects) announce(subject);
      return value;
    },
    listen: (channel, onNotify) => listen(settings, channel, onNotify),
    close: () => pool.end(),
  };
};

interface Statement {
  readonly text: string;
  values: unknown[];
  readonly name?: string;
}

interface Runner {
  query(statement: Statement): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

const statementsOf = (runner: Runner, announce: (subject: string) => void): Connection => ({
  announce,
  rows: async (schema, text, values = []) => {
    const { rows } = await runner.query(statement(text, values)).catch(asOutage);
    return rows.map((row) => schema.parse(row));
  },
  execute: async (text, values = []) =>
    (await runner.query(statement(text, values)).catch(asOutage)).rowCount ?? 0,
});

/**
 * Prepares statements with values, because planning a small statement costs more than running it. Scripts of several
 * statements cannot be prepared.
 */
const statement = (text: string, values: readonly unknown[]): Statement =>
  values.length === 0 ? { text, values: [] } : { text, values: [...values], name: nameOf(text) };

const names = new Map<string, string>();

const nameOf = (text: string): string => {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, NAME_DIGITS);
  names.set(text, name);
  return name;
};

const inTransaction = async <T>(pool: Pool, work: (runner: Runner) => Promise<T>): Promise<T> => {
  const client: PoolClient = await pool.connect().catch(asOutage);
  // a client that breaks between two statements emits an error event, which ends the process if nobody handles it
  const hear = () => undefined;
  client.on("error", hear);
  let broken = false;
  try {
    await client.query("begin").catch(asOutage);
    const value = await work(client);
    await client.query("commit").catch(asOutage);
    return value;
  } catch (error) {
    const isRolledBack = await client.query("rollback").then(
      () => true,
      () => false,
    );
    broken = !isRolledBack || error instanceof Outage;
    throw error;
  } finally {
    client.off("error", hear);
    client.release(broken);
  }
};

/** Whether another process has migrated a table since the statement was prepared, so that `select *` has other columns. */
const isStalePlan = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === STALE_PLAN && /cached plan/.test(error.message);

/** Runs a statement again without a stale plan; the pool has dropped the connection that held the plan. */
const withoutPlan = async (pool: Pool, { text, values }: Statement, error: unknown) => {
  if (!isStalePlan(error)) throw error;
  return pool.query({ text, values });
};

/** Classes 08 (connection), 53 (resources) and 57P (shutdown) of the PostgreSQL error codes, and a statement timeout. */
const OUTAGE_CODES = /^(08...|53...|57P0.|57014|25P03|E[A-Z]+)$/;
const OUTAGE_TEXT = /connection|timeout|Client has encountered|Cannot use a pool after/i;

const asOutage = (error: unknown): never => {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const away = code === undefined ? OUTAGE_TEXT.test(error.message) : OUTAGE_CODES.test(code);
  // a transaction cannot repeat a statement: its caller tries again later, on another connection
  throw away || isStalePlan(error) ? new Outage("database", error) : error;
};
