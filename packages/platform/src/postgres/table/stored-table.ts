import type { z } from "zod";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import type { Columns } from "./selection.ts";

export type Output<C extends Columns> = z.output<z.ZodObject<C>>;
type ReadOnly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
/** The values of columns, as they are given to be written. */
export type GivenColumns<C extends Columns> = { readonly [P in keyof C]: ReadOnly<z.output<C[P]>> };
export type Property<C extends Columns> = keyof C & string;

/** Columns that a row is found by, with their values; null finds rows in which the column is null. */
type Match<C extends Columns> = {
  readonly [P in keyof C]?: Exclude<z.output<C[P]>, undefined> | null;
};

type RowLock = "for update" | "for key share";

/** The options of a table beside its columns. */
export interface TableOptions<C extends Columns, Generated extends Property<C> = never> {
  /** columns that `update` writes; what a row was made with is not among them: a later version may have stored more there */
  readonly changing?: readonly Property<C>[];
  /** columns by which `update` finds its row; `id` unless it says otherwise */
  readonly key?: readonly Property<C>[];
  /** columns that `insert` does not write: what they hold comes later */
  readonly later?: readonly Property<C>[];
  /** columns that the database alone writes */
  readonly generated?: readonly Generated[];
  /** the date by which pages are in order, from the newest on; `dateCreated` unless it says otherwise */
  readonly pagedBy?: Property<C>;
  /** `select … from …` where a row is read with columns of other tables, and the alias of this one in it */
  readonly joined?: { readonly select: string; readonly alias: string };
}

/** Columns whose values stand in a given value under the names of the columns. */
type Held<C extends Columns, Given> = {
  [P in keyof C]: P extends keyof Given ? (Given[P] extends GivenColumns<C>[P] ? P : never) : never;
}[keyof C];

/** How a table's values are made of its rows, and its columns of what is given. */
export interface Mapping<C extends Columns, Value, Given, Generated extends Property<C>> {
  /** takes a row under the names of its properties */
  readonly row: z.ZodType<Value>;
  /** the columns that what is given does not hold under their names */
  readonly derived: (given: Given) => Pick<GivenColumns<C>, Exclude<keyof C, Generated | Held<C, Given>>>;
}

/** A table: its type, and its statements. All that takes `where` is for one table; plain SQL is written with `columns` and `select`. */
export interface StoredTable<C extends Columns, Value, Given = Value> {
  readonly name: string;
  /** how each column is read */
  readonly shape: C;
  /** the name of each column */
  readonly columns: { readonly [P in keyof C]: string };
  readonly row: z.ZodType<Value>;
  /** all columns, as a statement selects or returns them */
  readonly list: string;
  /** `select … from …`, of whole rows */
  readonly select: string;
  /** writes what can change of a row: the text ends with `where id = $1`, or by the table's key */
  readonly updateText: string;
  readonly updateValues: (given: Given) => readonly unknown[];
  /** @param onConflict such as `on conflict do nothing` @returns whether there is a row more, or one was changed instead */
  insert(connection: Pick<Connection, "execute">, given: Given, onConflict?: string): Promise<boolean>;
  /** @returns whether the row is there */
  update(connection: Pick<Connection, "execute">, given: Given): Promise<boolean>;
  /** @throws UnreadableRow */
  one(connection: Pick<Connection, "rows">, where: Match<C>, lock?: RowLock): Promise<Value | undefined>;
  /** @param rest of the statement, from `where` on @throws UnreadableRow */
  rows(
    connection: Pick<Connection, "rows">,
    rest: string,
    values: readonly unknown[],
  ): Promise<readonly Value[]>;
  /** The same without rows that cannot be read. */
  listed(
    connection: Pick<Connection, "listed">,
    rest: string,
    values: readonly unknown[],
  ): Promise<Listed<Value>>;
  /** One page of a list. @param condition which rows, by `values`: $1 and so on */
  page(
    connection: Pick<Connection, "listed">,
    condition: string,
    values: readonly unknown[],
    page: Page,
  ): Promise<Listed<Value>>;
}

/** The value of a table, as it is read. */
export type ValueOf<T> = T extends { readonly row: z.ZodType<infer Value> } ? Readonly<Value> : never;
