import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { migrate } from "@conclave/platform";
import { dumpOf, migrationFiles, openMemoryStore } from "@conclave/platform/testing";
import { keptDump } from "./kept-dump.ts";

const { resolve } = createRequire(import.meta.url);
/** Beside the migrations: the version of PGlite, and the queries of a dump. */
const PLATFORM = resolve("@conclave/platform/package.json");
const FOLDER = join(dirname(PLATFORM), "node_modules/.cache/migrated-dumps");
const QUERIES = join(dirname(resolve("@conclave/postgres-model/package.json")), "src/schema/dump.ts");

let migrated: ReturnType<typeof dumpOf> | undefined;

/** The tables of a migrated database, which PostgreSQL itself (PGlite) makes by the migrations, once for these migrations on this machine. */
export const migratedDump = (): ReturnType<typeof dumpOf> => {
  migrated ??= (async () =>
    keptDump({ folder: FOLDER, sources: [PLATFORM, QUERIES, ...(await migrationFiles())], make }))();
  return migrated;
};

const make = async (): ReturnType<typeof dumpOf> => {
  const store = await openMemoryStore({ nowMs: () => 0 });
  const database = store.connect({ freshId: () => never(), announce: () => undefined });
  await migrate(database);
  const dump = await dumpOf(database);
  await store.close();
  return dump;
};

const never = (): never => {
  throw new Error("a migration makes no id");
};
