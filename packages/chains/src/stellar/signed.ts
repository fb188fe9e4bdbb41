import { concatBytes } from "@noble/curves/utils.js";
import { variableXdr, wordXdr } from "./xdr/xdr-write.ts";

const COUNT_BYTES = 4;
const HINT_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** A list of one DecoratedSignature. */
const SIGNED_TAIL_BYTES: number = COUNT_BYTES + HINT_BYTES + COUNT_BYTES + SIGNATURE_BYTES;

/**
 * Encodes a signed transaction as nodes accept it.
 * @param unsigned bytes that `decodeStellar` accepted
 * @param signature 64 bytes
 * @param key the signing key; its last bytes are the hint
 */
export const signedStellar = (unsigned: Uint8Array, signature: Uint8Array, key: Uint8Array): Uint8Array =>
  concatBytes(unsigned.slice(0, -COUNT_BYTES), wordXdr(1), key.slice(-HINT_BYTES), variableXdr(signature));

/** The unsigned bytes of a transaction that `signedStellar` wrote. */
export const unsignedStellar = (signed: Uint8Array): Uint8Array =>
  concatBytes(signed.slice(0, -SIGNED_TAIL_BYTES), wordXdr(0));
