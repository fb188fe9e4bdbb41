import type { Node, RangeFunction, RangeVar } from "libpg-query";
import type { SqlTable } from "../storage/table.ts";
import type { BoundRow, TupleVersion } from "../storage/tuple.ts";
import { isRow } from "../value/compare.ts";
import { fromDriver } from "../value/driver.ts";
import { isList, Jsonb } from "../value/jsonb.ts";
import { SqlStateError, UnknownSql } from "../value/sql-error.ts";
import { type Column, elementType, type SqlRow, type SqlValue } from "../value/value.ts";
import { coerced } from "./coerce.ts";
import { compileExpression } from "./expression.ts";
import type { Expression, Frame } from "./frame.ts";
import {
  type Compilation,
  findCommonTable,
  nameIn,
  type RangeEntry,
  type Scope,
  typeNamed,
} from "./scope.ts";

/** A condition, and the slots that it reads. */
export interface Condition {
  readonly node: Node;
  readonly holds: Expression;
  readonly slots: ReadonlySet<number>;
}

/** An entry of a `from`, joined to those before it. */
export interface FromItem {
  readonly entry: RangeEntry;
  /** absent for what is no table */
  readonly table: SqlTable | undefined;
  /** all rows, in a frame in which the entries before are bound */
  readonly rows: (frame: Frame) => readonly BoundRow[];
  /** of a left join: rows of the entries before stay where no row of this one fits `on` */
  readonly isOptional: boolean;
  readonly on: readonly Condition[];
}

/** Splits a condition at its `and`. */
export const conjuncts = (node: Node | undefined): readonly Node[] => {
  if (node === undefined) return [];
  if ("BoolExpr" in node && node.BoolExpr.boolop === "AND_EXPR")
    return (node.BoolExpr.args ?? []).flatMap(conjuncts);
  return [node];
};

export const compileCondition = (node: Node, scope: Scope, compilation: Compilation): Condition => {
  const { made, slots } = compilation.tracked(() =>
    coerced(compileExpression(node, scope, compilation), "bool"),
  );
  return { node, holds: made, slots };
};

/**
 * Compiles the entries of a `from` into the scope, in order.
 * @returns them, and the conditions of inner joins, which are like those of the `where`
 */
export const compileFrom = (
  nodes: readonly Node[],
  scope: Scope,
  compilation: Compilation,
): { readonly items: readonly FromItem[]; readonly joined: readonly Node[] } => {
  const items: FromItem[] = [];
  const joined: Node[] = [];
  for (const node of nodes) addItem(node, scope, compilation, items, joined);
  return { items, joined };
};

const addItem = (
  node: Node,
  scope: Scope,
  compilation: Compilation,
  items: FromItem[],
  joined: Node[],
): void => {
  if (!("JoinExpr" in node)) {
    items.push(itemOf(node, scope, compilation));
    return;
  }
  const { jointype, larg, rarg, quals, usingClause } = node.JoinExpr;
  if (larg === undefined || rarg === undefined || usingClause !== undefined)
    throw new UnknownSql("a join without on");
  addItem(larg, scope, compilation, items, joined);
  if (jointype === "JOIN_INNER") {
    addItem(rarg, scope, compilation, items, joined);
    joined.push(...conjuncts(quals));
    return;
  }
  if (jointype !== "JOIN_LEFT" || "JoinExpr" in rarg) throw new UnknownSql(`the join ${jointype}`);
  const item = itemOf(rarg, scope, compilation);
  const on = conjuncts(quals).map((condition) => compileCondition(condition, scope, compilation));
  items.push({ ...item, isOptional: true, on });
};

const itemOf = (node: Node, scope: Scope, compilation: Compilation): FromItem => {
  if ("RangeVar" in node) return tableOrWith(node.RangeVar, scope, compilation);
  if ("RangeFunction" in node) return functionOf(node.RangeFunction, scope, compilation);
  if (!("RangeSubselect" in node)) throw new UnknownSql(`from ${Object.keys(node).join()}`);
  const { subquery, alias, lateral } = node.RangeSubselect;
  if (subquery === undefined) throw new UnknownSql("a subquery without a query");
  const parent: Scope = lateral === true ? scope : { ...scope, entries: [] };
  const query = compilation.compileQuery(subquery, { entries: [], tables: new Map(), parent }, compilation);
  const columns = renamed(query.columns, alias?.colnames ?? []);
  return derived(alias?.aliasname ?? "", columns, scope, compilation, (frame) => query.run(frame).rows);
};

