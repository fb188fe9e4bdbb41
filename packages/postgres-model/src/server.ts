import { ModelConnection, type ModelConnectionParts } from "./connection.ts";
import { ModelDatabase } from "./database.ts";
import { loadParser } from "./parse.ts";
import type { Dump } from "./schema/dump.ts";

export interface ModelServerOptions
  extends Pick<ModelConnectionParts, "after">,
    Pick<ModelConnectionParts, "broke">,
    Partial<Pick<ModelConnectionParts, "ran">> {
  /** Unix milliseconds: what `now()` tells */
  readonly nowMs: () => number;
}

/** Databases that were closed, by the dump that they begin with. */
const idle = new WeakMap<Dump, ModelDatabase[]>();

/** A PostgreSQL in this process, in which transactions overlap, wait for one another and are rolled back as there. */
export class ModelServer {
  readonly #database: ModelDatabase;
  readonly #dump: Dump | undefined;
  readonly #options: ModelServerOptions;
  readonly #listeners = new Map<string, Set<() => void>>();
  #connections = 0;
  #isClosed = false;

  private constructor(options: ModelServerOptions, dump: Dump | undefined) {
    this.#database = (dump === undefined ? undefined : idle.get(dump)?.pop()) ?? new ModelDatabase(dump);
    this.#database.nowMs = options.nowMs;
    this.#dump = dump;
    this.#options = options;
  }

  /** @param dump the tables and rows with which the server begins; servers of one dump share its compiled statements */
  static async open(options: ModelServerOptions, dump?: Dump): Promise<ModelServer> {
    await loadParser();
    return new ModelServer(options, dump);
  }

  /** A connection of its own. A transaction that it leaves open is rolled back when it is closed. */
  connect(): ModelConnection {
    const { after, broke, ran = () => undefined } = this.#options;
    this.#connections += 1;
    return new ModelConnection({
      number: this.#connections,
      database: this.#database,
      isOver: () => this.#isClosed,
      after,
      broke,
      ran,
      notify: (channels) => {
        for (const channel of channels) for (const notified of this.#listeners.get(channel) ?? []) notified();
      },
    });
  }

  /** Calls back for each notification of a channel. @returns what ends it */
  listen(channel: string, notified: () => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(notified));
    return () => void listeners.delete(notified);
  }

  /** Forgets all rows. Its connections run no statement after this. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#dump === undefined) return;
    this.#database.reset();
    idle.set(this.#dump, [...(idle.get(this.#dump) ?? []), this.#database]);
  }
}
