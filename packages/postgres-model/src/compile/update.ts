import type { DeleteStmt, Node, RangeVar, UpdateStmt } from "libpg-query";
import type { BoundRow, TupleVersion } from "../storage/tuple.ts";
import { SqlStateError, UnknownSql } from "../value/sql-error.ts";
import type { SqlRow, SqlValue } from "../value/value.ts";
import { coerced } from "./coerce.ts";
import type { TableDefinition } from "./definition.ts";
import { compileExpression } from "./expression.ts";
import type { Expression, Frame } from "./frame.ts";
import { compileFrom, conjuncts, type FromItem, tableItem } from "./from.ts";
import { compileJoin, type Join } from "./join.ts";
import { type Compilation, isVersion, type Query, type Scope } from "./scope.ts";
import { compileTargets } from "./select.ts";
import { deleteRow, updateRow } from "./write.ts";

/** Compiles `column = expression, …`. */
export const compileAssignments = (
  nodes: readonly Node[],
  { table }: TableDefinition,
  scope: Scope,
  compilation: Compilation,
): { readonly assign: (frame: Frame, old: SqlRow) => SqlRow; readonly set: ReadonlySet<number> } => {
  const assignments = nodes.map((node): { readonly position: number; readonly value: Expression } => {
    if (!("ResTarget" in node)) throw new UnknownSql("an assignment that is none");
    const { name = "", val } = node.ResTarget;
    const position = table.position(name);
    const type = position === undefined ? undefined : table.columns[position]?.type;
    if (position === undefined || type === undefined)
      throw new SqlStateError("42703", `column "${name}" of relation "${table.name}" does not exist`);
    return { position, value: coerced(compileExpression(val, scope, compilation), type) };
  });
  return {
    set: new Set(assignments.map(({ position }) => position)),
    assign: (frame, old) => {
      const row: SqlValue[] = [...old];
      for (const { position, value } of assignments) row[position] = value.evaluate(frame);
      return row;
    },
  };
};

/** The rows of the changed table, joined to those of a `from`. */
interface Changed {
  readonly definition: TableDefinition;
  readonly scope: Scope;
  readonly join: Join;
  readonly slots: readonly number[];
  readonly target: FromItem;
}

/** The changed table is joined last, so that its rows are found by those of the others. */
const compileChanged = (
  relation: RangeVar | undefined,
  from: readonly Node[],
  where: Node | undefined,
  parent: Scope,
  compilation: Compilation,
): Changed => {
  const name = relation?.relname ?? "";
  const scope: Scope = { entries: [], tables: new Map(), parent };
  const target = tableItem(name, relation?.alias?.aliasname ?? name, scope, compilation);
  const { items, joined } = compileFrom(from, scope, compilation);
  const all = [...items, target];
  const definition = compilation.schema.tables.get(name);
  if (definition === undefined) throw new SqlStateError("42P01", `relation "${name}" does not exist`);
  return {
    definition,
    scope,
    join: compileJoin(all, [...joined, ...conjuncts(where)], scope, compilation),
    slots: all.map(({ entry }) => entry.slot),
    target,
  };
};

/** Runs a change for each row of the table that fits, once for each. */
const changing =
  (
    { join, slots, target }: Changed,
    returning: readonly { readonly expression: Expression }[],
    change: (version: TupleVersion, frame: Frame) => BoundRow | undefined,
  ): Query["run"] =>
  (frame) => {
    const found: (readonly (BoundRow | undefined)[])[] = [];
    join(frame, (rows) => {
      found.push(rows);
      return true;
    });
    const rows: SqlRow[] = [];
    let count = 0;
    for (const bound of found) {
      for (const [index, slot] of slots.entries()) frame.slots[slot] = bound[index];
      const version = bound.at(-1);
      if (version === undefined || !isVersion(version)) continue;
      const changed = change(version, frame);
      if (changed === undefined) continue;
      count += 1;
      frame.slots[target.entry.slot] = changed;
      if (returning.length > 0) rows.push(returning.map(({ expression }) => expression.evaluate(frame)));
    }
    return { rows, count };
  };

/** Compiles an update without its `with`. */
export const compileUpdate = (statement: UpdateStmt, parent: Scope, compilation: Compilation): Query => {
  const { relation, targetList = [], fromClause = [], whereClause, returningClause } = statement;
  const changed = compileChanged(relation, fromClause, whereClause, parent, compilation);
  const { definition, scope } = changed;
  const { assign, set } = compileAssignments(targetList, definition, scope, compilation);
  const returning = compileTargets(returningClause?.exprs ?? [], scope, compilation);
  return {
    columns: returning.map(({ name, type }) => ({ name, type })),
    run: changing(changed, returning, (version, frame) =>
      updateRow(definition, version, assign(frame, version.values), set, frame.command),
    ),
  };
};

/** Compiles a delete without its `with`. */
export const compileDelete = (statement: DeleteStmt, parent: Scope, compilation: Compilation): Query => {
  const { relation, usingClause = [], whereClause, returningClause } = statement;
  const changed = compileChanged(relation, usingClause, whereClause, parent, compilation);
  const returning = compileTargets(returningClause?.exprs ?? [], changed.scope, compilation);
  return {
    columns: returning.map(({ name, type }) => ({ name, type })),
    run: changing(changed, returning, (version, { command }) =>
      deleteRow(changed.definition, version, command) ? version : undefined,
    ),
  };
};