const renamed = (columns: readonly Column[], names: readonly Node[]): readonly Column[] =>
  columns.map((column, index) => {
    const name = names[index];
    return name === undefined ? column : { ...column, name: nameIn(name) };
  });

const derived = (
  alias: string,
  columns: readonly Column[],
  scope: Scope,
  compilation: Compilation,
  rows: (frame: Frame) => readonly SqlRow[],
): FromItem => {
  const entry: RangeEntry = { alias, slot: compilation.newSlot(), columns, isTable: false };
  scope.entries.push(entry);
  return {
    entry,
    table: undefined,
    rows: (frame) => rows(frame).map((values) => ({ values })),
    isOptional: false,
    on: [],
  };
};

const tableOrWith = (relation: RangeVar, scope: Scope, compilation: Compilation): FromItem => {
  const name = relation.relname ?? "";
  const alias = relation.alias?.aliasname ?? name;
  const common = findCommonTable(name, scope);
  if (common !== undefined && relation.schemaname === undefined) {
    compilation.use(common.slot);
    const columns = renamed(common.columns, relation.alias?.colnames ?? []);
    return derived(alias, columns, scope, compilation, ({ lists }) => lists[common.list] ?? []);
  }
  return tableItem(name, alias, scope, compilation);
};

/** An entry that is a table. */
export const tableItem = (name: string, alias: string, scope: Scope, compilation: Compilation): FromItem => {
  const definition = compilation.schema.tables.get(name);
  if (definition === undefined && name.startsWith("pg_")) throw new UnknownSql(`the catalog's ${name}`);
  if (definition === undefined) throw new SqlStateError("42P01", `relation "${name}" does not exist`);
  const { table } = definition;
  const entry: RangeEntry = { alias, slot: compilation.newSlot(), columns: table.columns, isTable: true };
  scope.entries.push(entry);
  return {
    entry,
    table,
    rows: (frame) => visible(table.tuples(), frame),
    isOptional: false,
    on: [],
  };
};

/** The versions of rows that the frame's command sees. */
export const visible = (
  tuples: ReturnType<SqlTable["tuples"]>,
  { command }: Pick<Frame, "command">,
): readonly TupleVersion[] => {
  const found: TupleVersion[] = [];
  for (const tuple of tuples) {
    const version = tuple.visibleTo(command.transaction, command.number);
    if (version !== undefined) found.push(version);
  }
  return found;
};

const functionOf = (
  { functions = [], alias, coldeflist = [], ordinality }: RangeFunction,
  scope: Scope,
  compilation: Compilation,
): FromItem => {
  const calls = functions.flatMap((item) => ("List" in item ? (item.List.items ?? []) : []));
  const [call] = calls;
  if (call === undefined || !("FuncCall" in call)) throw new UnknownSql("a function in from of this form");
  const name = nameIn(call.FuncCall.funcname?.at(-1));
  if (ordinality === true && name !== "unnest") throw new UnknownSql(`${name} with ordinality`);
  const values = (call.FuncCall.args ?? []).map((value) => compileExpression(value, scope, compilation));
  const found = aliased(alias?.aliasname ?? name, alias?.colnames ?? []);
  switch (name) {
    case "unnest":
      return unnested(values, found, ordinality === true, scope, compilation);
    case "jsonb_to_recordset":
      return recordset(values, coldeflist, found.alias, scope, compilation);
    case "generate_series":
      return series(values, found, scope, compilation);
    case "jsonb_each":
      return eachOf(values, found, scope, compilation);
    case "jsonb_array_elements":
    case "jsonb_array_elements_text":
      return elementsOf(values, name.endsWith("text"), found, scope, compilation);
    default:
      throw new UnknownSql(`the function ${name} in from`);
  }
};

interface Alias {
  readonly alias: string;
  readonly names: readonly string[];
}

