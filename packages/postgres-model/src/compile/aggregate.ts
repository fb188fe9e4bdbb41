import type { FuncCall, Node, SortBy, WindowDef } from "libpg-query";
import { decimalOf } from "../value/cast.ts";
import { compareValues, equalityKey } from "../value/compare.ts";
import { Jsonb } from "../value/jsonb.ts";
import { UnknownSql } from "../value/sql-error.ts";
import { arrayType, type SqlType, type SqlValue } from "../value/value.ts";
import { coerced } from "./coerce.ts";
import type { Expression } from "./frame.ts";
import { toJson } from "./functions.ts";
import type { Compilation, Scope, SortKey } from "./scope.ts";

interface Aggregate {
  readonly gives: (type: SqlType) => SqlType;
  /** @param values of the rows, without those that are NULL unless `takesNull` */
  readonly gather: (values: readonly SqlValue[], type: SqlType, more: readonly SqlValue[]) => SqlValue;
  readonly takesNull?: boolean;
}

const extreme =
  (sign: 1 | -1): Aggregate["gather"] =>
  (values) =>
    values.reduce<SqlValue>(
      (most, value) => (most === null || sign * compareValues(value, most) > 0 ? value : most),
      null,
    );

const sum: Aggregate["gather"] = (values, type) => {
  if (values.length === 0) return null;
  const total = values.reduce(
    (whole: ReturnType<typeof decimalOf>, value) => whole.plus(decimalOf(value)),
    decimalOf(0),
  );
  return type === "int4" ? total.rounded() : total;
};

const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  count: { gives: () => "int8", gather: (values) => BigInt(values.length) },
  max: { gives: (type) => type, gather: extreme(1) },
  min: { gives: (type) => type, gather: extreme(-1) },
  sum: { gives: (type) => (type === "int4" ? "int8" : "numeric"), gather: sum },
  bool_or: { gives: () => "bool", gather: (values) => (values.length === 0 ? null : values.includes(true)) },
  bool_and: {
    gives: () => "bool",
    gather: (values) => (values.length === 0 ? null : !values.includes(false)),
  },
  array_agg: {
    gives: (type) => arrayType(type),
    gather: (values) => (values.length === 0 ? null : values),
    takesNull: true,
  },
  jsonb_agg: {
    gives: () => "jsonb",
    gather: (values, type) =>
      values.length === 0 ? null : new Jsonb(values.map((value) => toJson(value, type))),
    takesNull: true,
  },
  string_agg: {
    gives: () => "text",
    gather: (values, _, [by]) => (values.length === 0 ? null : values.map(String).join(String(by ?? ""))),
  },
};

export const isAggregate = (name: string): boolean => Object.hasOwn(AGGREGATES, name);

/** An aggregate: the select computes it for each group, and it is read from a slot. */
export const compileAggregate = (
  name: string,
  node: FuncCall,
  scope: Scope,
  inner: (node: Node | undefined) => Expression,
): Expression => {
  const [aggregate, sink] = [AGGREGATES[name], scope.aggregates];
  if (aggregate === undefined || sink === undefined)
    throw new UnknownSql(`the aggregate ${name} in this place`);
  const given = (node.args ?? []).map(inner);
  const [first, by] = given.map((value) => (value.type === "unknown" ? coerced(value, "text") : value));
  const filter = node.agg_filter === undefined ? undefined : inner(node.agg_filter);
  const order = (node.agg_order ?? []).map((key) => compileSortKey(key, inner));
  const type = first?.type ?? "int4";
  const at = sink.calls.push((rows, frame, bind) => {
    const found: { readonly value: SqlValue; readonly keys: readonly SqlValue[] }[] = [];
    let more: SqlValue = null;
    for (const row of rows) {
      bind(row);
      if (filter !== undefined && filter.evaluate(frame) !== true) continue;
      const value = first === undefined ? 1 : first.evaluate(frame);
      if (value === null && aggregate.takesNull !== true) continue;
      more = by?.evaluate(frame) ?? null;
      found.push({ value, keys: order.map(({ expression }) => expression.evaluate(frame)) });
    }
    if (order.length > 0) found.sort((a, b) => compareKeys(a.keys, b.keys, order));
    const values = found.map(({ value }) => value);
    return aggregate.gather(node.agg_distinct === true ? onlyOnce(values) : values, type, [more]);
  });
  return {
    type: aggregate.gives(type),
    evaluate: ({ slots }) => slots[sink.slot]?.values[at - 1] ?? null,
  };
};

const onlyOnce = (values: readonly SqlValue[]): readonly SqlValue[] => [
  ...new Map(values.map((value) => [equalityKey(value), value])).values(),
];

/** `row_number() over (…)`: the select numbers its rows, and the number is read from a slot. */
export const compileNumbering = (
  name: string,
  { partitionClause = [], orderClause = [], refname }: WindowDef,
  scope: Scope,
  compilation: Compilation,
  inner: (node: Node | undefined) => Expression,
): Expression => {
  const sink = scope.numberings;
  if (name !== "row_number" || sink === undefined || refname !== undefined)
    throw new UnknownSql(`the window function ${name}`);
  compilation.use(sink.slot);
  const at = sink.calls.push({
    partition: partitionClause.map(inner),
    order: orderClause.map((key) => compileSortKey(key, inner)),
  });
  return { type: "int8", evaluate: ({ slots }) => slots[sink.slot]?.values[at - 1] ?? null };
};

/** Compiles a key of an order; NULL is last where it ascends and first where it descends, unless the statement says otherwise. */
export const compileSortKey = (node: Node, inner: (node: Node | undefined) => Expression): SortKey => {
  const sort: SortBy | undefined = "SortBy" in node ? node.SortBy : undefined;
  if (sort === undefined) throw new UnknownSql("an order that is none");
  const isDescending = sort.sortby_dir === "SORTBY_DESC";
  const nulls = sort.sortby_nulls;
  return {
    expression: inner(sort.node),
    isDescending,
    areNullsFirst: nulls === "SORTBY_NULLS_FIRST" || (nulls !== "SORTBY_NULLS_LAST" && isDescending),
  };
};

/** Compares the values of sort keys. */
export const compareKeys = (
  a: readonly SqlValue[],
  b: readonly SqlValue[],
  order: readonly SortKey[],
): number => {
  for (const [index, { isDescending, areNullsFirst }] of order.entries()) {
    const [x, y] = [a[index] ?? null, b[index] ?? null];
    if (x === y) continue;
    if (x === null || y === null) return (x === null) === areNullsFirst ? -1 : 1;
    const compared = compareValues(x, y);
    if (compared !== 0) return isDescending ? -compared : compared;
  }
  return 0;
};
