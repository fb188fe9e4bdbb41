import { concatBytes, numberToBytesBE } from "@noble/curves/utils.js";

const WORD_BYTES = 4;
const LONG_BYTES = 8;
const LONG_BITS = 64;

/** An unsigned number of 32 bits (RFC 4506); also a flag, the tag of a union, and how many elements follow. */
export const wordXdr = (value: number): Uint8Array => numberToBytesBE(value, WORD_BYTES);

/** A number of 64 bits, signed or unsigned. */
export const longXdr = (value: bigint): Uint8Array =>
  numberToBytesBE(BigInt.asUintN(LONG_BITS, value), LONG_BYTES);

const padded = (bytes: Uint8Array): Uint8Array =>
  concatBytes(bytes, new Uint8Array((WORD_BYTES - (bytes.length % WORD_BYTES)) % WORD_BYTES));

/** Bytes that say how long they are. */
export const variableXdr = (bytes: Uint8Array): Uint8Array =>
  concatBytes(wordXdr(bytes.length), padded(bytes));
