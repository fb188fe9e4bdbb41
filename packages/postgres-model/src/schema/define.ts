import type {
  AlterTableStmt,
  ColumnDef,
  Constraint,
  CreateFunctionStmt,
  CreateStmt,
  CreateTrigStmt,
  IndexStmt,
  Node,
} from "libpg-query";
import { coerced } from "../compile/coerce.ts";
import type {
  DatabaseSchema,
  ForeignKey,
  TableDefinition,
  Trigger,
  TriggerEvent,
} from "../compile/definition.ts";
import { compileExpression } from "../compile/expression.ts";
import type { Expression } from "../compile/frame.ts";
import { Compilation, nameIn, type Scope, typeNamed } from "../compile/scope.ts";
import { compileQuery } from "../compile/statement.ts";
import { SqlTable } from "../storage/table.ts";
import { SqlStateError, UnknownSql } from "../value/sql-error.ts";
import type { Column } from "../value/value.ts";
import { compileRoutine, compileSqlFunction } from "./routine.ts";

/** A schema that can be added to, with the sources of its trigger functions. */
export interface GrowingSchema extends DatabaseSchema {
  readonly routines: Map<string, string>;
}

/** The catalog's table from which triggers read who owns a table: everybody is the owner here. */
const OWNERS = "pg_class";

export const emptySchema = (): GrowingSchema => {
  const schema: GrowingSchema = { tables: new Map(), functions: new Map(), routines: new Map() };
  addOwners(schema);
  return schema;
};

const addOwners = ({ tables }: GrowingSchema): void => {
  tables.set(
    OWNERS,
    definitionOf(OWNERS, [
      { name: "oid", type: "int8" },
      { name: "relowner", type: "int8" },
    ]),
  );
};

const definitionOf = (name: string, columns: readonly Column[]): TableDefinition => ({
  table: new SqlTable(name, columns),
  notNull: new Set(),
  defaults: new Map(),
  identities: new Set(),
  generated: new Map(),
  checks: [],
  uniques: [],
  references: [],
  referencedBy: [],
  triggers: [],
});

/** Runs a statement that defines something. @returns false for one that defines nothing */
export const define = (node: Node, source: string, schema: GrowingSchema): boolean => {
  if ("CreateStmt" in node) createTable(node.CreateStmt, schema);
  else if ("AlterTableStmt" in node) alterTable(node.AlterTableStmt, schema);
  else if ("IndexStmt" in node) createIndex(node.IndexStmt, schema);
  else if ("CreateTrigStmt" in node) createTrigger(node.CreateTrigStmt, schema);
  else if ("CreateFunctionStmt" in node) createFunction(node.CreateFunctionStmt, source, schema);
  else if ("DropStmt" in node && node.DropStmt.removeType === "OBJECT_SCHEMA") dropAll(schema);
  else return "CreateSchemaStmt" in node;
  return true;
};

const dropAll = (schema: GrowingSchema): void => {
  for (const known of [schema.tables, schema.functions, schema.routines]) known.clear();
  addOwners(schema);
};

const tableOf = (name: string | undefined, { tables }: DatabaseSchema): TableDefinition => {
  const found = tables.get(name ?? "");
  if (found === undefined) throw new SqlStateError("42P01", `relation "${name}" does not exist`);
  return found;
};

const positionsOf = ({ table }: TableDefinition, nodes: readonly Node[] | undefined): readonly number[] =>
  (nodes ?? []).map((node) => {
    const position = table.position(nameIn(node));
    if (position === undefined) throw new SqlStateError("42703", `column "${nameIn(node)}" does not exist`);
    return position;
  });

/** An expression over a table's row, or over the new and the old one. */
const expressionOver = (
  node: Node | undefined,
  columns: readonly Column[],
  schema: DatabaseSchema,
  aliases: readonly string[] = [""],
): Expression => {
  const scope: Scope = {
    entries: aliases.map((alias, slot) => ({ alias, slot, columns, isTable: false })),
    tables: new Map(),
    parent: undefined,
  };
  return compileExpression(node, scope, new Compilation(schema, compileQuery, aliases.length));
};

