import type { World } from "@conclave/custody";
import { PGlite, types } from "@electric-sql/pglite";
import {
  type ConnectionListeners,
  committedBy,
  inTransactionOf,
  type Runner,
  type SqlStatement,
  statementsOf,
} from "../../postgres/connection/statements.ts";
import type { Database } from "../../postgres/database.ts";

/** The fate of a statement when the database is away: it is never run, or it is run and its answer is lost. */
export type StatementFate = "unsent" | "unanswered";

/** `nowMs` is what `now()` of every statement and transaction tells: the database has no other clock. */
export interface MemoryDatabaseOptions extends Pick<World, "nowMs"> {
  /** carries announcements; without it nobody hears them */
  readonly announce?: (subject: string) => void;
  /** asked of each statement before it is run; undefined lets it run */
  readonly fate?: (text: string, values: readonly unknown[]) => StatementFate | undefined;
}

/** As the driver of the real one gives them: int8 as text. */
const PARSERS = { [types.INT8]: (text: string): string => text };

/**
 * `now()` of the clock that is handed in: it is found before PostgreSQL's own, also by defaults and triggers of tables that are
 * made afterwards. Transactions keep the time of their beginning, as there.
 */
const VIRTUAL_TIME = `
  create schema virtual_time;
  create table virtual_time.clock (at timestamptz not null);
  insert into virtual_time.clock values ('epoch');
  create function virtual_time.now() returns timestamptz language sql stable
    return (select at from virtual_time.clock);
  set search_path = public, virtual_time, pg_catalog;`;

/**
 * A Database in this process's memory, for tests and simulators: PostgreSQL itself, compiled to WebAssembly, under virtual time. It
 * runs the statements and migrations of the real one. It has one connection: a transaction runs to its end before another statement
 * does, so that two of them never overlap. Work in a transaction uses its connection alone.
 */
export const openMemoryDatabase = async (options: MemoryDatabaseOptions): Promise<Database> => {
  const engine = await PGlite.create();
  await engine.exec(VIRTUAL_TIME);
  const listeners: ConnectionListeners = {
    announce: (subject) => options.announce?.(subject),
    unreadable: () => undefined,
  };
  const connection = new MemoryConnection(engine, options);
  const held = new Set<string>();
  return {
    ...statementsOf({ query: (asked) => connection.alone((runner) => runner.query(asked)) }, listeners),
    transaction: (work) =>
      connection.alone((runner) => inTransactionOf(runner, work, listeners, () => undefined)),
    commit: (schema, text, values) => connection.alone((runner) => committedBy(runner, schema, text, values)),
    session: (work) =>
      connection.alone((runner) =>
        work({
          ...statementsOf(runner, listeners),
          transaction: (inside) => inTransactionOf(runner, inside, listeners),
        }),
      ),
    exclusively: async (lock, work) => {
      if (held.has(lock)) return undefined;
      held.add(lock);
      try {
        return { value: await work(new AbortController().signal) };
      } finally {
        held.delete(lock);
      }
    },
    listen: (channel, onNotify) => {
      const listening = engine.listen(channel, onNotify).then((stop) => {
        onNotify();
        return stop;
      });
      return { stop: async () => (await listening)() };
    },
    close: () => engine.close(),
  };
};

/** The one connection, which its users have one after the other. */
class MemoryConnection {
  readonly #engine: PGlite;
  readonly #options: MemoryDatabaseOptions;
  #turn: Promise<unknown> = Promise.resolve();
  #isInTransaction = false;
  /** a statement of the transaction failed: it can only be rolled back */
  #hasFailed = false;

  constructor(engine: PGlite, options: MemoryDatabaseOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  alone<T>(use: (runner: Runner) => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => use({ query: (asked) => this.#query(asked) }));
    this.#turn = done.then(
      () => this.#leave(),
      () => this.#leave(),
    );
    return done;
  }

  /** As a server does for a connection that is gone. */
  async #leave(): Promise<void> {
    if (this.#isInTransaction) await this.#engine.exec("rollback");
    this.#isInTransaction = false;
  }

  async #query(asked: SqlStatement): ReturnType<Runner["query"]> {
    const fate = this.#options.fate?.(asked.text, asked.values);
    if (fate === "unsent") throw lost();
    const answer = await this.#run(asked);
    if (fate === "unanswered") throw lost();
    return answer;
  }

  async #run({ text, values }: SqlStatement): ReturnType<Runner["query"]> {
    if (!this.#isInTransaction) await this.#setTime();
    switch (text) {
      case "begin":
        await this.#engine.exec(text);
        this.#isInTransaction = true;
        this.#hasFailed = false;
        return { rows: [], rowCount: null, command: "BEGIN" };
      case "commit":
      case "rollback": {
        await this.#engine.exec(text);
        this.#isInTransaction = false;
        const isCommitted = text === "commit" && !this.#hasFailed;
        return { rows: [], rowCount: null, command: isCommitted ? "COMMIT" : "ROLLBACK" };
      }
    }
    try {
      if (values.length === 0) return answerOf((await this.#engine.exec(text, { parsers: PARSERS })).at(-1));
      return answerOf(await this.#engine.query(text, [...values], { parsers: PARSERS }));
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  async #setTime(): Promise<void> {
    const at = new Date(this.#options.nowMs()).toISOString();
    await this.#engine.query("update virtual_time.clock set at = $1", [at]);
  }
}

const answerOf = (results: { readonly rows: unknown[]; readonly affectedRows?: number } | undefined) => ({
  rows: results?.rows ?? [],
  rowCount: results?.affectedRows ?? 0,
  command: "",
});

/** The error of the real driver when its connection breaks. */
const lost = (): Error =>
  Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
