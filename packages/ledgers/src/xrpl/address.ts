import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { base58xrp } from "@scure/base";

/** A classic address: an account id of 20 bytes in base58 with Ripple's alphabet, type prefix 0 and a checksum of four bytes. */
export type RippledAddress = string & { readonly __brand: "RippledAddress" };

export const RIPPLED_ACCOUNT_ID_BYTES = 20;
const CHECKSUM_BYTES = 4;
const ACCOUNT_PREFIX = Uint8Array.of(0);
const ADDRESS_CHARACTERS_MAX = 35;

const withChecksum = (payload: Uint8Array): Uint8Array =>
  concatBytes(payload, sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES));

/** @param accountId 20 bytes */
const rippledAddressOfId = (accountId: Uint8Array): RippledAddress => {
  if (accountId.length !== RIPPLED_ACCOUNT_ID_BYTES) throw new RangeError("an account id has 20 bytes");
  return base58xrp.encode(withChecksum(concatBytes(ACCOUNT_PREFIX, accountId))) as RippledAddress;
};

/** @param publicKey 33 bytes: a compressed secp256k1 key, or 0xED and an Ed25519 key */
export const rippledAddressOfKey = (publicKey: Uint8Array): RippledAddress =>
  rippledAddressOfId(ripemd160(sha256(publicKey)));

const decoded = (text: string): Uint8Array | undefined => {
  try {
    return base58xrp.decode(text);
  } catch {
    return undefined;
  }
};

/** @returns the address if the text is one and its checksum is right; X-addresses, a client-side format, are refused */
export const parseRippledAddress = (text: string): RippledAddress | undefined => {
  if (text.length > ADDRESS_CHARACTERS_MAX) return undefined;
  const bytes = decoded(text);
  if (bytes?.length !== ACCOUNT_PREFIX.length + RIPPLED_ACCOUNT_ID_BYTES + CHECKSUM_BYTES) return undefined;
  const address = rippledAddressOfId(bytes.subarray(1, 1 + RIPPLED_ACCOUNT_ID_BYTES));
  return address === text ? address : undefined;
};

/** The 20 bytes of an address. */
export const rippledAccountId = (address: RippledAddress): Uint8Array =>
  base58xrp.decode(address).slice(1, 1 + RIPPLED_ACCOUNT_ID_BYTES);

/** The zero account: all bytes are 0, and no key belongs to it. */
export const RIPPLED_NOBODY = rippledAddressOfId(new Uint8Array(RIPPLED_ACCOUNT_ID_BYTES));
