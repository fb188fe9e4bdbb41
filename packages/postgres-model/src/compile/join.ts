import type { Node } from "libpg-query";
import type { BoundRow } from "../storage/tuple.ts";
import { isRow } from "../value/compare.ts";
import { elementType, type SqlType, type SqlValue } from "../value/value.ts";
import { coerced } from "./coerce.ts";
import { compileExpression } from "./expression.ts";
import type { Expression, Frame } from "./frame.ts";
import { type Condition, compileCondition, type FromItem, visible } from "./from.ts";
import type { BoundRows, Compilation, Scope } from "./scope.ts";

const NO_ROW: BoundRow = { values: [] };

/** Finds the rows of a table by the value of one column, instead of reading all of them. */
interface Lookup {
  readonly position: number;
  readonly values: (frame: Frame) => readonly SqlValue[];
}

interface Step {
  readonly item: FromItem;
  readonly lookups: readonly Lookup[];
  readonly on: readonly Condition[];
  readonly where: readonly Condition[];
}

/** Calls back with the rows of each combination that fits. The callback returns whether it wants more. */
export type Join = (frame: Frame, found: (rows: BoundRows) => boolean) => void;

/**
 * Joins the entries of a `from` in their order, as nested loops. Each condition is checked as soon as the entries that it reads are
 * bound, and an equality with an indexed column finds the rows by it.
 */
export const compileJoin = (
  items: readonly FromItem[],
  conditions: readonly Node[],
  scope: Scope,
  compilation: Compilation,
): Join => {
  const compiled = conditions.map((node) => compileCondition(node, scope, compilation));
  const slots = items.map(({ entry }) => entry.slot);
  const placeOf = (condition: Condition): number =>
    Math.max(-1, ...[...condition.slots].map((slot) => slots.indexOf(slot)));
  const once = compiled.filter((condition) => placeOf(condition) < 0);
  const steps = items.map((item, place): Step => {
    const where = compiled.filter((condition) => placeOf(condition) === place);
    const later = new Set(slots.slice(place));
    const useful = item.isOptional ? item.on : where;
    return {
      item,
      on: item.on,
      where,
      lookups: useful.flatMap((condition) => lookupOf(condition, item, later, scope, compilation)),
    };
  });
  return (frame, found) => {
    if (once.every(({ holds }) => holds.evaluate(frame) === true)) walk(steps, 0, frame, [], found);
  };
};

/** @returns whether more is wanted */
const walk = (
  steps: readonly Step[],
  place: number,
  frame: Frame,
  bound: BoundRow[],
  found: (rows: BoundRows) => boolean,
): boolean => {
  const step = steps[place];
  if (step === undefined) return found([...bound]);
  const { item, on, where } = step;
  const { slot } = item.entry;
  let isMatched = false;
  const tryRow = (row: BoundRow): boolean => {
    frame.slots[slot] = row;
    bound[place] = row;
    return where.every(({ holds }) => holds.evaluate(frame) === true)
      ? walk(steps, place + 1, frame, bound, found)
      : true;
  };
  for (const row of candidates(step, frame)) {
    frame.slots[slot] = row;
    if (!on.every(({ holds }) => holds.evaluate(frame) === true)) continue;
    isMatched = true;
    if (!tryRow(row)) return false;
  }
  return isMatched || !item.isOptional || tryRow(NO_ROW);
};

const candidates = ({ item, lookups }: Step, frame: Frame): readonly BoundRow[] => {
  const { table } = item;
  const [lookup] = lookups;
  if (table === undefined || lookup === undefined) return item.rows(frame);
  const values = lookup.values(frame);
  const [only] = values;
  if (values.length === 1 && only !== undefined)
    return only === null ? [] : visible(table.tuplesWith(lookup.position, only), frame);
  const tuples = new Set(
    values.flatMap((value) => (value === null ? [] : [...table.tuplesWith(lookup.position, value)])),
  );
  return visible(tuples, frame);
};

/** The lookup that a condition of the form `column = value`, `column in (…)` or `column = any (…)` allows. */
const lookupOf = (
  { node }: Condition,
  item: FromItem,
  later: ReadonlySet<number>,
  scope: Scope,
  compilation: Compilation,
): readonly Lookup[] => {
  if (!("A_Expr" in node) || item.table === undefined) return [];
  const { kind, name = [], lexpr, rexpr } = node.A_Expr;
  const [symbol] = name;
  if (symbol === undefined || !("String" in symbol) || symbol.String.sval !== "=") return [];
  const sides: readonly (readonly [Node | undefined, Node | undefined])[] =
    kind === "AEXPR_OP"
      ? [
          [lexpr, rexpr],
          [rexpr, lexpr],
        ]
      : [[lexpr, rexpr]];
  for (const [column, value] of sides) {
    const position = columnOf(column, item, scope);
    if (position === undefined || value === undefined) continue;
    const type = item.table.columns[position]?.type ?? "text";
    const parts = kind === "AEXPR_IN" && "List" in value ? (value.List.items ?? []) : [value];
    if (kind !== "AEXPR_OP" && kind !== "AEXPR_IN" && kind !== "AEXPR_OP_ANY") return [];
    const { made, slots } = compilation.tracked(() =>
      parts.map((part) => compileExpression(part, scope, compilation)),
    );
    if ([...slots].some((slot) => later.has(slot))) continue;
    const values = valuesOf(made, type, kind === "AEXPR_OP_ANY");
    if (values !== undefined) return [{ position, values }];
  }
  return [];
};

const valuesOf = (
  made: readonly Expression[],
  type: SqlType,
  isArray: boolean,
): Lookup["values"] | undefined => {
  const [first] = made;
  if (isArray) {
    if (first === undefined || first.type === "unknown" || elementType(first.type) !== type) return undefined;
    return (frame) => {
      const list = first.evaluate(frame);
      return list !== null && isRow(list) ? list : [];
    };
  }
  if (made.some((value) => value.type !== type && value.type !== "unknown")) return undefined;
  const typed = made.map((value) => coerced(value, type));
  return (frame) => typed.map((value) => value.evaluate(frame));
};

const columnOf = (node: Node | undefined, { entry, table }: FromItem, scope: Scope): number | undefined => {
  if (node === undefined || !("ColumnRef" in node)) return undefined;
  const names = (node.ColumnRef.fields ?? []).map((field) =>
    "String" in field ? (field.String.sval ?? "") : "",
  );
  const name = names.at(-1) ?? "";
  const isOfItem =
    names.length > 1
      ? names.at(-2) === entry.alias
      : scope.entries.find(({ columns }) => columns.some((column) => column.name === name)) === entry;
  const position = isOfItem ? table?.position(name) : undefined;
  return position !== undefined && table?.isIndexedBy(position) === true ? position : undefined;
};
