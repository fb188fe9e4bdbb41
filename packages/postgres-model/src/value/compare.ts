import { Decimal } from "./decimal.ts";
import { Jsonb } from "./jsonb.ts";
import { UnknownSql } from "./sql-error.ts";
import type { SqlRow, SqlValue } from "./value.ts";

/** Compares two values of one type, as `order by` does; NULL comes after every other value. Text is compared as with the collation C. */
export const compareValues = (a: SqlValue, b: SqlValue): number => {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (typeof a !== "object" || typeof b !== "object") return a < b ? -1 : a > b ? 1 : 0;
  if (isRow(a) && isRow(b)) return compareLists(a, b, compareValues);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareLists(a, b, (x, y) => x - y);
  if (a instanceof Decimal && b instanceof Decimal) return a.compare(b);
  if (a instanceof Jsonb && b instanceof Jsonb) return compareValues(`${a}`, `${b}`);
  throw new UnknownSql("a comparison of values of two types");
};

/** Half of a character that takes two units of JavaScript: units and bytes order these differently. */
const SURROGATE = /[\uD800-\uDFFF]/;

const compareTexts = (a: string, b: string): number => {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
};

/** Compares two records as operators do. @returns null where a NULL comes before the first difference */
export const compareRecords = (a: SqlRow, b: SqlRow): number | null => {
  for (const [index, x] of a.entries()) {
    const y = b[index] ?? null;
    if (x === null || y === null) return null;
    const order = compareValues(x, y);
    if (order !== 0) return order;
  }
  return 0;
};

/** Whether two records are equal: NULL where none of their values differs and one is NULL. */
export const equalRecords = (a: SqlRow, b: SqlRow): boolean | null => {
  const pairs = a.map((x, index) => [x, b[index] ?? null] as const);
  const isDifferent = pairs.some(([x, y]) => x !== null && y !== null && compareValues(x, y) !== 0);
  if (isDifferent) return false;
  return pairs.some(([x, y]) => x === null || y === null) ? null : true;
};

export const isRow = (value: SqlValue): value is readonly SqlValue[] => Array.isArray(value);

const compareLists = <T>(
  a: { readonly length: number; readonly [index: number]: T },
  b: { readonly length: number; readonly [index: number]: T },
  compare: (x: T, y: T) => number,
): number => {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [x, y] = [a[index], b[index]];
    const order = x === undefined || y === undefined ? 0 : compare(x, y);
    if (order !== 0) return order;
  }
  return a.length - b.length;
};

/** A key under which equal values of one type are found, and no others. */
export const equalityKey = (value: SqlValue): string | number | bigint | boolean | null => {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Uint8Array) return `b${value.join()}`;
  if (value instanceof Decimal) return `d${value.unitsAt(Math.max(value.scale, 40))}`;
  if (isRow(value))
    return `r${value.map((part) => `${typeof part}:${String(equalityKey(part))}`).join("\u0000")}`;
  return `j${value.toString()}`;
};
