import type { Node, TypeName } from "libpg-query";
import type { TupleVersion } from "../storage/tuple.ts";
import { fromDriver } from "../value/driver.ts";
import { SqlStateError, UnknownSql } from "../value/sql-error.ts";
import { arrayType, type Column, type SqlType, type SqlValue } from "../value/value.ts";
import type { DatabaseSchema } from "./definition.ts";
import type { Expression, Frame, QueryResult, SqlCommand } from "./frame.ts";

/** An entry of a `from`: its columns, and the slot that its row is bound to. */
export interface RangeEntry {
  readonly alias: string;
  readonly slot: number;
  readonly columns: readonly Column[];
  readonly isTable: boolean;
}

/** A `with` whose rows are in a list of the frame. */
export interface CommonTable {
  readonly list: number;
  readonly slot: number;
  readonly columns: readonly Column[];
}

/** An aggregate or a window function: computed over bound rows, and read as a column of a slot. */
export interface ComputedColumns {
  readonly slot: number;
  readonly calls: ((rows: readonly BoundRows[], frame: Frame, bind: (row: BoundRows) => void) => SqlValue)[];
}

/** The rows of all entries of one `from`, one of each. */
export type BoundRows = readonly Frame["slots"][number][];

export interface Numbering {
  readonly partition: readonly Expression[];
  readonly order: readonly SortKey[];
}

export interface SortKey {
  readonly expression: Expression;
  readonly isDescending: boolean;
  readonly areNullsFirst: boolean;
}

/** The names that an expression can use. */
export interface Scope {
  readonly entries: RangeEntry[];
  readonly tables: ReadonlyMap<string, CommonTable>;
  readonly parent: Scope | undefined;
  /** of the select that has this scope; absent where there can be none */
  readonly aggregates?: ComputedColumns;
  readonly numberings?: { readonly slot: number; readonly calls: Numbering[] };
}

/** A query as it can be run again and again. */
export interface Query {
  readonly columns: readonly Column[];
  /** @param most rows that are wanted: those beyond need not be computed */
  readonly run: (frame: Frame, most?: number) => QueryResult;
}

export type CompileQuery = (
  node: Node,
  scope: Scope,
  compilation: Compilation,
  wanted?: readonly (SqlType | undefined)[],
) => Query;

/** The compilation of one statement: its slots and handed values. */
export class Compilation {
  readonly schema: DatabaseSchema;
  readonly compileQuery: CompileQuery;
  #slots: number;
  #lists = 0;
  #memos = 0;
  readonly #parameters: { readonly number: number; readonly type: SqlType }[] = [];
  #used: Set<number>[] = [];

  /** @param slots that the caller binds by itself */
  constructor(schema: DatabaseSchema, compileQuery: CompileQuery, slots = 0) {
    this.schema = schema;
    this.compileQuery = compileQuery;
    this.#slots = slots;
  }

  newSlot(): number {
    this.#slots += 1;
    return this.#slots - 1;
  }

  newList(): number {
    this.#lists += 1;
    return this.#lists - 1;
  }

  newMemo(): number {
    this.#memos += 1;
    return this.#memos - 1;
  }

  /** A handed value, as one of a type. */
  parameter(number: number, type: SqlType): Expression {
    let index = this.#parameters.findIndex((known) => known.number === number && known.type === type);
    if (index < 0) index = this.#parameters.push({ number, type }) - 1;
    return { type, evaluate: ({ parameters }) => parameters[index] ?? null };
  }

