import type { z } from "zod";
import { bytesList } from "../columns.ts";
import { columnNameOf } from "./column-name.ts";
import { type Columns, listOf, selectionOf } from "./selection.ts";
import type { GivenColumns, Mapping, Output, Property, StoredTable, TableOptions } from "./stored-table.ts";

/** A table whose values are its columns. */
export const plainTable = <C extends Columns, Generated extends Property<C> = never>(
  name: string,
  columns: C,
  options: TableOptions<C, Generated> = {},
): StoredTable<C, Output<C>, Omit<GivenColumns<C>, Generated>> =>
  tableOf(name, columns, { row: selectionOf(columns).row, derived: nothing }, options);

/** A table whose values are derived from its columns. */
export function mappedTable<C extends Columns, Value, Generated extends Property<C> = never>(
  name: string,
  columns: C,
  mapping: { readonly row: z.ZodType<Value> },
  options?: TableOptions<C, Generated>,
): StoredTable<C, Value, Omit<GivenColumns<C>, Generated>>;
export function mappedTable<
  C extends Columns,
  Value,
  Given extends object,
  Generated extends Property<C> = never,
>(
  name: string,
  columns: C,
  mapping: Mapping<C, Value, Given, Generated>,
  options?: TableOptions<C, Generated>,
): StoredTable<C, Value, Given>;
export function mappedTable<C extends Columns, Value, Given extends object>(
  name: string,
  columns: C,
  { row, derived = nothing }: { readonly row: z.ZodType<Value>; readonly derived?: (given: Given) => object },
  options: TableOptions<C, Property<C>> = {},
): StoredTable<C, Value, Given> {
  return tableOf(name, columns, { row, derived }, options);
}

const nothing = (): object => ({});

const tableOf = <C extends Columns, Value, Given extends object>(
  name: string,
  columns: C,
  { row, derived }: { readonly row: z.ZodType<Value>; readonly derived: (given: Given) => object },
  options: TableOptions<C, Property<C>>,
): StoredTable<C, Value, Given> => {
  const { changing = [], key = ["id"], pagedBy = "dateCreated", joined } = options;
  const left = leftOut(options);
  const inserted = Object.keys(columns).filter((property) => !left.has(property));
  const writers = (properties: readonly string[]): readonly Writer[] =>
    properties.map((property) => ({ property, isList: columns[property] === bytesList }));
  const [inserting, updating] = [writers(inserted), writers([...key, ...changing])];
  const values = (given: Given, those: readonly Writer[]): readonly unknown[] => {
    const made = derived(given);
    return those.map(({ property, isList }) =>
      written(Reflect.get(property in made ? made : given, property), isList),
    );
  };
  const insertText = `insert into ${name} (${inserted.map(columnNameOf).join(", ")})
    values (${inserted.map((_, at) => `$${at + 1}`).join(", ")})`;
  const updated = [...key, ...changing];
  const set = updated.map((property, at) => `${columnNameOf(property)} = $${at + 1}`);
  const updateText = `update ${name} set ${set.slice(key.length).join(", ")}
    where ${set.slice(0, key.length).join(" and ")}`;
  const list = listOf(columns);
  const select = joined?.select ?? `select ${list} from ${name}`;
  const read = (property: string): string =>
    joined === undefined ? columnNameOf(property) : `${joined.alias}.${columnNameOf(property)}`;
  const [date, id] = [read(pagedBy), read("id")];
  return {
    name,
    shape: columns,
    columns: namesOf(columns),
    row,
    list,
    select,
    updateText,
    updateValues: (given) => values(given, updating),
    insert: async (connection, given, onConflict = "") =>
      (await connection.execute(`${insertText} ${onConflict}`, values(given, inserting))) === 1,
    update: async (connection, given) =>
      (await connection.execute(updateText, values(given, updating))) === 1,
    one: async (connection, where, lock) => {
      const { condition, found } = matching(where, read);
      const locking = lock === undefined ? "" : joined === undefined ? lock : `${lock} of ${joined.alias}`;
      const [one] = await connection.rows(row, `${select} where ${condition} ${locking}`, found);
      return one;
    },
    rows: (connection, rest, given) => connection.rows(row, `${select} ${rest}`, given),
    listed: (connection, rest, given) => connection.listed(row, `${select} ${rest}`, given),
    page: (connection, condition, given, { limit, after }) => {
      const [afterDate, afterId, most] = [1, 2, 3].map((more) => `$${given.length + more}`);
      return connection.listed(
        row,
        `${select} where ${condition}
           and (${afterDate}::timestamptz is null or (${date}, ${id}) < (${afterDate}, ${afterId}))
         order by ${date} desc, ${id} desc limit ${most}`,
        [...given, after?.date ?? null, after?.id ?? null, limit],
      );
    },
  };
};

/** The columns that an insert does not write. */
const leftOut = <C extends Columns>({
  later = [],
  generated = [],
}: TableOptions<C, Property<C>>): ReadonlySet<string> => new Set([...later, ...generated]);

interface Writer {
  readonly property: string;
  /** whether the column is a list of bytes */
  readonly isList: boolean;
}

/** A value as the driver takes it: objects and lists become JSON, except lists of bytes. */
const written = (value: unknown, isList: boolean): unknown => {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return isList ? value : JSON.stringify(value);
};

function namesOf<C extends Columns>(columns: C): { readonly [P in keyof C]: string };
function namesOf(columns: Columns): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(columns).map((property) => [property, columnNameOf(property)]));
}

const matching = (where: object, read: (property: string) => string) => {
  const found: unknown[] = [];
  const conditions = Object.keys(where).map((property) => {
    const value: unknown = Reflect.get(where, property);
    if (value === null) return `${read(property)} is null`;
    return `${read(property)} = $${found.push(written(value, false))}`;
  });
  return { condition: conditions.join(" and "), found };
};
