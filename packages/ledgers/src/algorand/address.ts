import { sha512_256 } from "@noble/hashes/sha2.js";

/** 58 characters: a public key of 32 bytes and the last four bytes of its SHA-512/256, in base32 without padding. */
export type AlgodAddress = string & { readonly __brand: "AlgodAddress" };

const PUBLIC_KEY_BYTES = 32;
const CHECKSUM_BYTES = 4;
const ADDRESS_CHARACTERS = 58;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 of RFC 4648 without padding: Algorand's form of addresses, transaction ids and block hashes. */
export const toBase32 = (bytes: Uint8Array): string => {
  let [text, held, bits] = ["", 0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET.charAt((held >> (bits - 5)) & 31);
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET.charAt((held << (5 - bits)) & 31);
};

const fromBase32 = (text: string): Uint8Array | undefined => {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const character of text) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) return undefined;
    held = (held << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push(held >> bits);
      held &= (1 << bits) - 1;
    }
  }
  return held === 0 ? Uint8Array.from(bytes) : undefined;
};

/** @param publicKey 32 bytes; other 32-byte values, such as a digest, can name an account too */
export const addressOfKey = (publicKey: Uint8Array): AlgodAddress => {
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new RangeError("an address has 32 bytes");
  const named = new Uint8Array(PUBLIC_KEY_BYTES + CHECKSUM_BYTES);
  named.set(publicKey);
  named.set(sha512_256(publicKey).subarray(-CHECKSUM_BYTES), PUBLIC_KEY_BYTES);
  return toBase32(named) as AlgodAddress;
};

/** The zero address, which stands for an absent field. */
export const NOBODY = addressOfKey(new Uint8Array(PUBLIC_KEY_BYTES));

/** @returns the address if the text is one and its checksum is right */
export const parseAlgodAddress = (text: string): AlgodAddress | undefined => {
  const bytes = text.length === ADDRESS_CHARACTERS ? fromBase32(text) : undefined;
  if (bytes === undefined) return undefined;
  const address = addressOfKey(bytes.subarray(0, PUBLIC_KEY_BYTES));
  return address === text ? address : undefined;
};

/** The 32 bytes of an address. */
export const keyOfAddress = (address: AlgodAddress): Uint8Array => {
  const bytes = fromBase32(address);
  if (bytes === undefined) throw new RangeError(`${address} is no address`);
  return bytes.subarray(0, PUBLIC_KEY_BYTES);
};
