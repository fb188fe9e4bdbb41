/** Reads rows of a PostgreSQL, whatever driver does. */
export type ReadRows = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** The definitions of a database's tables, and the rows that its migrations left, as statements that make them again. */
export interface Dump {
  readonly definitions: readonly string[];
  /** inserts of one table each, from JSON: the first value of the statement */
  readonly rows: readonly { readonly text: string; readonly json: string }[];
}

const COLUMNS = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, -1) as type, a.attnotnull as "isNotNull",
         a.attidentity <> '' as "isIdentity", a.attgenerated <> '' as "isGenerated", pg_get_expr(d.adbin, d.adrelid) as expression
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
   order by c.relname, a.attnum`;
const CONSTRAINTS = `
  select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
   where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'c', 'f')
   order by contype = 'f', contype = 'c', conrelid::regclass::text, conname`;
const INDEXES =
  "select indexdef as definition from pg_indexes where schemaname = 'public' order by indexname";
const FUNCTIONS = `select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace order by proname`;
const TRIGGERS = `select pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal order by oid`;

/** Reads what a database has in its schema `public`: the rows are small enough to be read at once. */
export const dumpDatabase = async (read: ReadRows): Promise<Dump> => {
  const columns = new Map<string, Readonly<Record<string, unknown>>[]>();
  for (const column of await read(COLUMNS)) {
    const table = String(column["table"]);
    columns.set(table, [...(columns.get(table) ?? []), column]);
  }
  const definitionsOf = async (text: string): Promise<readonly string[]> =>
    (await read(text)).map(({ definition }) => String(definition));
  const constraints = (await read(CONSTRAINTS)).map(
    (constraint) =>
      `alter table ${constraint["table"]} add constraint "${constraint["name"]}" ${constraint["definition"]}`,
  );
  const tables = [...columns].map(
    ([table, found]) => `create table ${table} (${found.map(columnText).join(", ")})`,
  );
  const functions = await definitionsOf(FUNCTIONS);
  return {
    definitions: [
      ...tables,
      ...functions,
      ...constraints,
      ...(await definitionsOf(INDEXES)),
      ...(await definitionsOf(TRIGGERS)),
    ],
    rows: await rowsOf([...columns.keys()], columns, read),
  };
};

const columnText = (column: Readonly<Record<string, unknown>>): string => {
  const { name, type, isNotNull, isIdentity, isGenerated, expression } = column;
  const words = [`"${String(name)}" ${String(type)}`];
  if (isNotNull === true) words.push("not null");
  if (isIdentity === true) words.push("generated always as identity");
  else if (isGenerated === true) words.push(`generated always as (${String(expression)}) stored`);
  else if (typeof expression === "string") words.push(`default ${expression}`);
  return words.join(" ");
};

const rowsOf = async (
  tables: readonly string[],
  columns: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>,
  read: ReadRows,
): Promise<Dump["rows"]> => {
  const found: { readonly text: string; readonly json: string }[] = [];
  for (const table of tables) {
    const [rows] = await read(`select jsonb_agg(to_jsonb(t))::text as json from ${table} t`);
    const json = rows?.["json"];
    if (typeof json !== "string") continue;
    const kept = (columns.get(table) ?? []).filter(({ isGenerated }) => isGenerated !== true);
    const names = kept.map(({ name }) => `"${String(name)}"`).join(", ");
    const types = kept.map(({ name, type }) => `"${String(name)}" ${String(type)}`).join(", ");
    found.push({
      text: `insert into ${table} (${names}) select ${names} from jsonb_to_recordset($1) as row (${types})`,
      json,
    });
  }
  return found;
};
