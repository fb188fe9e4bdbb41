import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { isRow } from "./compare.ts";
import { Decimal } from "./decimal.ts";
import { Jsonb } from "./jsonb.ts";
import { SqlStateError, UnknownSql } from "./sql-error.ts";
import { formatTimestamp, parseInterval, parseTimestamp } from "./time.ts";
import { elementType, isArrayType, type SqlType, type SqlValue } from "./value.ts";

/**
 * Reads the text form of a value, as a driver sends it or a statement writes it.
 * @throws SqlStateError 22P02 for a text that is no value of the type
 */
export const parseValue = (text: string, type: SqlType): SqlValue => {
  switch (type) {
    case "text":
    case "unknown":
      return text;
    case "uuid":
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw malformed(text, type);
      return text.toLowerCase();
    case "bool":
      return parseBoolean(text);
    case "int4":
    case "xid":
      return Number(bounded(parseWhole(text, "integer"), type === "int4" ? 31 : 32));
    case "int8":
      return bounded(parseWhole(text, "bigint"), 63);
    case "numeric":
      return Decimal.parse(text);
    case "float8":
      return Number(text);
    case "jsonb":
      return parseJson(text);
    case "bytea":
      return hexToBytes(text.replace(/^\\x/, ""));
    case "timestamptz":
      return parseTimestamp(text);
    case "interval":
      return parseInterval(text);
    default:
      if (isArrayType(type) && text === "{}") return [];
      throw new UnknownSql(`the text form of ${type}`);
  }
};

const malformed = (text: string, type: string): SqlStateError =>
  new SqlStateError("22P02", `invalid input syntax for type ${type}: "${text}"`);

const parseWhole = (text: string, type: string): bigint => {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw malformed(text, type);
  return BigInt(text.trim());
};

const parseBoolean = (text: string): boolean => {
  if (/^(t|true|y|yes|on|1)$/i.test(text)) return true;
  if (/^(f|false|n|no|off|0)$/i.test(text)) return false;
  throw malformed(text, "boolean");
};

const parseJson = (text: string): Jsonb => {
  try {
    return Jsonb.parse(text);
  } catch {
    throw malformed(text, "json");
  }
};

/** The text form of a value, as `::text` gives it. */
export const textOf = (value: SqlValue, type: SqlType): string => {
  switch (type) {
    case "timestamptz":
      return typeof value === "number" ? formatTimestamp(value) : String(value);
    case "bytea":
      return value instanceof Uint8Array ? `\\x${bytesToHex(value)}` : String(value);
    case "jsonb":
      return value instanceof Jsonb ? value.toString() : String(value);
    case "interval":
    case "record":
    case "tid":
      throw new UnknownSql(`the text of ${type}`);
    default:
      if (isArrayType(type)) throw new UnknownSql(`the text of ${type}`);
      return String(value);
  }
};

type Cast = (value: SqlValue) => SqlValue;

const NUMBERS: readonly SqlType[] = ["int4", "int8", "numeric", "float8"];

/**
 * The function that takes a value that is not NULL from one type to another.
 * @throws UnknownSql for a pair of types that no statement casts
 */
export const castOf = (from: SqlType, to: SqlType): Cast => {
  if (from === to) return (value) => value;
  if (to === "text") return (value) => textOf(value, from);
  if (from === "text" || from === "unknown")
    return (value) => (typeof value === "string" ? parseValue(value, to) : value);
  if (isArrayType(from) && isArrayType(to)) {
    const inner = castOf(elementType(from), elementType(to));
    return (value) => (isRow(value) ? value.map((part) => (part === null ? null : inner(part))) : value);
  }
  if (from === "xid" && to === "int8") return (value) => BigInt(Number(value));
  if (from === "int8" && to === "xid") return (value) => Number(value);
  if (NUMBERS.includes(from) && NUMBERS.includes(to)) return (value) => castNumber(value, to);
  throw new UnknownSql(`a cast of ${from} to ${to}`);
};

const castNumber: (value: SqlValue, to: SqlType) => SqlValue = (value, to) => {
  if (to === "float8") return Number(String(value));
  const exact = decimalOf(value);
  if (to === "numeric") return exact;
  const whole = exact.rounded();
  return to === "int8" ? bounded(whole, 63) : Number(bounded(whole, 31));
};

const bounded = (whole: bigint, bits: number): bigint => {
  const limit = 1n << BigInt(bits);
  if (whole >= limit || whole < -limit)
    throw new SqlStateError("22003", bits < 63 ? "integer out of range" : "bigint out of range");
  return whole;
};

/** A number as an exact decimal. */
export const decimalOf = (value: SqlValue): Decimal => {
  if (value instanceof Decimal) return value;
  if (typeof value === "bigint") return Decimal.of(value);
  if (typeof value === "number") return Decimal.parse(String(value));
  throw new UnknownSql("arithmetic with what is no number");
};
