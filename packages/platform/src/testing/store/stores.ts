import { type Database, openDatabase } from "../../postgres/database.ts";
import { migrate } from "../../postgres/migrate.ts";
import { processWorld } from "../../world.ts";
import { freshDatabase } from "../postgres/shared-postgres.ts";
import { startSilentProxy } from "../silent-proxy.ts";
import { type MemoryProcess, openMemoryDatabase } from "./memory-database.ts";
import { migratedTables, openModelInRealTime } from "./real-time-model.ts";
import type { StatementFate } from "./store-server.ts";

/** A store that a test can take away. */
export interface OpenedStore {
  readonly store: Database;
  /** Statements are not answered from now on, and nothing is done. */
  readonly vanish: () => void;
  /**
   * The next statement with these words, or this value, is done, and its answer is lost; nothing is answered
   * after it.
   */
  readonly loseAnswerTo: (sent: string) => void;
  /** how many statements were answered */
  readonly answers: () => number;
  readonly comeBack: () => void;
  /** Makes the tables of this version. */
  readonly migrate: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** wide enough for a busy machine: what is slow here is taken for lost */
const BOUNDS = { connectMs: 2_000, answerMs: 2_000, askMs: 50, closeMs: 200 };

/** Carries what a store announces. */
type Announce = (subject: string) => void;

const onPostgres = async (announce: Announce): Promise<OpenedStore> => {
  const proxy = await startSilentProxy(await freshDatabase("empty"));
  const store = openDatabase({ url: proxy.url, name: "store", bounds: BOUNDS, announce });
  return {
    store,
    vanish: proxy.silence,
    loseAnswerTo: proxy.silenceAfter,
    answers: proxy.answers,
    comeBack: proxy.restore,
    migrate: () => migrated(store),
    close: async () => {
      await store.close();
      await proxy.stop();
    },
  };
};

const migrated = async (store: Database): Promise<void> => {
  await migrate(store);
};

const opened = async (
  announce: Announce,
  open: (process: Required<MemoryProcess>) => Promise<Database>,
  makeTables: (store: Database) => Promise<void>,
): Promise<OpenedStore> => {
  let isAway = false;
  let answers = 0;
  let lost: string | undefined;
  const fate = (text: string, values: readonly unknown[]): StatementFate | undefined => {
    if (isAway) return "unsent";
    isAway = lost !== undefined && (text === lost || values.includes(lost));
    if (isAway) return "unanswered";
    answers += 1;
    return undefined;
  };
  const store = await open({ freshId: processWorld.freshId, announce, fate });
  return {
    store,
    vanish: () => {
      isAway = true;
    },
    loseAnswerTo: (sent) => {
      lost = sent;
    },
    answers: () => answers,
    comeBack: () => {
      [isAway, lost] = [false, undefined];
    },
    migrate: () => makeTables(store),
    close: () => store.close(),
  };
};

const inMemory = (announce: Announce): Promise<OpenedStore> =>
  opened(announce, (process) => openMemoryDatabase({ ...process, nowMs: processWorld.nowMs }), migrated);

const inModel = (announce: Announce): Promise<OpenedStore> =>
  opened(announce, async (process) => (await openModelInRealTime()).connect(process), loadDump);

const loadDump = async (store: Database): Promise<void> => {
  const { definitions, rows } = await migratedTables();
  for (const definition of definitions) await store.execute(definition);
  for (const { text, json } of rows) await store.execute(text, [json]);
};

/** The stores, empty, without tables: one suite is for each of them. */
export const STORES = [
  ["on PostgreSQL", onPostgres],
  ["in memory", inMemory],
  ["in the model", inModel],
] as const;
