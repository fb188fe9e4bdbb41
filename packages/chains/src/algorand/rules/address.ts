import { fail, ok, type Result } from "@conclave/custody";
import { sha512_256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { base32nopad } from "@scure/base";

const PUBLIC_KEY_BYTES = 32;
const CHECKSUM_BYTES = 4;
/** 36 bytes in base32, without padding */
const ADDRESS = /^[A-Z2-7]{58}$/;

/**
 * The address of an Algorand account (Algorand Developer Docs, "Keys and addresses"): base32 of the public key and the
 * last 4 bytes of its SHA-512/256. It is the same on every network.
 * @param publicKey 32 bytes of Ed25519
 * @throws RangeError when it has another length
 */
export const algorandAddress = (publicKey: Uint8Array): string => {
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new RangeError("a public key takes 32 bytes");
  const checksum = sha512_256(publicKey).slice(-CHECKSUM_BYTES);
  return base32nopad.encode(concatBytes(publicKey, checksum));
};

/** The public key in an address that was validated before. @throws TypeError when it is no address */
export const algorandPublicKey = (address: string): Uint8Array => {
  const publicKey = base32nopad.decode(address).slice(0, PUBLIC_KEY_BYTES);
  if (algorandAddress(publicKey) !== address) throw new TypeError("an address was not judged");
  return publicKey;
};

/** Nobody holds this account's key: coins sent there are lost, and the chain encodes it like an absent receiver. */
const ZERO_ADDRESS = algorandAddress(new Uint8Array(PUBLIC_KEY_BYTES));

/** Refuses base32 whose unused last bits are not zero: it would be a second spelling of the address. */
const decoded = (text: string): Uint8Array | undefined => {
  try {
    return base32nopad.decode(text);
  } catch {
    return undefined;
  }
};

/**
 * Judges an Algorand address.
 * @param field the request's field that holds it, shown in the problem
 * @returns the address, which has one spelling; AddressInvalid when it is not 58 characters of base32, or is the zero
 *   address; AddressChecksum
 */
export const parseAlgorandAddress = (text: string, field: string): Result<string> => {
  const bytes = ADDRESS.test(text) ? decoded(text) : undefined;
  if (bytes === undefined) return fail("AddressInvalid", { field });
  if (algorandAddress(bytes.slice(0, PUBLIC_KEY_BYTES)) !== text) return fail("AddressChecksum", { field });
  return text === ZERO_ADDRESS
    ? fail("AddressInvalid", { field }, "The zero address belongs to nobody: coins sent there are lost.")
    : ok(text);
};
