import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const HALF_BYTES = 32;

/** The first half of SHA-512, which every id on the XRP Ledger uses. */
export const rippledDigest = (...parts: readonly Uint8Array[]): Uint8Array =>
  sha512(concatBytes(...parts)).slice(0, HALF_BYTES);

/**
 * The four bytes that separate the hash domains.
 * @param letters three, such as "TXN"
 * @source rippled, include/xrpl/protocol/HashPrefix.h
 */
export const rippledHashPrefix = (letters: string): Uint8Array =>
  concatBytes(utf8ToBytes(letters), Uint8Array.of(0));

/** Upper-case hex, rippled's form of bytes. */
export const rippledHex = (bytes: Uint8Array): string => bytesToHex(bytes).toUpperCase();

/** A big-endian unsigned 32-bit number. */
export const rippledUint32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};

export const rippledUint64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
};
