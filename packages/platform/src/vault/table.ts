/** One change of a batch. */
export type TableChange =
  | { readonly type: "put"; readonly key: string; readonly value: Uint8Array }
  | { readonly type: "del"; readonly key: string };

/** The table below a vault: names in order, with bytes as values. LevelDB on disk, memory-level in tests. */
export interface Table {
  get(name: string): Promise<Uint8Array | undefined>;
  /** As `get`, synchronously: for decisions before which nothing else may happen. */
  getSync(name: string): Uint8Array | undefined;
  put(name: string, value: Uint8Array, options: { readonly sync: boolean }): Promise<void>;
  del(name: string, options: { readonly sync: boolean }): Promise<void>;
  /** Applies all changes or none. */
  batch(changes: TableChange[], options: { readonly sync: boolean }): Promise<void>;
  iterator(range: {
    readonly gte: string;
    readonly lt: string;
    readonly limit?: number;
  }): AsyncIterable<[string, Uint8Array]>;
  close(): Promise<void>;
}

/** The end of the range of names that begin with a prefix. */
export const afterPrefix = (prefix: string): string => `${prefix}\u{10ffff}`;
