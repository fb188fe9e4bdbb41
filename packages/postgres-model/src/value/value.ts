import type { Decimal } from "./decimal.ts";
import type { Jsonb } from "./jsonb.ts";
import { UnknownSql } from "./sql-error.ts";

/**
 * A value in a row, null for NULL: int4, float8 and xid are numbers; int8 is a bigint; text and uuid are strings; timestamptz is a number
 * of microseconds since 1970, interval a number of microseconds; an array or a record is an array.
 */
export type SqlValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Jsonb
  | Decimal
  | readonly SqlValue[];

export type SqlRow = readonly SqlValue[];

type Scalar =
  | "bool"
  | "int4"
  | "int8"
  | "numeric"
  | "float8"
  | "text"
  | "uuid"
  | "jsonb"
  | "bytea"
  | "timestamptz"
  | "interval"
  | "xid"
  | "tid"
  | "void"
  | "record"
  | "unknown";

export type SqlType = Scalar | `${Scalar}[]`;

/** A named column of a table or of a result. */
export interface Column {
  readonly name: string;
  readonly type: SqlType;
}

const ARRAY = "[]";

export const isArrayType = (type: SqlType): boolean => type.endsWith(ARRAY);

const SCALARS: readonly Scalar[] = [
  "bool",
  "int4",
  "int8",
  "numeric",
  "float8",
  "text",
  "uuid",
  "jsonb",
  "bytea",
  "timestamptz",
  "interval",
  "xid",
  "tid",
  "void",
  "record",
  "unknown",
];

/** The type of the elements of an array type. */
export const elementType = (type: SqlType): SqlType => {
  const found = SCALARS.find((scalar) => type === `${scalar}${ARRAY}`);
  if (found === undefined) throw new UnknownSql(`elements of ${type}`);
  return found;
};

/** The array type with these elements. */
export const arrayType = (type: SqlType): SqlType => {
  const found = SCALARS.find((scalar) => scalar === type);
  if (found === undefined) throw new UnknownSql(`an array of ${type}`);
  return `${found}${ARRAY}`;
};
