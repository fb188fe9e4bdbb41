import { concatBytes, numberToBytesBE } from "@noble/curves/utils.js";

const WORD_BYTES = 4;
const LONG_BYTES = 8;
const LONG_BITS = 64;

/** An unsigned 32-bit number (RFC 4506); also a flag, the tag of a union, or a count of elements. */
export const wordXdr = (value: number): Uint8Array => numberToBytesBE(value, WORD_BYTES);

/** A number of 64 bits, signed or unsigned. */
export const longXdr = (value: bigint): Uint8Array =>
  numberToBytesBE(BigInt.asUintN(LONG_BITS, value), LONG_BYTES);

const padded = (bytes: Uint8Array): Uint8Array =>
  concatBytes(bytes, new Uint8Array((WORD_BYTES - (bytes.length % WORD_BYTES)) % WORD_BYTES));

/** Bytes after their length, padded. */
export const variableXdr = (bytes: Uint8Array): Uint8Array =>
  concatBytes(wordXdr(bytes.length), padded(bytes));
