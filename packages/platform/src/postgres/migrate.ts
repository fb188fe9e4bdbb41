import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { ConfigurationError } from "../config/environment.ts";
import { Outage } from "../outage.ts";
import { codeOf } from "./connection/away.ts";
import type { DatabaseSession } from "./connection/session.ts";
import type { Connection, Database } from "./database.ts";
import { type LoneStatement, type MigrationFile, migrationNames, readMigration } from "./migration-file.ts";
import { grantOrchestrator } from "./orchestrator-rights.ts";

/** The advisory lock of migrations, the same in all processes: its holder migrates, the others wait. */
const MIGRATION_LOCK = 4_201_969;
const LOCK_PAUSE_MS = 200;
/** the wait is reported once in this many tries */
const TRIES_A_REPORT = 25;

const UNDEFINED_TABLE = "42P01";
const INSUFFICIENT_PRIVILEGE = "42501";
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";

const nameSchema = z.object({ name: z.string() });
const lockSchema = z.object({ locked: z.boolean() });

/** Progress reports of a migration. */
export type MigrationNews =
  | { readonly kind: "waits"; readonly why: "another process migrates" | "a table is in use" }
  | { readonly kind: "begins" | "ends"; readonly name: string };

export interface MigrationOptions {
  /** the login of orchestrators, if they have a separate one; it gets its rights together with the last file */
  readonly orchestrator?: string | undefined;
  readonly report?: (news: MigrationNews) => void;
  /** the folder of the files, if they are not this version's */
  readonly folder?: string;
}

/**
 * Applies the numbered SQL files that the database lacks, one process at a time. Each file commits by itself, so an
 * interrupted migration continues where it stopped. A statement may take any time; one that waits for a lock gives way
 * to others every few seconds, and tries again.
 *
 * @returns the names of the applied files
 * @throws Outage if the database does not answer: call it again; ConfigurationError if a newer version has migrated it
 */
export const migrate = (
  database: Pick<Database, "session">,
  { orchestrator, report = () => undefined, folder }: MigrationOptions = {},
): Promise<readonly string[]> =>
  database.session(async (session) => {
    await untilLocked(session, report);
    await session.execute(
      "create table if not exists schema_migrations (name text primary key, date_applied timestamptz not null)",
    );
    const known = await session.rows(nameSchema, "select name from schema_migrations");
    const missing = missingOf(
      await migrationNames(folder),
      known.map(({ name }) => name),
    );
    // in the last file's transaction, so that a process that sees this file applied also has its rights
    const grant = async (connection: Connection): Promise<void> => {
      if (orchestrator !== undefined) await grantOrchestrator(connection, orchestrator);
    };
    for (const name of missing) {
      report({ kind: "begins", name });
      const file = await readMigration(name, folder);
      await apply(session, file, report, name === missing.at(-1) ? grant : undefined);
      report({ kind: "ends", name });
    }
    if (missing.length === 0) await withLocks(report, () => session.transaction(grant));
    return missing;
  });

/** The files that a database lacks. This version must not use the tables of a newer one, which it would read wrongly. */
const missingOf = (files: readonly string[], applied: readonly string[]): readonly string[] => {
  const newer = applied.find((name) => name > (files.at(-1) ?? ""));
  if (newer !== undefined) {
    throw new ConfigurationError(
      `A newer version of Conclave has migrated the database (${newer}). Run that version, or restore a backup from before it.`,
    );
  }
  return files.filter((name) => !applied.includes(name));
};

/**
 * Whether the tables have the schema of this version, and this login may read the list of migrations.
 *
 * @throws ConfigurationError if they have the schema of a newer version
 */
export const isMigrated = async (database: Pick<Database, "rows">): Promise<boolean> => {
  const files = await migrationNames();
  try {
    const known = await database.rows(nameSchema, "select name from schema_migrations");
    return (
      missingOf(
        files,
        known.map(({ name }) => name),
      ).length === 0
    );
  } catch (error) {
    if (error instanceof Outage || isNotYet(error)) return false;
    throw error;
  }
};

const isNotYet = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === UNDEFINED_TABLE || code === INSUFFICIENT_PRIVILEGE;
};

type Report = (news: MigrationNews) => void;

/** Gets the session's lock by trying repeatedly, because a statement that waits for it would block an index build. */
const untilLocked = async (session: DatabaseSession, report: Report): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    const [row] = await session.rows(lockSchema, "select pg_try_advisory_lock($1) as locked", [
      MIGRATION_LOCK,
    ]);
    if (row?.locked === true) return;
    if (tries % TRIES_A_REPORT === 0) report({ kind: "waits", why: "another process migrates" });
    await pause(LOCK_PAUSE_MS);
  }
};

const apply = async (
  session: DatabaseSession,
  file: MigrationFile,
  report: Report,
  last: ((connection: Connection) => Promise<void>) | undefined,
): Promise<void> => {
  if (file.kind === "statements") await withLocks(report, () => runAlone(session, file.statements));
  await withLocks(report, () =>
    session.transaction(async (connection) => {
      if (file.kind === "script") await connection.execute(file.text);
      await connection.execute("insert into schema_migrations (name, date_applied) values ($1, now())", [
        file.name,
      ]);
      await last?.(connection);
    }),
  );
};

/** Runs statements that wait for locks as long as necessary: meanwhile they block neither reads nor writes. */
const runAlone = async (session: DatabaseSession, statements: readonly LoneStatement[]): Promise<void> => {
  await session.execute("set lock_timeout = 0");
  for (const { text, isRepeated } of statements) {
    let changed: number;
    do changed = await session.execute(text);
    while (isRepeated && changed > 0);
  }
  await session.execute("reset lock_timeout");
};

/** Repeats the work while another transaction holds a lock that it needs. Between two tries the others can go on. */
const withLocks = async <T>(report: Report, work: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const code = codeOf(error instanceof Outage ? error.cause : error);
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
      report({ kind: "waits", why: "a table is in use" });
      await pause(LOCK_PAUSE_MS);
    }
  }
};
