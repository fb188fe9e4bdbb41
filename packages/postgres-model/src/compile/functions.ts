import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { LockWait } from "../storage/holder.ts";
import { decimalOf, textOf } from "../value/cast.ts";
import { compareValues, isRow } from "../value/compare.ts";
import { Decimal } from "../value/decimal.ts";
import { isList, type Json, Jsonb } from "../value/jsonb.ts";
import { UnknownSql } from "../value/sql-error.ts";
import { unitOf } from "../value/time.ts";
import type { SqlType, SqlValue } from "../value/value.ts";
import { coerced, together } from "./coerce.ts";
import type { Expression, Frame } from "./frame.ts";

/** A function of values none of which is NULL. */
interface StrictFunction {
  readonly takes: readonly SqlType[];
  readonly gives: SqlType;
  readonly call: (values: readonly NonNullable<SqlValue>[], frame: Frame) => SqlValue;
}

const bytesOf = (value: SqlValue | undefined): Uint8Array => {
  if (value instanceof Uint8Array) return value;
  throw new UnknownSql("bytes of another type");
};
const textIn = (value: SqlValue | undefined): string => String(value ?? "");
const numberIn = (value: SqlValue | undefined): number => Number(value ?? 0);
const lengthOf = (value: SqlValue | undefined): number =>
  value !== undefined && value !== null && isRow(value) ? value.length : 0;

const lockKey = (value: SqlValue | undefined): bigint =>
  typeof value === "bigint" ? value : BigInt(numberIn(value));

const tryLock = (mode: "exclusive" | "shared"): StrictFunction => ({
  takes: ["int8"],
  gives: "bool",
  call: ([key], { command: { locks, transaction } }) =>
    locks.take(lockKey(key), transaction, mode).length === 0,
});

const jsonType = (value: SqlValue | undefined): string => {
  if (!(value instanceof Jsonb)) throw new UnknownSql("the type of a value that is no jsonb");
  if (value.json === null) return "null";
  return isList(value.json) ? "array" : typeof value.json;
};

/** Waits for those who hold the lock. */
const takeLock = (mode: "exclusive" | "shared"): StrictFunction => ({
  takes: ["int8"],
  gives: "void",
  call: ([key], { command: { locks, transaction } }) => {
    const holders = locks.take(lockKey(key), transaction, mode);
    if (holders.length > 0) throw new LockWait(holders);
    return "";
  },
});

const FUNCTIONS: Readonly<Record<string, StrictFunction>> = {
  now: { takes: [], gives: "timestamptz", call: (_, { command }) => command.transaction.startedAt },
  lower: { takes: ["text"], gives: "text", call: ([text]) => textIn(text).toLowerCase() },
  length: { takes: ["text"], gives: "int4", call: ([text]) => [...textIn(text)].length },
  left: { takes: ["text", "int4"], gives: "text", call: ([text, n]) => textIn(text).slice(0, numberIn(n)) },
  octet_length: { takes: ["bytea"], gives: "int4", call: ([bytes]) => bytesOf(bytes).length },
  sha256: { takes: ["bytea"], gives: "bytea", call: ([bytes]) => sha256(bytesOf(bytes)) },
  floor: { takes: ["numeric"], gives: "numeric", call: ([number]) => decimalOf(number ?? 0).floor() },
  encode: {
    takes: ["bytea", "text"],
    gives: "text",
    call: ([bytes, form]) => {
      if (form !== "hex") throw new UnknownSql(`encode as ${textIn(form)}`);
      return bytesToHex(bytesOf(bytes));
    },
  },
  convert_to: {
    takes: ["text", "text"],
    gives: "bytea",
    call: ([text, encoding]) => {
      if (encoding !== "UTF8") throw new UnknownSql(`the encoding ${textIn(encoding)}`);
      return utf8ToBytes(textIn(text));
    },
  },
  convert_from: {
    takes: ["bytea", "text"],
    gives: "text",
    call: ([bytes]) => new TextDecoder().decode(bytesOf(bytes)),
  },
  hashtextextended: {
    takes: ["text", "int8"],
    gives: "int8",
    call: ([text, seed]) => hashOf(textIn(text), lockKey(seed)),
  },
  jsonb_typeof: { takes: ["jsonb"], gives: "text", call: ([value]) => jsonType(value) },
  pg_advisory_xact_lock: takeLock("exclusive"),
  pg_advisory_xact_lock_shared: takeLock("shared"),
  pg_try_advisory_xact_lock: tryLock("exclusive"),
  // of a session: migrations alone take one, for as long as their connection is open
  pg_try_advisory_lock: { takes: ["int8"], gives: "bool", call: () => true },
  pg_advisory_unlock: { takes: ["int8"], gives: "bool", call: () => true },
  pg_try_advisory_xact_lock_shared: tryLock("shared"),
  pg_notify: {
    takes: ["text", "text"],
    gives: "void",
    call: ([channel], { command }) => {
      command.transaction.announce(textIn(channel));
      return "";
    },
  },
  pg_current_xact_id: { takes: [], gives: "int8", call: (_, { command }) => BigInt(command.transaction.xid) },
};

/**
 * Another 64-bit hash than PostgreSQL's: nothing shows it, it only has to tell texts apart.
 * FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
 */
