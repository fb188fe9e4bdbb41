import { utf8ToBytes } from "@noble/hashes/utils.js";

/** Prefixes of signed messages: of a transaction, and of a program to which an account delegates its authority. */
const TRANSACTION: Uint8Array = utf8ToBytes("TX");
const PROGRAM: Uint8Array = utf8ToBytes("Program");
/** A transaction is a msgpack map: fixmap (up to 15 fields), map 16 or map 32. */
const isMap = (byte: number): boolean => (byte & 0xf0) === 0x80 || byte === 0xde || byte === 0xdf;
/**
 * A program begins with its language version as a varint: seven bits per byte, and nodes accept any length (go-algorand,
 * logic.ProgramVersion). Versions are below 32; in UTF-8 text no such byte follows the prefix.
 */
const LAST_VERSION = 0x1f;
const isVersion = (byte: number): boolean => (byte & 0x7f) <= LAST_VERSION;
/** Prefix of the bytes that a multisignature account signs for a program: then follow the account and the program. */
const SHARED_PROGRAM: Uint8Array = utf8ToBytes("MsigProgram");

const follows = (message: Uint8Array, domain: Uint8Array, isNext: (byte: number) => boolean): boolean => {
  const next = message[domain.length];
  return next !== undefined && isNext(next) && domain.every((byte, at) => byte === message[at]);
};

/**
 * Whether Algorand would accept a signature of these bytes as consent of the key's account: to a transaction, or to any
 * transaction that a program allows (a delegated logic signature; Algorand Developer Docs, "Logic signatures"). Ordinary text
 * with the same prefix is not consent: its next byte differs.
 */
export const isAlgorandConsent = (message: Uint8Array): boolean =>
  follows(message, TRANSACTION, isMap) ||
  follows(message, PROGRAM, isVersion) ||
  follows(message, SHARED_PROGRAM, () => true);
