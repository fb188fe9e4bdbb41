import type { z } from "zod";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import type { Columns } from "./selection.ts";

export type Output<C extends Columns> = z.output<z.ZodObject<C>>;
type ReadOnly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
/** The values of columns, as given for writing. */
export type GivenColumns<C extends Columns> = { readonly [P in keyof C]: ReadOnly<z.output<C[P]>> };
export type Property<C extends Columns> = keyof C & string;

/** Column values that select a row; null matches rows in which the column is null. */
type Match<C extends Columns> = {
  readonly [P in keyof C]?: Exclude<z.output<C[P]>, undefined> | null;
};

type RowLock = "for update" | "for key share";

/** The options of a table in addition to its columns. */
export interface TableOptions<C extends Columns, Generated extends Property<C> = never> {
  /**
   * columns that `update` writes; columns that only the insert sets are not among them, because a later version may
   * store more in them
   */
  readonly changing?: readonly Property<C>[];
  /** columns by which `update` finds its row; `id` by default */
  readonly key?: readonly Property<C>[];
  /** columns that `insert` does not write, because their values come later */
  readonly later?: readonly Property<C>[];
  /** columns that only the database writes */
  readonly generated?: readonly Generated[];
  /** the date that orders pages, newest first; `dateCreated` by default */
  readonly pagedBy?: Property<C>;
  /** `select … from …` for rows that are read with columns of other tables, and this table's alias in it */
  readonly joined?: { readonly select: string; readonly alias: string };
}

/** Columns whose values a given value contains under the columns' names. */
type Held<C extends Columns, Given> = {
  [P in keyof C]: P extends keyof Given ? (Given[P] extends GivenColumns<C>[P] ? P : never) : never;
}[keyof C];

/** Maps a table's rows to its values, and given values to its columns. */
export interface Mapping<C extends Columns, Value, Given, Generated extends Property<C>> {
  /** parses a row whose columns are named like properties */
  readonly row: z.ZodType<Value>;
  /** the columns that the given value does not contain under their names */
  readonly derived: (given: Given) => Pick<GivenColumns<C>, Exclude<keyof C, Generated | Held<C, Given>>>;
}

/**
 * A table: its type, and its statements. Functions with `where` read this table alone; other SQL is written with
 * `columns` and `select`.
 */
export interface StoredTable<C extends Columns, Value, Given = Value> {
  readonly name: string;
  /** the schema that reads each column */
  readonly shape: C;
  /** the name of each column */
  readonly columns: { readonly [P in keyof C]: string };
  readonly row: z.ZodType<Value>;
  /** the select list of all columns */
  readonly list: string;
  /** `select … from …`, of whole rows */
  readonly select: string;
  /** the statement that writes the changing columns; it ends with `where id = $1`, or the table's key */
  readonly updateText: string;
  readonly updateValues: (given: Given) => readonly unknown[];
  /** @param onConflict such as `on conflict do nothing` @returns whether a row was added, or an existing one changed */
  insert(connection: Pick<Connection, "execute">, given: Given, onConflict?: string): Promise<boolean>;
  /** @returns whether the row exists */
  update(connection: Pick<Connection, "execute">, given: Given): Promise<boolean>;
  /** @throws UnreadableRow */
  one(connection: Pick<Connection, "rows">, where: Match<C>, lock?: RowLock): Promise<Value | undefined>;
  /** @param rest the statement from `where` on @throws UnreadableRow */
  rows(
    connection: Pick<Connection, "rows">,
    rest: string,
    values: readonly unknown[],
  ): Promise<readonly Value[]>;
  /** As `rows`; unreadable rows are left out. */
  listed(
    connection: Pick<Connection, "listed">,
    rest: string,
    values: readonly unknown[],
  ): Promise<Listed<Value>>;
  /** One page of a list. @param condition selects the rows; `values` are its $1 and so on */
  page(
    connection: Pick<Connection, "listed">,
    condition: string,
    values: readonly unknown[],
    page: Page,
  ): Promise<Listed<Value>>;
}

/** The type of a table's values. */
export type ValueOf<T> = T extends { readonly row: z.ZodType<infer Value> } ? Readonly<Value> : never;
