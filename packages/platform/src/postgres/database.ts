import { Pool, type PoolClient } from "pg";
import type { z } from "zod";
import { Outage } from "../outage.ts";
import { listen, type Subscription } from "./listener.ts";

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

export interface StatementOptions {
  /** a name under which each connection keeps the plan: for a statement that runs at every request */
  readonly prepareAs: string;
}

/** Where statements run: the pool, or one transaction. Every row is parsed by a schema before anyone sees it. */
export interface Connection {
  /** The rows of a statement, parsed. */
  rows<Row>(
    schema: z.ZodType<Row>,
    text: string,
    values?: readonly unknown[],
    options?: StatementOptions,
  ): Promise<readonly Row[]>;
  /** Runs a statement and answers how many rows it touched. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
}

export interface Database extends Connection {
  /**
   * Runs `work` in one transaction: committed when it returns, rolled back when it throws.
   * @throws Outage when the database does not answer
   */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Calls back on each NOTIFY of a channel; reconnects for ever, and calls back after each reconnection too. */
  listen(channel: string, onNotify: () => void): Subscription;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** postgres://user:password@host:port/name */
  readonly url: string;
  /** shown in pg_stat_activity */
  readonly name: string;
  readonly maxConnections?: number;
  /** told of connections that break while nobody uses them; statements meet such a break as an Outage */
  readonly onBreak?: (error: Error) => void;
}

/** Opens a pool. Nothing is connected until the first statement. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const settings = { connectionString: options.url, application_name: options.name };
  const pool = new Pool({
    ...settings,
    max: options.maxConnections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  });
  pool.on("error", (error) => options.onBreak?.(error));
  return {
    ...statementsOf(pool),
    transaction: (work) => inTransaction(pool, work),
    listen: (channel, onNotify) => listen(settings, channel, onNotify),
    close: () => pool.end(),
  };
};

interface Runner {
  query(statement: {
    readonly text: string;
    values: unknown[];
    readonly name?: string;
  }): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

const statementsOf = (runner: Runner): Connection => ({
  rows: async (schema, text, values = [], options) => {
    const named = options === undefined ? {} : { name: options.prepareAs };
    const { rows } = await runner.query({ text, values: [...values], ...named }).catch(asOutage);
    return rows.map((row) => schema.parse(row));
  },
  execute: async (text, values = []) =>
    (await runner.query({ text, values: [...values] }).catch(asOutage)).rowCount ?? 0,
});

const inTransaction = async <T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> => {
  const client: PoolClient = await pool.connect().catch(asOutage);
  // a client that breaks between two statements also emits an error, which would end the process if nobody heard it
  const hear = () => undefined;
  client.on("error", hear);
  let broken = false;
  try {
    await client.query("begin").catch(asOutage);
    const value = await work(statementsOf(client));
    await client.query("commit").catch(asOutage);
    return value;
  } catch (error) {
    broken = await client.query("rollback").then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.off("error", hear);
    client.release(broken);
  }
};

/** Classes 08 (connection), 53 (resources) and 57P (shutdown) of the PostgreSQL error codes, and a statement timeout. */
const OUTAGE_CODES = /^(08...|53...|57P0.|57014|25P03|E[A-Z]+)$/;
const OUTAGE_TEXT = /connection|timeout|Client has encountered|Cannot use a pool after/i;

const asOutage = (error: unknown): never => {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const away = code === undefined ? OUTAGE_TEXT.test(error.message) : OUTAGE_CODES.test(code);
  throw away ? new Outage("database", error) : error;
};
