import { utf8ToBytes } from "@noble/hashes/utils.js";

/** What stands before a transaction when it is signed, and before a program to which an account hands its authority. */
const TRANSACTION: Uint8Array = utf8ToBytes("TX");
const PROGRAM: Uint8Array = utf8ToBytes("Program");
/** A transaction is a msgpack map, in one of its three forms: up to 15 fields, or more. */
const isMap = (byte: number): boolean => (byte & 0xf0) === 0x80 || byte === 0xde || byte === 0xdf;
/** A program begins with the version of its language, in one byte for as long as that is below 128. */
const LAST_CONTROL = 0x1f;

const follows = (message: Uint8Array, domain: Uint8Array, isNext: (byte: number) => boolean): boolean => {
  const next = message[domain.length];
  return next !== undefined && isNext(next) && domain.every((byte, at) => byte === message[at]);
};

/**
 * Whether Algorand takes a signature of these bytes for the consent of the key's account: to a transaction, or to whatever a
 * program allows (a delegated logic signature; Algorand Developer Docs, "Logic signatures"). Text that begins alike is no such
 * thing: no text goes on like that.
 */
export const isAlgorandConsent = (message: Uint8Array): boolean =>
  follows(message, TRANSACTION, isMap) || follows(message, PROGRAM, (byte) => byte <= LAST_CONTROL);
