import { migrate } from "@conclave/platform";
import { dumpOf, openMemoryStore } from "@conclave/platform/testing";

let migrated: ReturnType<typeof dumpOf> | undefined;

/** The tables of a migrated database, which PostgreSQL itself (PGlite) makes by the migrations, once in this process. */
export const migratedDump = (): ReturnType<typeof dumpOf> => {
  migrated ??= (async () => {
    const store = await openMemoryStore({ nowMs: () => 0 });
    const database = store.connect({ freshId: () => never(), announce: () => undefined });
    await migrate(database);
    const dump = await dumpOf(database);
    await store.close();
    return dump;
  })();
  return migrated;
};

const never = (): never => {
  throw new Error("a migration makes no id");
};