  /** Notes that what is compiled reads a slot. */
  use(slot: number): void {
    for (const used of this.#used) used.add(slot);
  }

  /** Compiles something, and finds which slots it reads of those that were there before. */
  tracked<T>(compile: () => T): { readonly made: T; readonly slots: ReadonlySet<number> } {
    const first = this.#slots;
    const used = new Set<number>();
    this.#used.push(used);
    const made = compile();
    this.#used.pop();
    return { made, slots: new Set([...used].filter((slot) => slot < first)) };
  }

  frame(command: SqlCommand): Frame {
    return {
      command,
      slots: [],
      parameters: this.#parameters.map(({ number, type }) => fromDriver(command.given[number - 1], type)),
      lists: [],
      memos: [],
    };
  }
}

/** The text of a name in a tree. */
export const nameIn = (node: Node | undefined): string => {
  if (node !== undefined && "String" in node) return node.String.sval ?? "";
  throw new UnknownSql("a name that is no word");
};

const SYSTEM_COLUMNS = ["tableoid", "cmin", "cmax", "xmax", "oid"];

/** The value of a column that a reference names. */
export const resolveColumn = (
  [first = "", ...rest]: readonly string[],
  scope: Scope,
  compilation: Compilation,
): Expression => {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
    for (const entry of at.entries) {
      if (rest.length > 0 && entry.alias !== first) continue;
      const found = columnOf(entry, rest.at(-1) ?? first, compilation);
      if (found !== undefined) return found;
    }
  if (SYSTEM_COLUMNS.includes(rest.at(-1) ?? first))
    throw new UnknownSql(`the column ${rest.at(-1) ?? first}`);
  throw new SqlStateError("42703", `column ${[first, ...rest].join(".")} does not exist`);
};

const columnOf = (
  { slot, columns, isTable }: RangeEntry,
  name: string,
  compilation: Compilation,
): Expression | undefined => {
  const position = columns.findIndex((column) => column.name === name);
  const column = columns[position];
  if (column !== undefined) {
    compilation.use(slot);
    return { type: column.type, evaluate: ({ slots }) => slots[slot]?.values[position] ?? null };
  }
  const ofVersion = VERSION_COLUMNS[name];
  if (ofVersion === undefined || !isTable) return undefined;
  compilation.use(slot);
  return {
    type: ofVersion.type,
    evaluate: ({ slots }) => {
      const row = slots[slot];
      return row !== undefined && isVersion(row) ? ofVersion.valueOf(row) : null;
    },
  };
};

interface VersionColumn {
  readonly type: SqlType;
  readonly valueOf: (version: TupleVersion) => SqlValue;
}

/** The columns of each version of a row that PostgreSQL adds. */
const VERSION_COLUMNS: Readonly<Record<string, VersionColumn>> = {
  xmin: { type: "xid", valueOf: ({ xid }) => xid },
  // the place of a version, by which it can be found again, but not shown: PostgreSQL's is another one
  ctid: { type: "tid", valueOf: (version) => placeOf(version) },
};

const places = new WeakMap<TupleVersion, number>();
let placesGiven = 0;

const placeOf = (version: TupleVersion): number => {
  const known = places.get(version);
  if (known !== undefined) return known;
  placesGiven += 1;
  places.set(version, placesGiven);
  return placesGiven;
};

export const isVersion = (row: object): row is TupleVersion => "tuple" in row;

/** The entry that a name stands for, with all its columns. */
export const findEntry = (alias: string, scope: Scope): RangeEntry | undefined => {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = at.entries.find((entry) => entry.alias === alias);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const findCommonTable = (name: string, scope: Scope): CommonTable | undefined => {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = at.tables.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
};

const TYPES: Readonly<Record<string, SqlType>> = {
  bool: "bool",
  boolean: "bool",
  int4: "int4",
  integer: "int4",
  int: "int4",
  int8: "int8",
  bigint: "int8",
  numeric: "numeric",
  float8: "float8",
  text: "text",
  varchar: "text",
  uuid: "uuid",
  jsonb: "jsonb",
  bytea: "bytea",
  timestamptz: "timestamptz",
  interval: "interval",
  xid: "xid",
  void: "void",
  trigger: "record",
};

export const typeNamed = ({ names = [], arrayBounds = [] }: TypeName): SqlType => {
  const name = nameIn(names.at(-1));
  const type = TYPES[name];
  if (type === undefined) throw new UnknownSql(`the type ${name}`);
  return arrayBounds.length === 0 ? type : arrayType(type);
};