const createTable = (
  { relation, tableElts = [], if_not_exists }: CreateStmt,
  schema: GrowingSchema,
): void => {
  const name = relation?.relname ?? "";
  if (schema.tables.has(name) && if_not_exists === true) return;
  if (schema.tables.has(name)) throw new SqlStateError("42P07", `relation "${name}" already exists`);
  const columns = tableElts.flatMap((element) =>
    "ColumnDef" in element
      ? [{ name: element.ColumnDef.colname ?? "", type: typeNamed(element.ColumnDef.typeName ?? {}) }]
      : [],
  );
  const definition = definitionOf(name, columns);
  schema.tables.set(name, definition);
  for (const element of tableElts) {
    if ("ColumnDef" in element) constrainColumn(element.ColumnDef, definition, schema);
    else if ("Constraint" in element) constrain(element.Constraint, definition, schema);
    else throw new UnknownSql("a table of this form");
  }
};

const constrainColumn = (
  { colname = "", constraints = [] }: ColumnDef,
  definition: TableDefinition,
  schema: GrowingSchema,
): void => {
  const own: Node = { String: { sval: colname } };
  for (const node of constraints) {
    if (!("Constraint" in node)) throw new UnknownSql("a constraint that is none");
    const isKey = node.Constraint.contype === "CONSTR_PRIMARY" || node.Constraint.contype === "CONSTR_UNIQUE";
    const isReference = node.Constraint.contype === "CONSTR_FOREIGN";
    constrain(
      { ...node.Constraint, ...(isKey ? { keys: [own] } : {}), ...(isReference ? { fk_attrs: [own] } : {}) },
      definition,
      schema,
      definition.table.position(colname),
    );
  }
};

const alterTable = ({ relation, cmds = [] }: AlterTableStmt, schema: GrowingSchema): void => {
  for (const node of cmds) {
    const command = "AlterTableCmd" in node ? node.AlterTableCmd : undefined;
    const added = command?.def;
    if (command?.subtype !== "AT_AddConstraint" || added === undefined || !("Constraint" in added))
      throw new UnknownSql(`a change of a table by ${command?.subtype}`);
    constrain(added.Constraint, tableOf(relation?.relname, schema), schema);
  }
};

const constrain = (
  constraint: Constraint,
  definition: TableDefinition,
  schema: GrowingSchema,
  column?: number,
): void => {
  const { table } = definition;
  const over = (): Expression => expressionOver(constraint.raw_expr, table.columns, schema);
  const type = column === undefined ? undefined : table.columns[column]?.type;
  switch (constraint.contype) {
    case "CONSTR_NOTNULL":
      if (column !== undefined) definition.notNull.add(column);
      return;
    case "CONSTR_DEFAULT":
      if (column !== undefined && type !== undefined) definition.defaults.set(column, coerced(over(), type));
      return;
    case "CONSTR_IDENTITY":
      if (column !== undefined) definition.identities.add(column);
      return;
    case "CONSTR_GENERATED":
      if (column !== undefined) definition.generated.set(column, over());
      return;
    case "CONSTR_CHECK":
      definition.checks.push({ name: constraint.conname ?? `${table.name}_check`, expression: over() });
      return;
    case "CONSTR_PRIMARY":
    case "CONSTR_UNIQUE":
      addUnique(constraint, definition);
      return;
    case "CONSTR_FOREIGN":
      addReference(constraint, definition, schema);
      return;
    default:
      throw new UnknownSql(`the constraint ${constraint.contype}`);
  }
};

const addUnique = ({ contype, conname, keys }: Constraint, definition: TableDefinition): void => {
  const columns = positionsOf(definition, keys);
  const name = conname ?? `${definition.table.name}_${contype === "CONSTR_PRIMARY" ? "pkey" : "key"}`;
  definition.uniques.push({ name, columns, predicate: undefined });
  if (contype === "CONSTR_PRIMARY") for (const column of columns) definition.notNull.add(column);
  indexFirst(definition, columns);
};

const indexFirst = ({ table }: TableDefinition, [first]: readonly number[]): void => {
  if (first !== undefined) table.indexBy(first);
};

