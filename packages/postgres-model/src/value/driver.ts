import { parseValue } from "./cast.ts";
import { isRow } from "./compare.ts";
import { Decimal } from "./decimal.ts";
import { Jsonb } from "./jsonb.ts";
import { UnknownSql } from "./sql-error.ts";
import { elementType, isArrayType, type SqlType, type SqlValue } from "./value.ts";

/** Takes a value that is handed to a statement, of the type that the statement gives it, as node-postgres sends it. */
export const fromDriver = (given: unknown, type: SqlType): SqlValue => {
  if (given === null || given === undefined) return null;
  if (Array.isArray(given)) {
    if (type === "jsonb") return Jsonb.parse(JSON.stringify(given));
    if (!isArrayType(type)) throw new UnknownSql(`an array for ${type}`);
    return given.map((part: unknown) => fromDriver(part, elementType(type)));
  }
  if (given instanceof Uint8Array) return Uint8Array.from(given);
  if (given instanceof Date) return parseValue(given.toISOString(), type);
  return parseValue(typeof given === "object" ? JSON.stringify(given) : String(given), type);
};

/** Gives a value as node-postgres does: int8 and numeric are text, a time is a Date. @throws UnknownSql for the place of a row */
export const toDriver = (value: SqlValue, type: SqlType): unknown => {
  if (value === null) return null;
  if (type === "timestamptz" && typeof value === "number")
    return Number.isFinite(value) ? new Date(Math.floor(value / 1_000)) : value;
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Decimal) return value.toString();
  if (value instanceof Jsonb) return value.json;
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (isArrayType(type) && isRow(value)) {
    const element = elementType(type);
    return value.map((part) => toDriver(part, element));
  }
  if (type === "void") return "";
  if (type === "tid") throw new UnknownSql("the place of a row as a value that is shown");
  return value;
};
