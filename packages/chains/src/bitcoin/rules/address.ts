import { type AddressKeys, fail, type Network, ok, type Result } from "@conclave/custody";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { BITCOIN_PARAMETERS, type BitcoinParameters, bitcoinParameters } from "./parameters.ts";

const COMPRESSED_KEY_BYTES = 33;
const OUTPUT_KEY_BYTES = 32;
const HASH_BYTES = 20;
const SCRIPT_HASH_BYTES = 32;
const ADDRESS_LENGTH_MAX = 90;

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{25,36}$/;
const base58check = createBase58check(sha256);

/** The standard script types, each with its own form of address. */
export type BitcoinScriptType = "P2PKH" | "P2SH" | "P2WPKH" | "P2WSH" | "P2TR" | "P2A";

/** RIPEMD-160 of SHA-256: Bitcoin identifies public keys and scripts by it. */
export const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

const OP_0 = 0x00;
const OP_1 = 0x51;
const OP_DUP = 0x76;
const OP_EQUAL = 0x87;
const OP_EQUALVERIFY = 0x88;
const OP_HASH160 = 0xa9;
const OP_CHECKSIG = 0xac;

const script = (before: readonly number[], pushed: Uint8Array, after: readonly number[] = []): Uint8Array =>
  concatBytes(Uint8Array.of(...before, pushed.length), pushed, Uint8Array.of(...after));

/** A decoded address. */
interface ReadAddress {
  readonly parameters: BitcoinParameters;
  /** in its canonical spelling */
  readonly address: string;
  readonly script: Uint8Array;
}

type Reading =
  | ({ readonly kind: "read" } & ReadAddress)
  | { readonly kind: "checksum" }
  | { readonly kind: "invalid"; readonly why?: string };

const INVALID: Reading = { kind: "invalid" };
const CHECKSUM: Reading = { kind: "checksum" };

/** The witness program of pay-to-anchor, version 1: anybody can spend such an output without a signature (BIP-433). */
export const ANCHOR_PROGRAM: Uint8Array = Uint8Array.of(0x4e, 0x73);
const isAnchor = (version: number, program: Uint8Array): boolean =>
  version === 1 &&
  program.length === ANCHOR_PROGRAM.length &&
  program.every((byte, at) => byte === ANCHOR_PROGRAM[at]);

/**
 * The output script of a witness program (BIP-141); undefined for a program that nodes do not relay, or that no rule makes
 * spendable.
 */
const witnessScript = (version: number, program: Uint8Array): Uint8Array | undefined => {
  const isHash = program.length === HASH_BYTES || program.length === SCRIPT_HASH_BYTES;
  if (version === 0 && isHash) return script([OP_0], program);
  const isSpendable = version === 1 && (program.length === OUTPUT_KEY_BYTES || isAnchor(version, program));
  return isSpendable ? script([OP_1], program) : undefined;
};

/** BIP-173 and BIP-350: version 0 has a bech32 checksum, all later versions a bech32m checksum. */
const readSegwit = (text: string, parameters: BitcoinParameters): Reading => {
  const isOneCase = text === text.toLowerCase() || text === text.toUpperCase();
  const address = text.toLowerCase();
  const old = bech32.decodeUnsafe(address);
  const found = old ?? bech32m.decodeUnsafe(address);
  if (!isOneCase) return INVALID;
  if (found === undefined) return CHECKSUM;
  // the separator is the last "1": a text with this network's prefix may have another, longer human part
  if (found.prefix !== parameters.humanPart) return INVALID;
  const [version, ...words] = found.words;
  const program = bech32.fromWordsUnsafe(words);
  if (version === undefined || program === undefined) return INVALID;
  if ((version === 0) !== (old !== undefined)) return CHECKSUM;
  const pays = witnessScript(version, program);
  return pays === undefined
    ? {
        kind: "invalid",
        why:
          `The address names a witness program of version ${version} with ${program.length} bytes, and no rule of Bitcoin says how to spend that: ` +
          "use an address of version 0 (20 or 32 bytes) or of Taproot (version 1, 32 bytes).",
      }
    : { kind: "read", parameters, address, script: pays };
};

const decodedBase58 = (text: string): Uint8Array | undefined => {
  try {
    return base58check.decode(text);
  } catch {
    return undefined;
  }
};

