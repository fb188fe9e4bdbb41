import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { createBase58check } from "@scure/base";

declare const brand: unique symbol;
/** 21 bytes in lower-case hex: 41, and the last 20 bytes of the public key's Keccak-256. */
export type JavaTronAddress = string & { readonly [brand]: "JavaTronAddress" };

const base58check = createBase58check(sha256);
const PREFIX = 0x41;
const ADDRESS_BYTES = 21;
const PREFIX_HEX = "41";
const BASE58_CHARACTERS = 34;

const isAddressHex = (text: string): text is JavaTronAddress => /^41[0-9a-f]{40}$/.test(text);

/** @returns undefined if the bytes are not an address */
export const javaTronAddressOf = (bytes: Uint8Array): JavaTronAddress | undefined => {
  const text = bytesToHex(bytes);
  return isAddressHex(text) ? text : undefined;
};

/** Parses T…, and verifies its checksum. @returns undefined if the text is not such an address */
export const parseJavaTronBase58 = (text: string): JavaTronAddress | undefined => {
  if (text.length !== BASE58_CHARACTERS) return undefined;
  try {
    const bytes = base58check.decode(text);
    return bytes.length === ADDRESS_BYTES && bytes[0] === PREFIX ? javaTronAddressOf(bytes) : undefined;
  } catch {
    return undefined;
  }
};

/** Parses 41…, in upper or lower case. @returns undefined if the text is not such an address */
export const parseJavaTronHex = (text: string): JavaTronAddress | undefined => {
  const lower = text.toLowerCase();
  return isAddressHex(lower) ? lower : undefined;
};

export const javaTronAddressBytes = (address: JavaTronAddress): Uint8Array => hexToBytes(address);

export const toJavaTronBase58 = (address: JavaTronAddress): string => base58check.encode(hexToBytes(address));

/** The address of the 20 bytes that contracts use. @param hex 40 digits, with or without 0x */
export const javaTronAddressOfContract = (hex: string): JavaTronAddress => {
  const text = `${PREFIX_HEX}${hex.replace(/^0x/, "").toLowerCase()}`;
  if (!isAddressHex(text)) throw new RangeError(`${hex} has no 20 bytes`);
  return text;
};

/** The 40 hex digits of an address in contracts and logs. */
export const javaTronContractHex = (address: JavaTronAddress): string => address.slice(PREFIX_HEX.length);

/** @param publicKey uncompressed, 65 bytes */
export const javaTronAddressOfKey = (publicKey: Uint8Array): JavaTronAddress =>
  javaTronAddressOfContract(bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12)));

/**
 * The address of the contract that a transaction creates.
 * @source java-tron, WalletUtil.generateContractAddress
 */
export const createdJavaTronAddress = (txId: string, owner: JavaTronAddress): JavaTronAddress =>
  javaTronAddressOfContract(
    bytesToHex(keccak_256(concatBytes(hexToBytes(txId), hexToBytes(owner))).subarray(12)),
  );
