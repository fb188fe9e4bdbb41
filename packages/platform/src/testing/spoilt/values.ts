import { z } from "zod";
import { type Database, openDatabase } from "../../postgres/index.ts";

/** A column of a table of this service. */
export interface Column {
  readonly table: string;
  readonly name: string;
  /** in PostgreSQL's spelling: text, jsonb, timestamp with time zone, … */
  readonly type: string;
}

/** The columns of these tables that PostgreSQL does not fill itself, without booleans, every value of which is valid. */
export const columnsOf = (database: Database, tables: readonly string[]): Promise<readonly Column[]> =>
  database.rows(
    z.object({ table: z.string(), name: z.string(), type: z.string() }),
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relname = any($1) and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' and a.atttypid <> 'boolean'::regtype
      order by 1, a.attnum`,
    [tables],
  );

const WORDS = "words here";

/** Values that each type accepts and no record may have, as PostgreSQL reads them; null is tried for every type. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  text: [WORDS, ""],
  "timestamp with time zone": ["infinity", "290000-01-01", "0044-03-15 BC"],
  bigint: ["-1", "9223372036854775807"],
  integer: ["-1", "2147483647"],
  numeric: ["-1", "NaN", "1.5"],
  bytea: ["\\x", "\\x00ff"],
};

const JSON_VALUES: readonly unknown[] = [WORDS, null, {}, [], [{ kind: WORDS }]];

/** The JSON value with one leaf replaced, once for each leaf. */
const withSpoiltLeaf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value))
    return value.flatMap((each, at) => withSpoiltLeaf(each).map((spoilt) => value.with(at, spoilt)));
  if (typeof value !== "object" || value === null) return [WORDS];
  return Object.entries(value).flatMap(([name, each]) =>
    withSpoiltLeaf(each).map((spoilt) => ({ ...value, [name]: spoilt })),
  );
};

/** Lists unfit texts for a column. @param held its current value as text, as PostgreSQL writes it */
export const spoiltValues = (
  { type }: Pick<Column, "type">,
  held: string | null,
): readonly (string | null)[] => {
  if (type !== "jsonb") return [...(VALUES[type] ?? []), null];
  const leaves = held === null ? [] : withSpoiltLeaf(JSON.parse(held));
  return [...new Set([...JSON_VALUES, ...leaves].map((value) => JSON.stringify(value))), null];
};

const placeSchema = z.object({ at: z.string(), held: z.string().nullable() });
/** The location of a row in PostgreSQL (ctid), which changes with each update, and a column's value there, as text. */
export type HeldAt = z.output<typeof placeSchema>;

/**
 * One row of a table for each kind of record in it.
 *
 * @param ids records that are read individually: their rows come before others of their kind
 */
export const placesOf = (
  database: Database,
  { table, name }: Column,
  ids: readonly string[],
): Promise<readonly HeldAt[]> =>
  database.rows(
    placeSchema,
    `select distinct on (kind) at, held from (
       select ctid::text as at, ${name}::text as held, ctid as place, row_to_json(t) as whole,
         concat(row_to_json(t) ->> 'kind', row_to_json(t) ->> 'subject_kind', row_to_json(t) #>> '{moved,kind}') as kind
       from ${table} t) each
     order by kind, array_position($1, coalesce(whole ->> 'id', whole ->> 'approval_id', whole ->> 'subject_id')), place`,
    [ids],
  );

/** A connection that ignores foreign keys and triggers. */
export const spoilingDatabase = (url: string): Database =>
  openDatabase({
    url: `${url}?options=${encodeURIComponent("-c session_replication_role=replica")}`,
    name: "spoiler",
    maxConnections: 1,
  });

/**
 * Writes a value into one row.
 *
 * @param database of `spoilingDatabase`
 * @returns the row's new location; undefined if the table refuses the value, so that no such row can exist
 */
export const putValue = async (
  database: Database,
  { table, name, type }: Column,
  at: string,
  value: string | null,
): Promise<string | undefined> => {
  try {
    const [row] = await database.rows(
      z.object({ at: z.string() }),
      `update ${table} set ${name} = $1::text::${type} where ctid = $2::text::tid returning ctid::text as at`,
      [value, at],
    );
    if (row === undefined) throw new Error(`${table} has no row at ${at}`);
    return row.at;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
};

/** Class 23 of PostgreSQL's codes: integrity constraint violation. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "code" in error && String(error.code).startsWith("23");
