import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import { Outage } from "../outage.ts";
import type { Connection, Database } from "./database.ts";
import { grantOrchestrator } from "./orchestrator-rights.ts";

/** The advisory lock of migrations, the same in all processes: its holder migrates, the others wait. */
const MIGRATION_LOCK = 4_201_969;

/** The folder is found from the package's folder, so that sources, compiled code and bundles read the same files. */
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve("@conclave/platform/package.json")),
  "src/postgres/migrations",
);

const FILE_NAME = /^\d{3}_[a-z_]+\.sql$/;

const UNDEFINED_TABLE = "42P01";
const INSUFFICIENT_PRIVILEGE = "42501";

const nameSchema = z.object({ name: z.string() });
const filesOf = async (): Promise<readonly string[]> =>
  (await readdir(FOLDER)).filter((name) => FILE_NAME.test(name)).sort();

/**
 * Applies the numbered SQL files that the database lacks, all in one transaction, so that a failure leaves the schema as it
 * was.
 * @param orchestrator the login of orchestrators, if they have their own; its rights are granted in the same transaction
 * @returns the names of the applied files
 */
export const migrate = async (database: Database, orchestrator?: string): Promise<readonly string[]> => {
  const files = await filesOf();
  return database.transaction(async (connection) => {
    await connection.execute("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await connection.execute(
      "create table if not exists schema_migrations (name text primary key, date_applied timestamptz not null)",
    );
    const known = await connection.rows(nameSchema, "select name from schema_migrations");
    const applied = new Set(known.map((row) => row.name));
    const missing = files.filter((name) => !applied.has(name));
    for (const name of missing) await apply(connection, name);
    if (orchestrator !== undefined) await grantOrchestrator(connection, orchestrator);
    return missing;
  });
};

/** Whether the tables have the schema of this version, and this login may read that. */
export const isMigrated = async (database: Pick<Database, "rows">): Promise<boolean> => {
  const files = await filesOf();
  try {
    const known = await database.rows(nameSchema, "select name from schema_migrations");
    const applied = new Set(known.map(({ name }) => name));
    return files.every((name) => applied.has(name));
  } catch (error) {
    if (error instanceof Outage || isNotYet(error)) return false;
    throw error;
  }
};

const isNotYet = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === UNDEFINED_TABLE || error.code === INSUFFICIENT_PRIVILEGE);

const apply = async (connection: Connection, name: string): Promise<void> => {
  await connection.execute(await readFile(join(FOLDER, name), "utf8"));
  await connection.execute("insert into schema_migrations (name, date_applied) values ($1, now())", [name]);
};
