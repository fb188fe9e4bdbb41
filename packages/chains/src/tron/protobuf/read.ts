import { LENGTH_DELIMITED, VARINT } from "./write.ts";

/** The fields of one message, by their numbers. */
export type ProtobufFields = ReadonlyMap<number, bigint | Uint8Array>;

const FIELDS_MAX = 16;
const VARINT_BYTES_MAX = 10;

/** A position in a message. */
interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

const readVarint = (cursor: Cursor): bigint | undefined => {
  let value = 0n;
  for (let group = 0; group < VARINT_BYTES_MAX; group += 1) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) return undefined;
    cursor.at += 1;
    value += BigInt(byte & 0x7f) << BigInt(7 * group);
    if (byte < 0x80) return value;
  }
  return undefined;
};

const readValue = (cursor: Cursor, wireType: bigint): bigint | Uint8Array | undefined => {
  if (wireType === BigInt(VARINT)) return readVarint(cursor);
  if (wireType !== BigInt(LENGTH_DELIMITED)) return undefined;
  const length = readVarint(cursor);
  if (length === undefined || length > BigInt(cursor.bytes.length - cursor.at)) return undefined;
  const start = cursor.at;
  cursor.at += Number(length);
  return cursor.bytes.slice(start, cursor.at);
};

/**
 * Reads one message: numbers and byte fields, each at most once. It accepts non-canonical encodings; the caller detects them by
 * encoding the message again.
 * @returns undefined for anything else
 */
export const readProtobuf = (bytes: Uint8Array): ProtobufFields | undefined => {
  const cursor: Cursor = { bytes, at: 0 };
  const fields = new Map<number, bigint | Uint8Array>();
  while (cursor.at < bytes.length) {
    const key = readVarint(cursor);
    if (key === undefined || fields.size >= FIELDS_MAX) return undefined;
    const field = Number(key / 8n);
    const value = readValue(cursor, key % 8n);
    if (value === undefined || fields.has(field)) return undefined;
    fields.set(field, value);
  }
  return fields;
};
