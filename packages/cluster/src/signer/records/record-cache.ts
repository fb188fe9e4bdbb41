import type { ReadRecord } from "./history.ts";
import type { StoredRecord } from "./record.ts";

/**
 * Records that were read lately, so many at most, the longest unused leaving first. A record that leaves the cache is held by
 * nobody here: it is readable no longer than its caller keeps it.
 */
export class RecordCache {
  readonly #stored: ReadRecord;
  readonly #isKept: (record: string) => boolean;
  readonly #most: number;
  readonly #values = new Map<string, StoredRecord["value"]>();

  /**
   * @param stored the store's records
   * @param isKept of names: other records are read each time
   */
  constructor(stored: ReadRecord, isKept: (record: string) => boolean, most: number) {
    this.#stored = stored;
    this.#isKept = isKept;
    this.#most = most;
  }

  /** of records, and so of memory */
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

  /** The store has another value, or none. */
  changed(record: string): void {
    this.#values.delete(record);
  }
}
