import { decimalOf } from "../value/cast.ts";
import { compareRecords, compareValues, equalRecords, isRow } from "../value/compare.ts";
import { isList, type Json, Jsonb } from "../value/jsonb.ts";
import { SqlStateError, UnknownSql } from "../value/sql-error.ts";
import { isArrayType, type SqlType, type SqlValue } from "../value/value.ts";
import { coerced, together } from "./coerce.ts";
import type { Expression } from "./frame.ts";

/** Comparisons, by the order of two values. */
const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<>": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** An operator of two operands: NULL if one of them is. */
export const binary = (operator: string, left: Expression, right: Expression): Expression => {
  const compares = COMPARISONS[operator];
  if (compares !== undefined) return comparison(compares, left, right);
  const made = jsonbOperator(operator, left, right) ?? textOperator(operator, left, right);
  return made ?? timeOperator(operator, left, right) ?? arithmetic(operator, left, right);
};

const strict = (
  type: SqlType,
  left: Expression,
  right: Expression,
  apply: (a: NonNullable<SqlValue>, b: NonNullable<SqlValue>) => SqlValue,
): Expression => ({
  type,
  evaluate: (frame) => {
    const a = left.evaluate(frame);
    const b = right.evaluate(frame);
    return a === null || b === null ? null : apply(a, b);
  },
});

const comparison = (
  compares: (order: number) => boolean,
  left: Expression,
  right: Expression,
): Expression => {
  if (left.type === "record" && right.type === "record")
    return strict("bool", left, right, (a, b) => comparedRecords(compares, a, b));
  const [a, b] = together([left, right]);
  if (a === undefined || b === undefined) throw new UnknownSql("a comparison without operands");
  return strict("bool", a, b, (x, y) => compares(compareValues(x, y)));
};

const comparedRecords = (compares: (order: number) => boolean, a: SqlValue, b: SqlValue): boolean | null => {
  if (a === null || b === null || !isRow(a) || !isRow(b)) return null;
  // `=` and `<>` look at all values, the others at those up to the first difference
  const isOrder = compares(-1) !== compares(1);
  if (isOrder) {
    const order = compareRecords(a, b);
    return order === null ? null : compares(order);
  }
  const isSame = equalRecords(a, b);
  return isSame === null ? null : compares(isSame ? 0 : 1);
};

/** Whether two values are the same; NULL is the same as NULL. */
export const distinct = (left: Expression, right: Expression, isNegated: boolean): Expression => {
  const [a, b] = left.type === "record" && right.type === "record" ? [left, right] : together([left, right]);
  if (a === undefined || b === undefined) throw new UnknownSql("a comparison without operands");
  return {
    type: "bool",
    evaluate: (frame) => (compareValues(a.evaluate(frame), b.evaluate(frame)) !== 0) !== isNegated,
  };
};

const asJson = (json: Json | undefined): SqlValue => (json === undefined ? null : new Jsonb(json));
const asText = (json: Json | undefined): SqlValue => {
  if (json === undefined || json === null) return null;
  return typeof json === "string" ? json : new Jsonb(json).toString();
};

const jsonbOperator = (operator: string, left: Expression, right: Expression): Expression | undefined => {
  if (left.type !== "jsonb") return undefined;
  const key =
    right.type === "int4" ? right : coerced(right, operator === "||" || operator === "@>" ? "jsonb" : "text");
  const at = (a: SqlValue, b: SqlValue): Json | undefined =>
    a instanceof Jsonb && (typeof b === "string" || typeof b === "number") ? a.at(b) : undefined;
  switch (operator) {
    case "->":
      return strict("jsonb", left, key, (a, b) => asJson(at(a, b)));
    case "->>":
      return strict("text", left, key, (a, b) => asText(at(a, b)));
    case "?":
      return strict("bool", left, key, (a, b) => a instanceof Jsonb && typeof b === "string" && a.has(b));
    case "||":
      return strict("jsonb", left, key, (a, b) => joined(a, b));
    case "-":
      if (!TEXTS.includes(right.type)) throw new UnknownSql(`- of jsonb and ${right.type}`);
      return strict("jsonb", left, key, (a, b) => without(a, b));
    case "@>":
      return strict(
        "bool",
        left,
        key,
        (a, b) => a instanceof Jsonb && b instanceof Jsonb && contains(a.json, b.json),
      );
    default:
      return undefined;
  }
};

const joined = (a: SqlValue, b: SqlValue): SqlValue => {
  if (!(a instanceof Jsonb && b instanceof Jsonb)) throw new UnknownSql("|| of jsonb and something else");
  const [x, y] = [a.json, b.json];
  if (isObject(x) && isObject(y)) return new Jsonb({ ...x, ...y });
  return new Jsonb([...(isList(x) ? x : [x]), ...(isList(y) ? y : [y])]);
};

/** A jsonb without a key of its object, or without each string of its array that is the same. */
const without = (whole: SqlValue, key: SqlValue): SqlValue => {
  if (!(whole instanceof Jsonb && typeof key === "string")) throw new UnknownSql("- of jsonb without a key");
  const { json } = whole;
  if (isList(json)) return new Jsonb(json.filter((part) => part !== key));
  if (!isObject(json)) throw new SqlStateError("22023", "cannot delete from scalar");
  return new Jsonb(Object.fromEntries(Object.entries(json).filter(([name]) => name !== key)));
};

