import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";

/** A number in little-endian bytes. */
export const wireNumber = (value: number | bigint, length: number): Uint8Array => {
  const bits = BigInt.asUintN(length * 8, BigInt(value));
  return Uint8Array.from({ length }, (_, at) => Number((bits >> BigInt(8 * at)) & 0xffn));
};

/** A CompactSize. */
export const wireCount = (value: number): Uint8Array => {
  if (value < 0xfd) return wireNumber(value, 1);
  return value < 0x10000
    ? concatBytes(Uint8Array.of(0xfd), wireNumber(value, 2))
    : concatBytes(Uint8Array.of(0xfe), wireNumber(value, 4));
};

/** Bytes behind their length. */
export const wireLengthened = (bytes: Uint8Array): Uint8Array => concatBytes(wireCount(bytes.length), bytes);

/** A digest that people write in reverse. */
export const wireHash = (text: string): Uint8Array => hexToBytes(text).reverse();