const addReference = (constraint: Constraint, from: TableDefinition, schema: DatabaseSchema): void => {
  const { conname, fk_attrs, pk_attrs, pktable, initdeferred, fk_del_action = "a" } = constraint;
  const to = tableOf(pktable?.relname, schema);
  if (fk_del_action !== "a" && fk_del_action !== "c") throw new UnknownSql("this action on delete");
  const columns = positionsOf(from, fk_attrs);
  const keys = pk_attrs === undefined ? (to.uniques[0]?.columns ?? []) : positionsOf(to, pk_attrs);
  const key: ForeignKey = {
    name: conname ?? `${from.table.name}_fkey`,
    from,
    columns,
    to,
    keys,
    isDeferred: initdeferred === true,
    cascades: fk_del_action === "c",
  };
  from.references.push(key);
  to.referencedBy.push(key);
  indexFirst(from, columns);
};

const createIndex = (statement: IndexStmt, schema: GrowingSchema): void => {
  const { idxname = "", relation, indexParams = [], unique, whereClause } = statement;
  const definition = tableOf(relation?.relname, schema);
  const names = indexParams.map((node) => ("IndexElem" in node ? node.IndexElem.name : undefined));
  const columns = names.map((name) => (name === undefined ? undefined : definition.table.position(name)));
  const [first] = columns;
  if (first !== undefined) definition.table.indexBy(first);
  // in a dump, the constraint to which a unique index belongs comes first and has made it
  if (unique !== true || definition.uniques.some(({ name }) => name === idxname)) return;
  const known = columns.filter((column) => column !== undefined);
  if (known.length < columns.length) throw new UnknownSql("a unique index of expressions");
  const predicate =
    whereClause === undefined ? undefined : expressionOver(whereClause, definition.table.columns, schema);
  definition.uniques.push({ name: idxname, columns: known, predicate });
};

/** Bits of a parsed trigger (PostgreSQL, catalog/pg_trigger.h). */
const BEFORE = 1 << 1;
const EVENTS: readonly (readonly [TriggerEvent, number])[] = [
  ["insert", 1 << 2],
  ["delete", 1 << 3],
  ["update", 1 << 4],
];

const createTrigger = (statement: CreateTrigStmt, schema: GrowingSchema): void => {
  const {
    trigname = "",
    relation,
    funcname,
    args = [],
    timing = 0,
    events = 0,
    columns,
    whenClause,
  } = statement;
  const definition = tableOf(relation?.relname, schema);
  const { table } = definition;
  const routine = nameIn(funcname?.at(-1));
  const source = schema.routines.get(routine);
  if (source === undefined) throw new SqlStateError("42883", `function ${routine}() does not exist`);
  // compiled when it first fires: it may name tables that are made later
  let fire: Trigger["fire"] | undefined;
  definition.triggers.push({
    name: trigname,
    timing: (timing & BEFORE) === 0 ? "after" : "before",
    events: EVENTS.flatMap(([event, bit]) => ((events & bit) === 0 ? [] : [event])),
    columns: positionsOf(definition, columns),
    when:
      whenClause === undefined
        ? undefined
        : expressionOver(whenClause, table.columns, schema, ["new", "old"]),
    fire: (command, fresh, old) => {
      fire ??= compileRoutine(source, schema, table, args.map(nameIn));
      return fire(command, fresh, old);
    },
  });
  definition.triggers.sort((a, b) => (a.name < b.name ? -1 : 1));
};

const createFunction = (statement: CreateFunctionStmt, source: string, schema: GrowingSchema): void => {
  const { funcname = [], parameters = [], returnType, options = [] } = statement;
  const name = nameIn(funcname.at(-1));
  const option = (wanted: string): Node | undefined =>
    options.flatMap((node) =>
      "DefElem" in node && node.DefElem.defname === wanted && node.DefElem.arg !== undefined
        ? [node.DefElem.arg]
        : [],
    )[0];
  const language = nameIn(option("language"));
  if (language === "plpgsql") {
    schema.routines.set(name, source);
    return;
  }
  if (language !== "sql") throw new UnknownSql(`the language ${language}`);
  const as = option("as");
  const body = nameIn(as !== undefined && "List" in as ? as.List.items?.[0] : as);
  const values = parameters.map((node): Column => {
    if (!("FunctionParameter" in node)) throw new UnknownSql("a parameter that is none");
    return {
      name: node.FunctionParameter.name ?? "",
      type: typeNamed(node.FunctionParameter.argType ?? {}),
    };
  });
  schema.functions.set(name, {
    type: typeNamed(returnType ?? {}),
    call: compileSqlFunction(body, schema, values),
  });
};