const isObject = (json: Json): json is { readonly [property: string]: Json } =>
  json !== null && typeof json === "object" && !isList(json);

const contains = (whole: Json, part: Json): boolean => {
  if (isList(whole)) {
    if (isList(part)) return part.every((wanted) => whole.some((one) => contains(one, wanted)));
    // an array contains a scalar, and no object by itself
    return !isObject(part) && whole.includes(part);
  }
  if (isObject(whole) && isObject(part))
    return Object.entries(part).every(([key, value]) => {
      const found = Object.hasOwn(whole, key) ? whole[key] : undefined;
      return found !== undefined && contains(found, value);
    });
  return whole === part;
};

const expressions = new Map<string, RegExp>();
const regularExpression = (text: string): RegExp => {
  const made = expressions.get(text) ?? new RegExp(text, "u");
  expressions.set(text, made);
  return made;
};

const TEXTS: readonly SqlType[] = ["text", "unknown"];

const textOperator = (operator: string, left: Expression, right: Expression): Expression | undefined => {
  if (operator === "||") {
    if (isArrayType(left.type) || isArrayType(right.type)) return joinedArrays(left, right);
    return strict(
      "text",
      coerced(left, "text"),
      coerced(right, "text"),
      (a, b) => `${String(a)}${String(b)}`,
    );
  }
  if (!TEXTS.includes(left.type)) return undefined;
  const [a, b] = [coerced(left, "text"), coerced(right, "text")];
  switch (operator) {
    case "~":
      return strict("bool", a, b, (text, form) => regularExpression(String(form)).test(String(text)));
    case "~~":
      return strict("bool", a, b, (text, form) => likeness(String(form)).test(String(text)));
    case "!~~":
      return strict("bool", a, b, (text, form) => !likeness(String(form)).test(String(text)));
    default:
      return undefined;
  }
};

const likeness = (form: string): RegExp => {
  if (form.includes("\\")) throw new UnknownSql("an escape in a pattern of like");
  const letters = form
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replace(/%/g, "[\\s\\S]*")
    .replace(/_/g, "[\\s\\S]");
  return regularExpression(`^${letters}$`);
};

const joinedArrays = (left: Expression, right: Expression): Expression => {
  const type = isArrayType(left.type) ? left.type : right.type;
  const list = (value: SqlValue): readonly SqlValue[] => (isRow(value) ? value : [value]);
  const [a, b] = [left, right].map((side) => (side.type === "unknown" ? coerced(side, type) : side));
  if (a === undefined || b === undefined) throw new UnknownSql("|| without operands");
  return strict(type, a, b, (x, y) => [...list(x), ...list(y)]);
};

const numberOf = (value: SqlValue): number => {
  if (typeof value === "number") return value;
  return decimalOf(value).toNumber();
};

const timeOperator = (operator: string, left: Expression, right: Expression): Expression | undefined => {
  const [a, b] = [left.type, right.type];
  const isTime = (type: SqlType): boolean => type === "timestamptz" || type === "interval";
  if (!isTime(a) && !isTime(b)) return undefined;
  if (operator === "*" || operator === "/") {
    const [length, factor] = a === "interval" ? [left, right] : [right, left];
    const by = factor.type === "unknown" ? coerced(factor, "float8") : factor;
    return strict("interval", length, by, (x, y) =>
      Math.round(operator === "*" ? numberOf(x) * numberOf(y) : numberOf(x) / numberOf(y)),
    );
  }
  const [x, y] = [asInterval(left), asInterval(right)];
  if (operator === "+")
    return strict(x.type === y.type ? "interval" : "timestamptz", x, y, (m, n) => numberOf(m) + numberOf(n));
  if (operator === "-")
    return strict(y.type === "timestamptz" ? "interval" : x.type, x, y, (m, n) => numberOf(m) - numberOf(n));
  return undefined;
};

/** A literal beside a time is an interval. */
const asInterval = (side: Expression): Expression =>
  side.type === "unknown" ? coerced(side, "interval") : side;

const arithmetic = (operator: string, left: Expression, right: Expression): Expression => {
  const [a, b] = together([left, right]);
  if (a === undefined || b === undefined) throw new UnknownSql(`the operator ${operator} without operands`);
  const apply = ARITHMETIC[operator];
  if (apply === undefined) throw new UnknownSql(`the operator ${operator} of ${left.type} and ${right.type}`);
  const { type } = a;
  return coerced(
    strict("numeric", coerced(a, "numeric"), coerced(b, "numeric"), (x, y) =>
      apply(decimalOf(x), decimalOf(y), type !== "numeric" && type !== "float8"),
    ),
    type,
  );
};

type Arithmetic = (
  a: ReturnType<typeof decimalOf>,
  b: ReturnType<typeof decimalOf>,
  isWhole: boolean,
) => SqlValue;

const ARITHMETIC: Readonly<Record<string, Arithmetic>> = {
  "+": (a, b) => a.plus(b),
  "-": (a, b) => a.plus(b.negated()),
  "*": (a, b) => a.times(b),
  "/": (a, b, isWhole) => {
    if (!isWhole) return a.over(b);
    if (b.units === 0n) throw new SqlStateError("22012", "division by zero");
    return decimalOf(a.unitsAt(0) / b.unitsAt(0));
  },
  "%": (a, b) => {
    if (b.units === 0n) throw new SqlStateError("22012", "division by zero");
    return decimalOf(a.unitsAt(0) % b.unitsAt(0));
  },
};
