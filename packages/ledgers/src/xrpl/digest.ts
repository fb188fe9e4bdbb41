import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const HALF_BYTES = 32;

/** The first half of SHA-512, which names everything on the XRP Ledger. */
export const rippledDigest = (...parts: readonly Uint8Array[]): Uint8Array =>
  sha512(concatBytes(...parts)).slice(0, HALF_BYTES);

/**
 * The four bytes that keep digests of one kind from being taken for another's.
 * @param letters three, such as "TXN"
 * @source rippled, include/xrpl/protocol/HashPrefix.h
 */
export const rippledHashPrefix = (letters: string): Uint8Array =>
  concatBytes(utf8ToBytes(letters), Uint8Array.of(0));

/** Upper case, as rippled writes all bytes. */
export const rippledHex = (bytes: Uint8Array): string => bytesToHex(bytes).toUpperCase();

/** An unsigned number of 32 bits, the most significant byte first. */
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
