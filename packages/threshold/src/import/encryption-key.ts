import { bytesToNumberBE, concatBytes } from "@noble/curves/utils.js";
import { multiplyGenerator, type Point, SECP256K1 } from "../curve.ts";
import type { Secret } from "../secret.ts";
import { parseForeignPoint } from "./foreign-point.ts";

const VERSION = 1;
/** The length of a decryption key: a scalar of secp256k1, big-endian. */
const IMPORT_DECRYPTION_KEY_BYTES = 32;

/**
 * The scalar of a decryption key.
 *
 * @param key 32 bytes, big-endian
 * @throws RangeError when it is not in [1, q): a bug of ours, since the key is our own
 */
export const decryptionScalar = (key: Secret<Uint8Array>): bigint => {
  const bytes = key.reveal();
  const scalar = bytes.length === IMPORT_DECRYPTION_KEY_BYTES ? bytesToNumberBE(bytes) : 0n;
  if (scalar === 0n || scalar >= SECP256K1.order) throw new RangeError("the decryption key is no scalar");
  return scalar;
};

/** The encryption key of a decryption key, as clients receive it: 0x01, then the compressed point; 34 bytes. */
export const importEncryptionKeyOf = (key: Secret<Uint8Array>): Uint8Array =>
  concatBytes(Uint8Array.of(VERSION), multiplyGenerator(SECP256K1, decryptionScalar(key)).toBytes());

/**
 * Parses an encryption key: version 1, then a compressed (34 bytes in all) or an uncompressed (66) point of secp256k1.
 * Undefined for anything else.
 */
export const parseEncryptionKey = (bytes: Uint8Array): Point | undefined =>
  bytes[0] === VERSION ? parseForeignPoint(SECP256K1, bytes.subarray(1)) : undefined;
