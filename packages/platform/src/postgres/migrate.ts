import { readdir, readFile } from "node:fs/promises";
import { z } from "zod";
import type { Connection, Database } from "./database.ts";

/** One number for all Conclave processes: whoever holds this advisory lock migrates, the others wait for it. */
const MIGRATION_LOCK = 4_201_969;

/** Found from the package folder, so that compiled code in dist reads the same files as the sources in src. */
const FOLDER = new URL("../../src/postgres/migrations/", import.meta.url);

const FILE_NAME = /^\d{3}_[a-z_]+\.sql$/;

/**
 * Applies the numbered SQL files that the database does not have yet, all in one transaction, so that a failure
 * leaves the schema as it was.
 * @returns the names of the files that were applied now
 */
export const migrate = async (database: Database): Promise<readonly string[]> => {
  const files = (await readdir(FOLDER)).filter((name) => FILE_NAME.test(name)).sort();
  return database.transaction(async (connection) => {
    await connection.execute("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await connection.execute(
      "create table if not exists schema_migrations (name text primary key, date_applied timestamptz not null)",
    );
    const known = await connection.rows(z.object({ name: z.string() }), "select name from schema_migrations");
    const applied = new Set(known.map((row) => row.name));
    const missing = files.filter((name) => !applied.has(name));
    for (const name of missing) await apply(connection, name);
    return missing;
  });
};

const apply = async (connection: Connection, name: string): Promise<void> => {
  await connection.execute(await readFile(new URL(name, FOLDER), "utf8"));
  await connection.execute("insert into schema_migrations (name, date_applied) values ($1, now())", [name]);
};
