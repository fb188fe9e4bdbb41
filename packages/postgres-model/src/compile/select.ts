import type { Node, ResTarget, SelectStmt } from "libpg-query";
import { equalityKey } from "../value/compare.ts";
import { UnknownSql } from "../value/sql-error.ts";
import type { Column, SqlRow, SqlType, SqlValue } from "../value/value.ts";
import { compareKeys, compileSortKey } from "./aggregate.ts";
import { coerced, commonType } from "./coerce.ts";
import { compileExpression } from "./expression.ts";
import type { Expression, Frame, QueryResult } from "./frame.ts";
import { compileFrom, conjuncts } from "./from.ts";
import { compileJoin } from "./join.ts";
import { compileLocking } from "./locking.ts";
import {
  type BoundRows,
  type Compilation,
  type ComputedColumns,
  findEntry,
  type Numbering,
  nameIn,
  type Query,
  type Scope,
  type SortKey,
} from "./scope.ts";

/** An expression of a result, with its name. */
export interface Target extends Column {
  readonly expression: Expression;
}

type Wanted = readonly (SqlType | undefined)[];

/** Compiles a select without its `with`. @param wanted types of the result where the statement around it gives them */
export const compileSelect = (
  statement: SelectStmt,
  parent: Scope,
  compilation: Compilation,
  wanted: Wanted = [],
): Query => {
  if (statement.op !== undefined && statement.op !== "SETOP_NONE")
    return compileUnion(statement, parent, compilation, wanted);
  if (statement.valuesLists !== undefined)
    return compileValues(statement.valuesLists, parent, compilation, wanted);
  return compilePlain(statement, parent, compilation, wanted);
};

const compileValues = (
  lists: readonly Node[],
  scope: Scope,
  compilation: Compilation,
  wanted: Wanted,
): Query => {
  const rows = lists.map((list) =>
    "List" in list ? (list.List.items ?? []).map((item) => compileExpression(item, scope, compilation)) : [],
  );
  const types = (rows[0] ?? []).map(
    (_, column) => wanted[column] ?? commonType(rows.map((row) => row[column]?.type ?? "unknown")),
  );
  const typed = rows.map((row) => row.map((value, column) => coerced(value, types[column] ?? value.type)));
  return {
    columns: types.map((type, column) => ({ name: `column${column + 1}`, type })),
    run: (frame) => resultOf(typed.map((row) => row.map((value) => value.evaluate(frame)))),
  };
};

const resultOf = (rows: readonly SqlRow[]): QueryResult => ({ rows, count: rows.length });

const compileUnion = (
  statement: SelectStmt,
  parent: Scope,
  compilation: Compilation,
  wanted: Wanted,
): Query => {
  const { op, all, larg, rarg } = statement;
  if (op !== "SETOP_UNION" || larg === undefined || rarg === undefined)
    throw new UnknownSql(`the operation ${op}`);
  const queries = [larg, rarg].map((side) =>
    compilation.compileQuery({ SelectStmt: side }, parent, compilation, wanted),
  );
  const columns = queries[0]?.columns ?? [];
  if (queries.some((query) => query.columns.some(({ type }, at) => type !== columns[at]?.type)))
    throw new UnknownSql("a union of columns of several types");
  const order = (statement.sortClause ?? []).map((key) =>
    compileSortKey(key, (node) => outputColumn(node, columns)),
  );
  const limits = compileLimits(statement, parent, compilation);
  return {
    columns,
    run: (frame) => {
      const rows = queries.flatMap((query) => query.run(frame).rows);
      const kept = all === true ? rows : onlyOnce(rows);
      const keyed = kept.map((row) => ({ row, keys: keysOf(order, { ...frame, slots: [{ values: row }] }) }));
      if (order.length > 0) keyed.sort((a, b) => compareKeys(a.keys, b.keys, order));
      const { skipped, most } = limits(frame);
      return resultOf(keyed.map(({ row }) => row).slice(skipped, skipped + most));
    },
  };
};