const aliased = (alias: string, names: readonly Node[]): Alias => ({ alias, names: names.map(nameIn) });

const unnested = (
  values: readonly Expression[],
  { alias, names }: Alias,
  isNumbered: boolean,
  scope: Scope,
  compilation: Compilation,
): FromItem => {
  const elements = values.map(({ type }, index) => ({
    name: names[index] ?? (values.length === 1 ? alias : "unnest"),
    type: elementType(type),
  }));
  const number = { name: names[values.length] ?? "ordinality", type: "int8" } as const;
  const columns = isNumbered ? [...elements, number] : elements;
  return derived(alias, columns, scope, compilation, (frame) => {
    const lists = values.map((value) => listIn(value.evaluate(frame)));
    const longest = Math.max(0, ...lists.map((list) => list.length));
    return Array.from({ length: longest }, (_, row) => {
      const listed = lists.map((list) => list[row] ?? null);
      return isNumbered ? [...listed, BigInt(row + 1)] : listed;
    });
  });
};

const series = (
  [first, last]: readonly Expression[],
  { alias, names }: Alias,
  scope: Scope,
  compilation: Compilation,
): FromItem => {
  if (first === undefined || last === undefined) throw new UnknownSql("generate_series of one value");
  const [from, to] = [coerced(first, "int4"), coerced(last, "int4")];
  return derived(alias, [{ name: names[0] ?? alias, type: "int4" }], scope, compilation, (frame) => {
    const start = Number(from.evaluate(frame));
    const length = Math.max(0, Number(to.evaluate(frame)) - start + 1);
    return Array.from({ length }, (_, index) => [start + index]);
  });
};

const listIn = (value: SqlValue): readonly SqlValue[] => (value !== null && isRow(value) ? value : []);

const recordset = (
  [given]: readonly Expression[],
  definitions: readonly Node[],
  alias: string,
  scope: Scope,
  compilation: Compilation,
): FromItem => {
  if (given === undefined) throw new UnknownSql("jsonb_to_recordset of nothing");
  const list = coerced(given, "jsonb");
  const columns = definitions.map((definition) => {
    if (!("ColumnDef" in definition)) throw new UnknownSql("a column of a recordset");
    return { name: definition.ColumnDef.colname ?? "", type: typeNamed(definition.ColumnDef.typeName ?? {}) };
  });
  return derived(alias, columns, scope, compilation, (frame) =>
    jsonRows(list.evaluate(frame)).map((row) =>
      columns.map(({ name, type }) => {
        const json = row.at(name);
        if (json === undefined || json === null) return null;
        return type === "jsonb" ? new Jsonb(json) : fromDriver(json, type);
      }),
    ),
  );
};

const jsonRows = (value: SqlValue): readonly Jsonb[] =>
  value instanceof Jsonb && isList(value.json) ? value.json.map((row) => new Jsonb(row)) : [];

const eachOf = (
  [given]: readonly Expression[],
  { alias, names }: Alias,
  scope: Scope,
  compilation: Compilation,
): FromItem => {
  const columns: readonly Column[] = [
    { name: names[0] ?? "key", type: "text" },
    { name: names[1] ?? "value", type: "jsonb" },
  ];
  return derived(alias, columns, scope, compilation, (frame) => {
    const value = given?.evaluate(frame);
    if (!(value instanceof Jsonb) || value.json === null || typeof value.json !== "object") return [];
    return Object.entries(value.json).map(([key, json]) => [key, new Jsonb(json)]);
  });
};

const elementsOf = (
  [given]: readonly Expression[],
  areTexts: boolean,
  { alias, names }: Alias,
  scope: Scope,
  compilation: Compilation,
): FromItem => {
  if (given === undefined) throw new UnknownSql("elements of nothing");
  const list = coerced(given, "jsonb");
  const columns: readonly Column[] = [{ name: names[0] ?? alias, type: areTexts ? "text" : "jsonb" }];
  return derived(alias, columns, scope, compilation, (frame) =>
    jsonRows(list.evaluate(frame)).map((row) => [
      areTexts ? (typeof row.json === "string" ? row.json : row.toString()) : row,
    ]),
  );
};
