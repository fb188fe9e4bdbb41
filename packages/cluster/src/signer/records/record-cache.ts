import type { ReadRecord } from "./history.ts";
import type { StoredRecord } from "./record.ts";

/**
 * Recently read records, up to a limit; the least recently used one is dropped first. The cache keeps no reference to a
 * dropped record.
 */
export class RecordCache {
  readonly #stored: ReadRecord;
  readonly #isKept: (record: string) => boolean;
  readonly #most: number;
  readonly #values = new Map<string, StoredRecord["value"]>();

  /**
   * @param stored the store's records
   * @param isKept whether to cache a record of this name; others are read each time
   */
  constructor(stored: ReadRecord, isKept: (record: string) => boolean, most: number) {
    this.#stored = stored;
    this.#isKept = isKept;
    this.#most = most;
  }

  /** number of cached records */
  get size(): number {
    return this.#values.size;
  }

  readonly read: ReadRecord = (record) => {
    const known = this.#values.get(record);
    const value = known ?? this.#stored(record);
    if (value === undefined || !this.#isKept(record)) return value;
    this.#values.delete(record);
    this.#values.set(record, value);
    const [longest] = this.#values.keys();
    if (longest !== undefined && this.#values.size > this.#most) this.#values.delete(longest);
    return value;
  };

  /** Drops a record that the store has changed or erased. */
  changed(record: string): void {
    this.#values.delete(record);
  }
}
