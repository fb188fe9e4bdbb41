import type { World } from "@conclave/custody";
import {
  type ConnectionParts,
  committedBy,
  inTransactionOf,
  statementsOf,
} from "../../postgres/connection/statements.ts";
import type { Database } from "../../postgres/database.ts";
import type { MemoryClient, StoreServer } from "./store-server.ts";

/** A process, as the store sees it. */
export interface MemoryProcess extends Pick<World, "freshId">, Partial<Pick<MemoryClient, "fate">> {
  /** carries announcements; without it nobody hears them */
  readonly announce?: (subject: string) => void;
}

/** `nowMs` is what `now()` of every statement and transaction tells: the database has no other clock. */
export interface MemoryDatabaseOptions extends Pick<World, "nowMs">, MemoryProcess {}

/** The database as one process uses it. */
export interface ProcessDatabase extends Database {
  /**
   * The process ends in the middle of what it does: its transaction is rolled back and its locks are free, and no statement of it is
   * answered any more. Resolves when the others can find that.
   */
  die(): Promise<void>;
}

/** A database of several processes. */
export interface ProcessStore {
  connect(process: MemoryProcess): ProcessDatabase;
  close(): Promise<void>;
}

/** A database of several processes that can be copied. */
export interface MemoryStore extends ProcessStore {
  /** Copies all data while nobody uses the store, for stores that begin with it: they open in a fraction of the time. */
  copy(): Promise<Blob>;
}

/**
 * A database in this process's memory, for tests and simulators: PostgreSQL itself, compiled to WebAssembly, under virtual time. It
 * runs the statements and migrations of the real one. It has one connection: a transaction runs to its end before another statement
 * does, so that two of them never overlap. Work in a transaction uses its connection alone.
 */
export const openMemoryStore = async ({ nowMs }: Pick<World, "nowMs">, copy?: Blob): Promise<MemoryStore> => {
  // PGlite is large, and not every process that imports this file opens such a store
  const { MemoryServer } = await import("./memory-server.ts");
  const server = await MemoryServer.open(nowMs, copy);
  return { connect: connecting(server), copy: () => server.copy(), close: () => server.close() };
};

/** Gives each process of a server's store a client of its own. */
export const connecting = (server: StoreServer): ProcessStore["connect"] => {
  let clients = 0;
  return (process) => {
    clients += 1;
    return databaseOf(server, clients, process);
  };
};

/** The same for one process, which closes it. */
export const openMemoryDatabase = async (options: MemoryDatabaseOptions): Promise<Database> => {
  const store = await openMemoryStore(options);
  return { ...store.connect(options), close: store.close };
};

const databaseOf = (server: StoreServer, number: number, process: MemoryProcess): ProcessDatabase => {
  const { announce, fate, freshId } = process;
  const client: MemoryClient = {
    number,
    isGone: false,
    leave: () => undefined,
    fate: (text, values) => fate?.(text, values),
  };
  const parts: ConnectionParts = {
    announce: (subject) => announce?.(subject),
    unreadable: () => undefined,
    freshId,
  };
  return {
    ...statementsOf({ query: (asked) => server.alone(client, (runner) => runner.query(asked)) }, parts),
    transaction: (work) => server.alone(client, (runner) => inTransactionOf(runner, work, parts)),
    commit: (schema, text, values) =>
      server.alone(client, (runner) => committedBy(runner, schema, text, values)),
    session: (work) =>
      server.alone(client, (runner) =>
        work({
          ...statementsOf(runner, parts),
          transaction: (inside) => inTransactionOf(runner, inside, parts),
        }),
      ),
    exclusively: (lock, work) => server.holding(client, lock, () => work(new AbortController().signal)),
    listen: (channel, onNotify) => {
      const hear = (): void => {
        if (!client.isGone) onNotify();
      };
      const listening = server.listen(channel, hear).then((stop) => {
        hear();
        return stop;
      });
      return { stop: async () => (await listening)() };
    },
    close: () => server.end(client),
    die: () => server.end(client),
  };
};
