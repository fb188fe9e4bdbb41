import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { RIPPLED_ACCOUNT_ID_BYTES, rippledAddressOfId } from "../address.ts";
import { amountBytes, RIPPLED_XRP_BYTES, rippledDropsOf } from "./amount.ts";
import { encodeRippledFields } from "./encode.ts";
import { compareFields, type RippledField, rippledFieldAt, unreadFieldAt } from "./field-table.ts";
import { RippledBytesRefused, RippledReader } from "./reader.ts";
import type { RippledFields, RippledValue } from "./value.ts";

/** rippled's bound; memos, the only thing that nests here, need two. */
const MOST_LEVELS = 10;
const UNKNOWN_FIELD = "Unknown field";

const readHeader = (reader: RippledReader): { readonly typeCode: number; readonly nth: number } => {
  const first = reader.uint(1);
  let [typeCode, nth] = [first >> 4, first & 0x0f];
  if (typeCode === 0) typeCode = reader.uint(1);
  if (nth === 0) nth = reader.uint(1);
  return { typeCode, nth };
};

const readLength = (reader: RippledReader): number => {
  const first = reader.uint(1);
  if (first <= 192) return first;
  if (first <= 240) return 193 + ((first - 193) << 8) + reader.uint(1);
  if (first <= 254) return 12_481 + ((first - 241) << 16) + reader.uint(2);
  throw new RippledBytesRefused("Invalid VL length");
};

const readAmount = (reader: RippledReader): bigint | Uint8Array => {
  const head = reader.peekUint64();
  const length = amountBytes(head);
  const bytes = reader.bytes(length);
  if (length !== RIPPLED_XRP_BYTES) return bytes;
  const drops = rippledDropsOf(head);
  if (drops === undefined) throw new RippledBytesRefused("negative zero is not canonical");
  return drops;
};

const readAccount = (reader: RippledReader): RippledValue => {
  if (readLength(reader) !== RIPPLED_ACCOUNT_ID_BYTES)
    throw new RippledBytesRefused("Invalid STAccount size");
  return rippledAddressOfId(reader.bytes(RIPPLED_ACCOUNT_ID_BYTES));
};

const readArray = (reader: RippledReader, level: number): readonly RippledFields[] => {
  const items: RippledFields[] = [];
  while (!reader.skipsArrayEnd()) {
    const field = readField(reader);
    if (field.type !== "STObject") throw new RippledBytesRefused("Non-object in array");
    items.push(new Map([[field.name, readObject(reader, level + 1)]]));
  }
  return items;
};

const readValue = (reader: RippledReader, { type }: RippledField, level: number): RippledValue => {
  switch (type) {
    case "UInt8":
      return reader.uint(1);
    case "UInt16":
      return reader.uint(2);
    case "UInt32":
      return reader.uint(4);
    case "Hash128":
      return reader.bytes(16);
    case "Hash256":
      return reader.bytes(32);
    case "Amount":
      return readAmount(reader);
    case "Blob":
      return reader.bytes(readLength(reader));
    case "AccountID":
      return readAccount(reader);
    case "STObject":
      return readObject(reader, level + 1);
    case "STArray":
      return readArray(reader, level + 1);
  }
};

const readField = (reader: RippledReader): RippledField => {
  const { typeCode, nth } = readHeader(reader);
  const field = rippledFieldAt(typeCode, nth);
  if (field !== undefined) return field;
  const unread = unreadFieldAt(typeCode, nth);
  throw unread === undefined ? new RippledBytesRefused(UNKNOWN_FIELD) : new RippledBytesRefused(unread, true);
};

const readFields = (reader: RippledReader, level: number, isAtEnd: () => boolean): RippledFields => {
  if (level > MOST_LEVELS) throw new RippledBytesRefused("Maximum nesting depth of STVar exceeded");
  const fields = new Map<string, RippledValue>();
  let last: RippledField | undefined;
  while (!isAtEnd()) {
    const field = readField(reader);
    if (fields.has(field.name)) throw new RippledBytesRefused("Duplicate field detected");
    if (last !== undefined && compareFields(last, field) > 0) {
      throw new RippledBytesRefused(
        `the field ${field.name} stands behind ${last.name}: not the canonical order`,
      );
    }
    fields.set(field.name, readValue(reader, field, level));
    last = field;
  }
  return fields;
};

const readObject = (reader: RippledReader, level: number): RippledFields =>
  readFields(reader, level, () => reader.skipsObjectEnd());

/** The content of bytes; or the part that this ledger knows and does not carry out. */
export type RippledDecoded =
  | { readonly kind: "fields"; readonly fields: RippledFields }
  | { readonly kind: "not-simulated"; readonly what: string };

/**
 * Reads the fields of a serialised object, up to the last byte.
 *
 * A node takes fields in any order, sorts them, and signs off on the sorted ones; here they are refused: their
 * author learns it at once.
 * @source rippled, src/libxrpl/protocol/STObject.cpp: set
 */
export const decodeRippledFields = (bytes: Uint8Array): Ruling<RippledDecoded> => {
  const reader = new RippledReader(bytes);
  try {
    const fields = readFields(reader, 0, () => reader.isAtEnd);
    return reader.isSame(encodeRippledFields(fields))
      ? granted({ kind: "fields", fields })
      : refusedWith("the encoding is not canonical");
  } catch (error) {
    if (!(error instanceof RippledBytesRefused)) throw error;
    return error.isKnown
      ? granted({ kind: "not-simulated", what: error.message })
      : refusedWith(error.message);
  }
};