/** A column of the result, which is bound to slot 0. */
const outputColumn = (node: Node | undefined, columns: readonly Column[]): Expression => {
  const name =
    node !== undefined && "ColumnRef" in node ? nameIn(node.ColumnRef.fields?.at(-1)) : "an expression";
  const position = columns.findIndex((column) => column.name === name);
  const column = columns[position];
  if (column === undefined) throw new UnknownSql(`the order of a union by ${name}`);
  return { type: column.type, evaluate: ({ slots }) => slots[0]?.values[position] ?? null };
};

const onlyOnce = (rows: readonly SqlRow[]): readonly SqlRow[] => [
  ...new Map(rows.map((row) => [equalityKey(row), row])).values(),
];

const keysOf = (order: readonly SortKey[], frame: Frame): readonly SqlValue[] =>
  order.map(({ expression }) => expression.evaluate(frame));

const compileLimits = (
  { limitCount, limitOffset }: SelectStmt,
  scope: Scope,
  compilation: Compilation,
): ((frame: Frame) => { readonly skipped: number; readonly most: number }) => {
  const [count, offset] = [limitCount, limitOffset].map((node) =>
    node === undefined ? undefined : coerced(compileExpression(node, scope, compilation), "int8"),
  );
  return (frame) => {
    const most = count?.evaluate(frame) ?? null;
    return {
      most: most === null ? Number.POSITIVE_INFINITY : Number(most),
      skipped: Number(offset?.evaluate(frame) ?? 0),
    };
  };
};

/** Compiles the expressions of a result; `*` gives all columns of all entries, and `a.*` those of one. */
export const compileTargets = (
  nodes: readonly Node[],
  scope: Scope,
  compilation: Compilation,
  wanted: Wanted = [],
): readonly Target[] => {
  const targets: Target[] = [];
  for (const node of nodes) {
    if (!("ResTarget" in node)) throw new UnknownSql("a result that is no expression");
    targets.push(...targetsOf(node.ResTarget, scope, compilation, wanted[targets.length]));
  }
  return targets;
};

const targetsOf = (
  { name, val }: ResTarget,
  scope: Scope,
  compilation: Compilation,
  wanted: SqlType | undefined,
): readonly Target[] => {
  const fields = val !== undefined && "ColumnRef" in val ? (val.ColumnRef.fields ?? []) : [];
  const last = fields.at(-1);
  if (last !== undefined && "A_Star" in last)
    return allColumns(fields.slice(0, -1).map(nameIn), scope, compilation);
  const made = compileExpression(val, scope, compilation);
  const expression = wanted === undefined ? (made.typed?.("text") ?? made) : coerced(made, wanted);
  return [{ name: name ?? nameOf(val), type: expression.type, expression }];
};

const allColumns = (
  [alias]: readonly string[],
  scope: Scope,
  compilation: Compilation,
): readonly Target[] => {
  const entry = alias === undefined ? undefined : findEntry(alias, scope);
  if (alias !== undefined && entry === undefined) throw new UnknownSql(`all columns of ${alias}`);
  return (entry === undefined ? scope.entries : [entry]).flatMap(({ slot, columns }) => {
    compilation.use(slot);
    return columns.map(({ name, type }, position) => ({
      name,
      type,
      expression: { type, evaluate: ({ slots }: Frame) => slots[slot]?.values[position] ?? null },
    }));
  });
};

const nameOf = (node: Node | undefined): string => {
  if (node === undefined) return "?column?";
  if ("ColumnRef" in node) return nameIn(node.ColumnRef.fields?.at(-1));
  if ("FuncCall" in node) return nameIn(node.FuncCall.funcname?.at(-1));
  if ("TypeCast" in node) {
    const inner = nameOf(node.TypeCast.arg);
    return inner === "?column?" ? nameIn(node.TypeCast.typeName?.names?.at(-1)) : inner;
  }
  if ("SubLink" in node && node.SubLink.subLinkType === "EXISTS_SUBLINK") return "exists";
  if ("CoalesceExpr" in node) return "coalesce";
  if ("CaseExpr" in node) return "case";
  return "?column?";
};

