import type { Dump } from "@conclave/postgres-model";
import { openDatabase } from "../../postgres/database.ts";
import { processWorld } from "../../world.ts";
import { orchestratorLogin } from "../orchestrator-login.ts";
import { freshDatabase } from "../postgres/shared-postgres.ts";
import type { ProcessStore } from "./memory-database.ts";
import { dumpOf, openModelStore } from "./model-store.ts";

const after = (ms: number, over: () => void): (() => void) => {
  const timer = setTimeout(over, ms);
  return () => clearTimeout(timer);
};

const broke = (error: unknown): void => {
  throw error;
};

/** The model of PostgreSQL with the time of this machine. */
export const openModelInRealTime = (dump?: Dump): Promise<ProcessStore> =>
  openModelStore({ nowMs: processWorld.nowMs, after, broke }, dump);

let tables: Promise<Dump> | undefined;

/** The tables of a migrated database, read once in this process. */
export const migratedTables = (): Promise<Dump> => {
  tables ??= (async () => {
    const database = openDatabase({ url: await freshDatabase(), name: "dump" });
    const dump = await dumpOf(database);
    await database.close();
    return dump;
  })();
  return tables;
};

type Announce = (subject: string) => void;

const onPostgres = async (announce: Announce) => {
  const url = await freshDatabase();
  const owner = openDatabase({ url, name: "test", announce });
  return { owner, orchestrator: openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" }) };
};

const inModel = async (announce: Announce) => {
  const store = await openModelInRealTime(await migratedTables());
  const { freshId } = processWorld;
  return { owner: store.connect({ freshId, announce }), orchestrator: store.connect({ freshId }) };
};

/** Migrated databases, as their owner and an orchestrator use them: one suite is for each of them. */
export const DATABASES = [
  ["on PostgreSQL", onPostgres],
  ["in the model", inModel],
] as const;
