import type { Heal } from "@conclave/chaos";
import { type Database, openDatabase } from "@conclave/platform/postgres";
import { waitUntil } from "@conclave/testbed";
import { z } from "zod";

/** The database may be unavailable for a while when its clock is set. */
const SET_MS = 60_000;
const MS_IN_SECOND = 1_000;

/** A `now()` that the services' search path finds before PostgreSQL's own; it adds the offset stored in a row. */
const VIRTUAL_TIME = [
  "create schema virtual_time",
  "create table virtual_time.clock (ahead interval not null)",
  "insert into virtual_time.clock values ('0')",
  `create function virtual_time.now() returns timestamptz language sql stable
     return (select pg_catalog.now() + ahead from virtual_time.clock)`,
  "grant usage on schema virtual_time to public",
  "grant select on virtual_time.clock to public",
];

/** Rebinds column defaults and trigger functions, which were bound to PostgreSQL's own `now()` when they were created. */
const BOUND_BEFORE = `
  select format('alter table public.%I alter column %I set default virtual_time.now()', c.relname, a.attname) as statement
    from pg_attrdef d join pg_class c on c.oid = d.adrelid
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where c.relnamespace = 'public'::regnamespace and pg_get_expr(d.adbin, d.adrelid) = 'now()'
  union all
  select format('alter function %s set search_path = virtual_time, pg_catalog, pg_temp', p.oid::regprocedure)
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and 'search_path=pg_catalog, pg_temp' = any(p.proconfig)`;
const boundSchema = z.object({ statement: z.string() });

const FOUND_FIRST = `do $$ begin
  execute format('alter database %I set search_path = public, virtual_time, pg_catalog', current_database());
end $$`;

/** Connections opened before the installation, which still use PostgreSQL's own `now()`. */
const CONNECTED_BEFORE = `from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_start < $1`;
const atSchema = z.object({ at: z.string() }).transform(({ at }) => at);
const countSchema = z.object({ count: z.coerce.number() });

/**
 * Sets the clock that services read from a running PostgreSQL; the server's own time stays. It needs the rights of the
 * database's owner, and the right to end other connections.
 */
export class ServerClock {
  readonly #database: Database;
  #aheadMs = 0;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Makes the clock of a database settable. Services lose their connections, and use the new clock after reconnecting.
   * @param url of the owner of the tables
   * @returns once all earlier connections have ended
   */
  static async install(url: string): Promise<ServerClock> {
    const database = openDatabase({ url, name: "server-clock" });
    try {
      for (const statement of VIRTUAL_TIME) await database.execute(statement);
      const bound = await database.rows(boundSchema, BOUND_BEFORE);
      for (const { statement } of bound) await database.execute(statement);
      await database.execute(FOUND_FIRST);
      await endConnections(database);
      return new ServerClock(database);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /**
   * Moves the clock, in addition to other moves.
   * @param byMs forward, or back if negative
   * @returns once the database uses the new time: a function that reverses this move
   */
  async move(byMs: number): Promise<Heal> {
    await this.#add(byMs);
    return () => this.#add(-byMs);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Writes in sequence, so that the last write is the sum of all moves. */
  #add(byMs: number): Promise<void> {
    this.#aheadMs += byMs;
    const written = this.#turn.then(() => this.#write());
    this.#turn = written.catch(() => undefined);
    return written;
  }

  async #write(): Promise<void> {
    let failure = "";
    const set = () =>
      this.#database.execute("update virtual_time.clock set ahead = make_interval(secs => $1)", [
        this.#aheadMs / MS_IN_SECOND,
      ]);
    const isSet = (): Promise<true | undefined> =>
      set().then(
        () => true,
        (error: unknown) => {
          failure = String(error);
          return undefined;
        },
      );
    await waitUntil(isSet, { what: () => `the database to set its clock (${failure})`, deadlineMs: SET_MS });
  }
}

const endConnections = async (database: Database): Promise<void> => {
  const installed = await database.rows(atSchema, "select pg_catalog.now()::text as at");
  await database.execute(`select pg_terminate_backend(pid) ${CONNECTED_BEFORE}`, installed);
  await waitUntil(
    async () => {
      const [left] = await database.rows(
        countSchema,
        `select count(*)::int as count ${CONNECTED_BEFORE}`,
        installed,
      );
      return left?.count === 0 ? true : undefined;
    },
    { what: "connections of before to end", deadlineMs: SET_MS },
  );
};
