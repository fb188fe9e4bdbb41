import { equalityKey } from "../value/compare.ts";
import type { Column, SqlValue } from "../value/value.ts";
import { Tuple, type TupleVersion } from "./tuple.ts";

type Key = ReturnType<typeof equalityKey>;

/** A table's rows, found by the values of single columns. */
export class SqlTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly #tuples = new Set<Tuple>();
  /** by position of a column: the rows that have, or had in a version that may still be seen, a value there */
  readonly #byColumn = new Map<number, Map<Key, Map<Tuple, number>>>();
  readonly #positions: ReadonlyMap<string, number>;
  #identity = 0n;

  constructor(name: string, columns: readonly Column[]) {
    this.name = name;
    this.columns = columns;
    this.#positions = new Map(columns.map((column, position) => [column.name, position]));
  }

  /** The position of a column; undefined if the table has none of this name. */
  position(column: string): number | undefined {
    return this.#positions.get(column);
  }

  /** Has rows found by this column from now on. The table is still empty. */
  indexBy(position: number): void {
    if (!this.#byColumn.has(position)) this.#byColumn.set(position, new Map());
  }

  isIndexedBy(position: number): boolean {
    return this.#byColumn.has(position);
  }

  /** Forgets all rows, and begins to count anew. */
  clear(): void {
    this.#tuples.clear();
    for (const rows of this.#byColumn.values()) rows.clear();
    this.#identity = 0n;
  }

  newTuple(): Tuple {
    return new Tuple();
  }

  nextIdentity(): bigint {
    this.#identity += 1n;
    return this.#identity;
  }

  tuples(): Iterable<Tuple> {
    return this.#tuples;
  }

  /** The rows that may have a value in an indexed column: their visible version may have another one. */
  tuplesWith(position: number, value: SqlValue): Iterable<Tuple> {
    return this.#byColumn.get(position)?.get(equalityKey(value))?.keys() ?? [];
  }

  index(version: TupleVersion): void {
    const { tuple, values } = version;
    this.#tuples.add(tuple);
    for (const [position, rows] of this.#byColumn) {
      const key = equalityKey(values[position] ?? null);
      const found = rows.get(key) ?? new Map<Tuple, number>();
      found.set(tuple, (found.get(tuple) ?? 0) + 1);
      rows.set(key, found);
    }
  }

  /** Forgets a version that nobody can see any more. */
  unindex({ tuple, values }: TupleVersion): void {
    for (const [position, rows] of this.#byColumn) {
      const key = equalityKey(values[position] ?? null);
      const found = rows.get(key);
      const count = found?.get(tuple) ?? 0;
      if (count > 1) found?.set(tuple, count - 1);
      else found?.delete(tuple);
      if (found?.size === 0) rows.delete(key);
    }
    if (tuple.committed === undefined && tuple.pending.length === 0) this.#tuples.delete(tuple);
  }
}
