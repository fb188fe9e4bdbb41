import { concatBytes } from "@noble/curves/utils.js";

/** The wire types (Protocol Buffers, "Encoding"): a number, or bytes after their length. */
export const VARINT = 0;
export const LENGTH_DELIMITED = 2;

const MORE = 0x80n;

/** A number of at most 64 bits in groups of seven bits, the lowest first. @throws RangeError for a negative number */
export const varint = (value: bigint): Uint8Array => {
  if (value < 0n) throw new RangeError("a number below zero is not written");
  const bytes: number[] = [];
  let rest = value;
  while (rest >= MORE) {
    bytes.push(Number((rest % MORE) | MORE));
    rest /= MORE;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
};

const tagOfField = (field: number, wireType: number): Uint8Array => varint(BigInt(field * 8 + wireType));

/** A number's field; omitted if zero, as in proto3. */
export const numberField = (field: number, value: bigint): Uint8Array =>
  value === 0n ? new Uint8Array(0) : concatBytes(tagOfField(field, VARINT), varint(value));

/** A field of bytes, text, or a message; omitted if empty. */
export const bytesField = (field: number, value: Uint8Array): Uint8Array =>
  value.length === 0
    ? new Uint8Array(0)
    : concatBytes(tagOfField(field, LENGTH_DELIMITED), varint(BigInt(value.length)), value);