const readBase58 = (address: string): Reading => {
  const bytes = decodedBase58(address);
  if (bytes === undefined) return CHECKSUM;
  const [version, ...rest] = bytes;
  const hash = Uint8Array.from(rest);
  if (hash.length !== HASH_BYTES) return INVALID;
  for (const parameters of BITCOIN_PARAMETERS) {
    if (version === parameters.publicKeyHash) {
      const pays = script([OP_DUP, OP_HASH160], hash, [OP_EQUALVERIFY, OP_CHECKSIG]);
      return { kind: "read", parameters, address, script: pays };
    }
    if (version === parameters.scriptHash) {
      return { kind: "read", parameters, address, script: script([OP_HASH160], hash, [OP_EQUAL]) };
    }
  }
  return INVALID;
};

const ASCII = /^[ -~]*$/;

const read = (text: string): Reading => {
  // some letters beyond ASCII have an ASCII letter as their lower case
  if (text.length > ADDRESS_LENGTH_MAX || !ASCII.test(text)) return INVALID;
  const lower = text.toLowerCase();
  const parameters = BITCOIN_PARAMETERS.find(({ humanPart }) => lower.startsWith(`${humanPart}1`));
  if (parameters !== undefined) return readSegwit(text, parameters);
  return BASE58.test(text) ? readBase58(text) : INVALID;
};

/**
 * Judges an address: P2PKH, P2SH (base58check), P2WPKH, P2WSH (BIP-173), P2TR (BIP-350) or P2A (BIP-433).
 * @param field the request's field that holds it, shown in the problem
 * @returns the address in its canonical spelling, segwit ones in lower case; AddressChecksum; AddressInvalid for anything else,
 * including addresses of another network and witness versions that nobody can spend yet
 */
export const parseBitcoinAddress = (network: Network, text: string, field: string): Result<string> => {
  const found = read(text);
  switch (found.kind) {
    case "checksum":
      return fail("AddressChecksum", { field });
    case "invalid":
      return fail("AddressInvalid", { field }, found.why);
    case "read":
      return found.parameters === bitcoinParameters(network)
        ? ok(found.address)
        : fail("AddressInvalid", { field, network }, `The address is not one of ${network}.`);
  }
};

/** Whether a text is an address of some Bitcoin network, in its canonical spelling. */
export const isBitcoinAddress = (text: string): boolean => {
  const found = read(text);
  return found.kind === "read" && found.address === text;
};

/** An upper-case segwit address: the only valid text that differs from its canonical spelling. */
const UPPER_SEGWIT = /^(?:BC|TB)1[^a-z]*$/;

/** The canonical spelling, by which addresses are compared: base58 unchanged, segwit in lower case. */
export const spellBitcoinAddress = (text: string): string => {
  if (!UPPER_SEGWIT.test(text)) return text;
  const found = read(text);
  return found.kind === "read" ? found.address : text;
};

/** Any text for an address equals the address's canonical spelling, or is that in upper case. */
export const BITCOIN_ADDRESS_KEYS: AddressKeys = {
  ofEntry: (text) => (UPPER_SEGWIT.test(text) ? text.toLowerCase() : text),
  ofAddress: (spelled) => [...new Set([spelled, BITCOIN_ADDRESS_KEYS.ofEntry(spelled)])],
};

/** The output script that pays an address. @returns undefined when it is not an address of this network */
export const bitcoinScript = (network: Network, address: string): Uint8Array | undefined => {
  const found = read(address);
  const isOf = found.kind === "read" && found.parameters === bitcoinParameters(network);
  return isOf && found.address === address ? found.script : undefined;
};

/**
 * The address of a wallet's key.
 * @param publicKey 33 bytes, a compressed ECDSA key: the address pays to its hash (P2WPKH, BIP-141). Or 32 bytes, a Taproot
 * output key (BIP-341), already tweaked without scripts as BIP-86 requires: the address pays to it directly (P2TR)
 * @throws RangeError when it has another length
 */
export const bitcoinAddress = (network: Network, publicKey: Uint8Array): string => {
  const { humanPart } = bitcoinParameters(network);
  switch (publicKey.length) {
    case COMPRESSED_KEY_BYTES:
      return bech32.encode(humanPart, [0, ...bech32.toWords(hash160(publicKey))]);
    case OUTPUT_KEY_BYTES:
      return bech32m.encode(humanPart, [1, ...bech32m.toWords(publicKey)]);
    default:
      throw new RangeError("a public key takes 33 bytes, or 32 of a Taproot key");
  }
};
