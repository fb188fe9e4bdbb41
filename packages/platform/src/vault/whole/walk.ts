import type { Table } from "../table.ts";

/** Number of entries that are read at once: this takes some 2 ms, for which a write waits. */
const ROWS_AT_ONCE = 256;

type Range = Parameters<Table["iterator"]>[0];
export type Row = readonly [name: string, value: Uint8Array];

/** An entry before and after a write, as units; undefined if there is no entry. */
export interface Move {
  readonly name: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** The next possible name in the order of the table. */
export const nameAfter = (name: string): string => `${name}\u{0}`;

/**
 * Entries of a table as they are, all read when this resolves.
 *
 * No write may run meanwhile. LevelDB 1.20 keeps several values of an entry only for iterators that are open during
 * writes, and it may then leave the newest below an older one: `get` finds the older one from then on (google/leveldb
 * issue 320).
 */
export const readRows = async (table: Table, range: Range): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for await (const row of table.iterator(range)) rows.push(row);
  return rows;
};

/**
 * The progress of a reader that reads entries in the order of their names, part by part, while writes happen between
 * two parts.
 */
export class Walk {
  readonly #range: Range;
  readonly #follow: (moves: readonly Move[]) => void;
  #next: string;
  #left: number;

  /** @param follow is called with the changes that a write makes to entries that were read already */
  constructor(range: Range, follow: (moves: readonly Move[]) => void) {
    this.#range = range;
    this.#follow = follow;
    this.#next = range.gte;
    this.#left = range.limit ?? Number.POSITIVE_INFINITY;
  }

  get isOver(): boolean {
    return this.#left === 0;
  }

  /** The range to read next. */
  get part(): Required<Range> {
    return { gte: this.#next, lt: this.#range.lt, limit: Math.min(this.#left, ROWS_AT_ONCE) };
  }

  /** @param rows the entries of that range, read between two writes */
  passed(rows: readonly Row[]): void {
    const last = rows.length < this.part.limit ? undefined : rows.at(-1);
    this.#left = last === undefined ? 0 : this.#left - rows.length;
    this.#next = last === undefined ? this.#range.lt : nameAfter(last[0]);
  }

  /** Called when a write is on disk. */
  landed(moves: readonly Move[]): void {
    const behind = moves.filter(({ name }) => !isBefore(name, this.#range.gte) && isBefore(name, this.#next));
    if (behind.length > 0) this.#follow(behind);
  }
}

/** The table's order is that of bytes, which differs from the order of strings for some characters. */
const isBefore = (one: string, other: string): boolean =>
  Buffer.compare(Buffer.from(one, "utf8"), Buffer.from(other, "utf8")) < 0;