/** The parts of a select that are computed over its joined rows. */
interface Parts {
  readonly targets: readonly Target[];
  readonly order: readonly SortKey[];
  readonly groups: readonly Expression[];
  readonly having: Expression | undefined;
  readonly aggregates: ComputedColumns;
  readonly numberings: { readonly slot: number; readonly calls: Numbering[] };
  readonly slots: readonly number[];
}

const compilePlain = (
  statement: SelectStmt,
  parent: Scope,
  compilation: Compilation,
  wanted: Wanted,
): Query => {
  const scope: Scope = {
    entries: [],
    tables: new Map(),
    parent,
    aggregates: { slot: compilation.newSlot(), calls: [] },
    numberings: { slot: compilation.newSlot(), calls: [] },
  };
  const { items, joined } = compileFrom(statement.fromClause ?? [], scope, compilation);
  const join = compileJoin(items, [...joined, ...conjuncts(statement.whereClause)], scope, compilation);
  const targets = compileTargets(statement.targetList ?? [], scope, compilation, wanted);
  const parts = partsOf(
    statement,
    targets,
    scope,
    compilation,
    items.map(({ entry }) => entry.slot),
  );
  const limits = compileLimits(statement, scope, compilation);
  const lock = compileLocking(statement.lockingClause ?? [], items);
  const isDistinct = statement.distinctClause !== undefined;
  if (statement.distinctClause?.some((node) => Object.keys(node).length > 0) === true)
    throw new UnknownSql("distinct on");
  const streams = isStream(parts) && !isDistinct;
  return {
    columns: targets.map(({ name, type }) => ({ name, type })),
    run: (frame, wantedRows = Number.POSITIVE_INFINITY) => {
      const { skipped, most } = limits(frame);
      const enough = skipped + Math.min(most, wantedRows);
      const found: BoundRows[] = [];
      const isEnough = (): boolean => streams && found.length >= enough;
      if (enough > 0)
        join(frame, (rows) => {
          if (!streams || lock(rows, frame)) found.push(rows);
          return !isEnough();
        });
      const sorted = streams ? found : arranged(found, parts, frame);
      const wantedFirst = isDistinct ? Number.POSITIVE_INFINITY : enough;
      const locked = streams ? sorted : takeLocked(sorted, wantedFirst, (rows) => lock(rows, frame));
      if (!isDistinct)
        return resultOf(locked.slice(skipped, enough).map((bound) => output(bound, parts, frame)));
      return resultOf(onlyOnce(locked.map((bound) => output(bound, parts, frame))).slice(skipped, enough));
    },
  };
};

const isStream = ({ order, groups, aggregates, numberings }: Parts): boolean =>
  order.length === 0 && groups.length === 0 && aggregates.calls.length === 0 && numberings.calls.length === 0;

const partsOf = (
  { sortClause = [], groupClause = [], havingClause }: SelectStmt,
  targets: readonly Target[],
  scope: Scope,
  compilation: Compilation,
  slots: readonly number[],
): Parts => {
  const inner = (node: Node | undefined): Expression => compileExpression(node, scope, compilation);
  /** a name of the result, its position, or an expression of the rows */
  const named = (node: Node | undefined): Expression => {
    if (node !== undefined && "A_Const" in node && node.A_Const.ival !== undefined)
      return targets[(node.A_Const.ival.ival ?? 0) - 1]?.expression ?? inner(node);
    const fields = node !== undefined && "ColumnRef" in node ? (node.ColumnRef.fields ?? []) : [];
    const target = fields.length === 1 ? targets.find(({ name }) => name === nameIn(fields[0])) : undefined;
    return target?.expression ?? inner(node);
  };
  const { aggregates, numberings } = scope;
  if (aggregates === undefined || numberings === undefined) throw new UnknownSql("a select without a scope");
  return {
    targets,
    order: sortClause.map((key) => compileSortKey(key, named)),
    groups: groupClause.map(named),
    having: havingClause === undefined ? undefined : inner(havingClause),
    aggregates,
    numberings,
    slots,
  };
};

