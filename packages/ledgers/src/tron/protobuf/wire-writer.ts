import { concatBytes } from "@noble/hashes/utils.js";

const VARINT = 0;
const DELIMITED = 2;
const INT64_BITS = 64;

const varint = (value: bigint): Uint8Array => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(INT64_BITS, value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.from([...bytes, Number(rest)]);
};

/** A numeric field; empty for 0. */
export const javaTronNumberField = (number: number, value: bigint): Uint8Array =>
  value === 0n ? new Uint8Array() : concatBytes(varint(BigInt(number * 8 + VARINT)), varint(value));

/** A field of bytes or a message; empty if it has no bytes. */
export const javaTronBytesField = (number: number, value: Uint8Array): Uint8Array =>
  value.length === 0
    ? value
    : concatBytes(varint(BigInt(number * 8 + DELIMITED)), varint(BigInt(value.length)), value);

export const javaTronMessageOf = (...fields: readonly Uint8Array[]): Uint8Array => concatBytes(...fields);
