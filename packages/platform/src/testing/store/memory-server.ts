import type { World } from "@conclave/custody";
import { PGlite, types } from "@electric-sql/pglite";
import { asOutage } from "../../postgres/connection/away.ts";
import type { Runner, SqlStatement } from "../../postgres/connection/statements.ts";
import { answered, type MemoryClient, never, type StoreServer } from "./store-server.ts";

/** As the driver of the real one gives them: int8 as text. */
const PARSERS = { [types.INT8]: (text: string): string => text };

/**
 * The clock that is handed in takes the place of PostgreSQL's own `now()`, so that functions with a search_path of their own know no other
 * time either. Transactions keep the time of their beginning, as there.
 *
 * Clients share one connection, which is granted every lock that it holds itself. A lock that a client holds for as long as it lives is a
 * row, and those who try whether it is free read the rows.
 */
const VIRTUAL_SERVER = `
  create schema virtual;
  create table virtual.clock (at timestamptz not null);
  insert into virtual.clock values ('epoch');
  alter function pg_catalog.now() rename to real_now;
  create function pg_catalog.now() returns timestamptz language sql stable
    return (select at from virtual.clock);
  create table virtual.locks (key bigint primary key, client integer not null, hold integer not null);
  alter function pg_catalog.pg_try_advisory_xact_lock_shared(bigint) rename to pg_try_real_lock_shared;
  create function pg_catalog.pg_try_advisory_xact_lock_shared(wanted bigint) returns boolean language sql volatile
    return not exists (select from virtual.locks where key = wanted);`;

const TAKE_LOCK =
  "insert into virtual.locks (key, client, hold) values (hashtextextended($1, 0), $2, $3) on conflict do nothing";
const RELEASE_LOCK = "delete from virtual.locks where hold = $1";
const RELEASE_ALL = "delete from virtual.locks where client = $1";

/** PostgreSQL in the memory of this process, with one connection, which its clients have one after the other. */
export class MemoryServer implements StoreServer {
  readonly #engine: PGlite;
  readonly #nowMs: World["nowMs"];
  #turn: Promise<unknown> = Promise.resolve();
  /** the statement that is run; settled when none is */
  #running: Promise<unknown> = Promise.resolve();
  #holds = 0;
  #isInTransaction = false;
  /** a statement of the transaction failed: it can only be rolled back */
  #hasFailed = false;

  private constructor(engine: PGlite, nowMs: World["nowMs"]) {
    this.#engine = engine;
    this.#nowMs = nowMs;
  }

  /** @param copy of a server's data, to begin with; a new server where it is left out */
  static async open(nowMs: World["nowMs"], copy?: Blob): Promise<MemoryServer> {
    if (copy !== undefined) return new MemoryServer(await PGlite.create({ loadDataDir: copy }), nowMs);
    const engine = await PGlite.create();
    await engine.exec(VIRTUAL_SERVER);
    return new MemoryServer(engine, nowMs);
  }

  /** Has the connection used by one client alone, once it is free. @returns what never settles if the client ends meanwhile */
  alone<T>(client: MemoryClient, use: (runner: Runner) => Promise<T>): Promise<T> {
    const done = this.#turn.then(() =>
      client.isGone ? never<T>() : use({ query: (asked) => this.#query(client, asked) }),
    );
    const over = this.#turn.then(
      () =>
        new Promise<void>((resolve) => {
          if (client.isGone) return resolve();
          client.leave = resolve;
          done.then(
            () => resolve(),
            () => resolve(),
          );
        }),
    );
    this.#turn = over.then(() => this.#leave());
    return done;
  }

  /**
   * Runs work while the client holds a lock.
   * @returns undefined if somebody holds it already
   */
  async holding<T>(
    client: MemoryClient,
    lock: string,
    work: () => Promise<T>,
  ): Promise<{ readonly value: T } | undefined> {
    this.#holds += 1;
    const hold = this.#holds;
    const values = [lock, client.number, hold];
    try {
      const taken = this.alone(client, (runner) => runner.query({ text: TAKE_LOCK, values }));
      const { rowCount } = await taken.catch(asOutage);
      return rowCount === 0 ? undefined : { value: await work() };
    } finally {
      // also if it took the lock and was not answered
      await this.#asServer(RELEASE_LOCK, hold);
    }
  }

  /** Does what a server does for a client that is gone: rolls back, and lets go of its locks. */
  end(client: MemoryClient): Promise<void> {
    client.isGone = true;
    client.leave();
    return this.#asServer(RELEASE_ALL, client.number);
  }

  listen(channel: string, onNotify: () => void): Promise<() => Promise<void>> {
    return this.#engine.listen(channel, onNotify);
  }

  /** Copies all data, while nobody uses the server. */
  async copy(): Promise<Blob> {
    return this.#engine.dumpDataDir("none");
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  #asServer(text: string, value: number): Promise<void> {
    const done = this.#turn.then(() => this.#engine.query(text, [value])).then(() => undefined);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #leave(): Promise<void> {
    await this.#running.catch(() => undefined);
    if (this.#isInTransaction) await this.#engine.exec("rollback");
    this.#isInTransaction = false;
  }

  #query(client: MemoryClient, asked: SqlStatement): ReturnType<Runner["query"]> {
    return answered(client, asked, () => {
      const run = this.#run(asked);
      this.#running = run;
      return run;
    });
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
    const at = new Date(this.#nowMs()).toISOString();
    await this.#engine.query("update virtual.clock set at = $1", [at]);
  }
}

const answerOf = (results: { readonly rows: unknown[]; readonly affectedRows?: number } | undefined) => ({
  rows: results?.rows ?? [],
  rowCount: results?.affectedRows ?? 0,
  command: "",
});
