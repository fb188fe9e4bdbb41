import type { World } from "@conclave/custody";
import {
  type Dump,
  dumpDatabase,
  type ModelConnection,
  ModelServer,
  type ModelServerOptions,
} from "@conclave/postgres-model";
import { z } from "zod";
import { asOutage } from "../../postgres/connection/away.ts";
import type { Runner } from "../../postgres/connection/statements.ts";
import type { Database } from "../../postgres/database.ts";
import { connecting, type ProcessStore } from "./memory-database.ts";
import { answered, type MemoryClient, never, type StoreServer } from "./store-server.ts";

const TAKE_LOCK = "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked";
const taken = z.object({ locked: z.boolean() });

/** The model of PostgreSQL as a store's server: its clients have any number of connections at the same time. */
class ModelStoreServer implements StoreServer {
  readonly #server: ModelServer;
  readonly #open = new Map<MemoryClient, Set<ModelConnection>>();

  constructor(server: ModelServer) {
    this.#server = server;
  }

  async alone<T>(client: MemoryClient, use: (runner: Runner) => Promise<T>): Promise<T> {
    if (client.isGone) return never();
    const open = this.#open.get(client) ?? new Set();
    this.#open.set(client, open);
    const connection = this.#server.connect();
    open.add(connection);
    try {
      return await use({ query: (asked) => answered(client, asked, () => connection.query(asked)) });
    } finally {
      connection.close();
      open.delete(connection);
    }
  }

  /** A transaction holds the lock, as on PostgreSQL. */
  holding<T>(
    client: MemoryClient,
    lock: string,
    work: () => Promise<T>,
  ): Promise<{ readonly value: T } | undefined> {
    return this.alone(client, async ({ query }) => {
      await query({ text: "begin", values: [] }).catch(asOutage);
      const { rows } = await query({ text: TAKE_LOCK, values: [lock] }).catch(asOutage);
      return taken.parse(rows[0]).locked ? { value: await work() } : undefined;
    });
  }

  async listen(channel: string, onNotify: () => void): Promise<() => Promise<void>> {
    const stop = this.#server.listen(channel, onNotify);
    return async () => stop();
  }

  async end(client: MemoryClient): Promise<void> {
    client.isGone = true;
    for (const connection of this.#open.get(client) ?? []) connection.close();
    this.#open.delete(client);
  }
}

/** The time of a model, and its dump. */
export interface ModelStoreOptions
  extends Pick<World, "nowMs">,
    Pick<ModelServerOptions, "after" | "ran" | "broke"> {}

/** A database of several processes in the model of PostgreSQL: their transactions overlap, and it opens at once. */
export const openModelStore = async (options: ModelStoreOptions, dump?: Dump): Promise<ProcessStore> => {
  const server = await ModelServer.open(options, dump);
  return {
    connect: connecting(new ModelStoreServer(server)),
    close: async () => server.close(),
  };
};

/** Reads the tables of a database, for stores in the model that begin with them. */
export const dumpOf = (database: Pick<Database, "rows">): Promise<Dump> =>
  dumpDatabase((text) => database.rows(z.record(z.string(), z.unknown()), text));
