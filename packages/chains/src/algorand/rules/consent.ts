import { utf8ToBytes } from "@noble/hashes/utils.js";

/** The prefixes of a transaction when it is signed, and of a program to which an account delegates its authority. */
const TRANSACTION: Uint8Array = utf8ToBytes("TX");
const PROGRAM: Uint8Array = utf8ToBytes("Program");
/** A transaction is a msgpack map, in one of its three forms: up to 15 fields, or more. */
const isMap = (byte: number): boolean => (byte & 0xf0) === 0x80 || byte === 0xde || byte === 0xdf;
/**
 * A program begins with the version of its language as a varint: seven bits a byte, and nodes take it in any length
 * (go-algorand, logic.ProgramVersion). Versions are below 32, and no text in UTF-8 goes on with such a byte.
 */
const LAST_VERSION = 0x1f;
const isVersion = (byte: number): boolean => (byte & 0x7f) <= LAST_VERSION;
/** The bytes that an account of several keys signs of a program: the account, and then the program. */
const SHARED_PROGRAM: Uint8Array = utf8ToBytes("MsigProgram");

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
  follows(message, TRANSACTION, isMap) ||
  follows(message, PROGRAM, isVersion) ||
  follows(message, SHARED_PROGRAM, () => true);