const hashOf = (text: string, seed: bigint): bigint => {
  const key = `${seed}/${text}`;
  const known = hashes.get(key);
  if (known !== undefined) return known;
  let hash = 0xcbf29ce484222325n;
  for (const byte of utf8ToBytes(key)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  const signed = BigInt.asIntN(64, hash);
  hashes.set(key, signed);
  return signed;
};
const hashes = new Map<string, bigint>();

/** A call of a function of PostgreSQL. @throws UnknownSql for one that the model does not have */
export const functionCall = (name: string, values: readonly Expression[]): Expression => {
  switch (name) {
    case "coalesce":
      return firstKnown(together(values));
    case "greatest":
    case "least":
      return extreme(name === "greatest" ? 1 : -1, together(values));
    case "cardinality":
      return strictCall({ takes: [], gives: "int4", call: ([list]) => lengthOf(list) }, values);
    case "jsonb_build_object":
      return builtObject(values);
    case "to_jsonb":
      return jsonOf(values);
    case "extract":
      return epoch(values);
    case "concat_ws":
      return joined(values);
    case "pg_has_role":
      return { type: "bool", evaluate: () => true };
  }
  const found = FUNCTIONS[name];
  if (found === undefined || found.takes.length !== values.length)
    throw new UnknownSql(`the function ${name} of ${values.length} values`);
  return strictCall(found, values);
};

const strictCall = ({ takes, gives, call }: StrictFunction, given: readonly Expression[]): Expression => {
  const values = given.map((value, index) => coerced(value, takes[index] ?? value.type));
  return {
    type: gives,
    evaluate: (frame) => {
      const known: NonNullable<SqlValue>[] = [];
      for (const value of values) {
        const found = value.evaluate(frame);
        if (found === null) return null;
        known.push(found);
      }
      return call(known, frame);
    },
  };
};

const typeOfFirst = ([first]: readonly Expression[]): SqlType => first?.type ?? "text";

const firstKnown = (values: readonly Expression[]): Expression => ({
  type: typeOfFirst(values),
  evaluate: (frame) => {
    for (const value of values) {
      const found = value.evaluate(frame);
      if (found !== null) return found;
    }
    return null;
  },
});

/** `concat_ws`: the texts of the values that are not NULL, with the first one between them. */
const joined = ([between, ...values]: readonly Expression[]): Expression => {
  // PostgreSQL joins by the output functions of types, which differ from casts to text for these
  if (values.length === 0 || values.some(({ type }) => type === "bool"))
    throw new UnknownSql("concat_ws of nothing, or of a boolean");
  return { type: "text", evaluate: (frame) => joinedIn(frame, between, values) };
};

const joinedIn = (
  frame: Frame,
  between: Expression | undefined,
  values: readonly Expression[],
): string | null => {
  const separator = between?.evaluate(frame) ?? null;
  if (separator === null) return null;
  const texts = values.flatMap((value) => {
    const found = value.evaluate(frame);
    return found === null ? [] : [textOf(found, value.type)];
  });
  return texts.join(textIn(separator));
};

const extreme = (sign: 1 | -1, values: readonly Expression[]): Expression => ({
  type: typeOfFirst(values),
  evaluate: (frame) =>
    values.reduce<SqlValue>((most, value) => {
      const found = value.evaluate(frame);
      if (found === null || most === null) return found ?? most;
      return sign * compareValues(found, most) > 0 ? found : most;
    }, null),
});

/** `make_interval(secs => 5)`: each unit by its name. */
export const intervalOf = (
  parts: readonly { readonly unit: string; readonly amount: Expression }[],
): Expression => {
  const sized = parts.map(({ unit, amount }) => ({
    size: unitOf(unit),
    amount: coerced(amount, unit === "secs" ? "float8" : "int4"),
  }));
  return {
    type: "interval",
    evaluate: (frame) => {
      let sum = 0;
      for (const { size, amount } of sized) {
        const found = amount.evaluate(frame);
        if (found === null) return null;
        sum += Math.round(numberIn(found) * size);
      }
      return sum;
    },
  };
};

const MICROSECONDS_DIGITS = 6;

const epoch = ([field, time]: readonly Expression[]): Expression => {
  if (time?.type !== "timestamptz" && time?.type !== "interval")
    throw new UnknownSql(`extract from ${time?.type}`);
  return {
    type: "numeric",
    evaluate: (frame) => {
      if (field?.evaluate(frame) !== "epoch") throw new UnknownSql("extract of another field than epoch");
      const at = time.evaluate(frame);
      return at === null ? null : new Decimal(BigInt(numberIn(at)), MICROSECONDS_DIGITS);
    },
  };
};

/** A value as JSON, as `to_jsonb` gives it. */
export const toJson = (value: SqlValue, type: SqlType): Json => {
  if (type === "tid") throw new UnknownSql("the place of a row as JSON");
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (value instanceof Jsonb) return value.json;
  if (type === "timestamptz") return textOf(value, type).replace(" ", "T").replace(/\+00$/, "+00:00");
  if (type === "bytea") return textOf(value, type);
  if (typeof value === "number" || typeof value === "bigint" || value instanceof Decimal)
    return Number(String(value));
  throw new UnknownSql(`${type} as JSON`);
};

const jsonOf = ([value]: readonly Expression[]): Expression => {
  if (value === undefined) throw new UnknownSql("to_jsonb of nothing");
  return {
    type: "jsonb",
    evaluate: (frame) => {
      const found = value.evaluate(frame);
      return found === null ? null : new Jsonb(toJson(found, value.type));
    },
  };
};

const builtObject = (values: readonly Expression[]): Expression => {
  const pairs = values.flatMap((key, index) => {
    const value = values[index + 1];
    return index % 2 === 0 && value !== undefined
      ? [{ key: coerced(key, "text"), value: typedText(value) }]
      : [];
  });
  return {
    type: "jsonb",
    evaluate: (frame) =>
      new Jsonb(
        Object.fromEntries(
          pairs.map(({ key, value }) => [
            textIn(key.evaluate(frame)),
            toJson(value.evaluate(frame), value.type),
          ]),
        ),
      ),
  };
};

const typedText = (value: Expression): Expression =>
  value.type === "unknown" ? coerced(value, "text") : value;