/** Binds joined rows, and after them what was computed over them. */
const bind = ({ slots, aggregates, numberings }: Parts, frame: Frame, rows: BoundRows): void => {
  for (const [index, slot] of slots.entries()) frame.slots[slot] = rows[index];
  frame.slots[aggregates.slot] = rows[slots.length];
  frame.slots[numberings.slot] = rows[slots.length + 1];
};

const output = (rows: BoundRows, parts: Parts, frame: Frame): SqlRow => {
  bind(parts, frame, rows);
  return parts.targets.map(({ expression }) => expression.evaluate(frame));
};

/** Groups, numbers and sorts rows. */
const arranged = (found: readonly BoundRows[], parts: Parts, frame: Frame): readonly BoundRows[] => {
  const grouped = numbered(gathered(found, parts, frame), parts, frame);
  const { order } = parts;
  if (order.length === 0) return grouped;
  const keyed = grouped.map((rows) => {
    bind(parts, frame, rows);
    return { rows, keys: keysOf(order, frame) };
  });
  keyed.sort((a, b) => compareKeys(a.keys, b.keys, order));
  return keyed.map(({ rows }) => rows);
};

const gathered = (found: readonly BoundRows[], parts: Parts, frame: Frame): readonly BoundRows[] => {
  const { groups, aggregates, having, slots } = parts;
  if (groups.length === 0 && aggregates.calls.length === 0) return found;
  const byKey = new Map<ReturnType<typeof equalityKey>, BoundRows[]>();
  for (const rows of found) {
    bind(parts, frame, rows);
    const key = equalityKey(groups.map((group) => group.evaluate(frame)));
    byKey.set(key, [...(byKey.get(key) ?? []), rows]);
  }
  // without groups there is always one row
  const all = groups.length === 0 ? [found] : [...byKey.values()];
  return all.flatMap((group) => {
    const values = aggregates.calls.map((call) => call(group, frame, (rows) => bind(parts, frame, rows)));
    const first = group[0] ?? slots.map(() => undefined);
    const rows: BoundRows = [...first.slice(0, slots.length), { values }];
    bind(parts, frame, rows);
    return having === undefined || having.evaluate(frame) === true ? [rows] : [];
  });
};

const numbered = (found: readonly BoundRows[], parts: Parts, frame: Frame): readonly BoundRows[] => {
  const { numberings, slots } = parts;
  if (numberings.calls.length === 0) return found;
  const numbers = found.map((): SqlValue[] => []);
  for (const { partition, order } of numberings.calls) {
    const keyed = found.map((rows, index) => {
      bind(parts, frame, rows);
      const part = equalityKey(partition.map((value) => value.evaluate(frame)));
      return { index, part, keys: keysOf(order, frame) };
    });
    const next = new Map<ReturnType<typeof equalityKey>, bigint>();
    for (const { index, part } of keyed.toSorted((a, b) => compareKeys(a.keys, b.keys, order))) {
      const number = (next.get(part) ?? 0n) + 1n;
      next.set(part, number);
      numbers[index]?.push(number);
    }
  }
  return found.map((rows, index) => {
    const computed = rows[slots.length];
    return [...rows.slice(0, slots.length), computed, { values: numbers[index] ?? [] }];
  });
};

const takeLocked = (
  sorted: readonly BoundRows[],
  enough: number,
  lock: (rows: BoundRows) => boolean,
): readonly BoundRows[] => {
  const taken: BoundRows[] = [];
  for (const rows of sorted) {
    if (taken.length >= enough) break;
    if (lock(rows)) taken.push(rows);
  }
  return taken;
};
