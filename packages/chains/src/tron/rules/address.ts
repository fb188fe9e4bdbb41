import { fail, ok, type Result } from "@conclave/custody";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";

/** The byte before the 20 bytes of an account on TRON's networks; it makes the address begin with T. */
const PREFIX = 0x41;
const ACCOUNT_BYTES = 20;
const CHECKSUM_BYTES = 4;
/** 21 bytes and a checksum in base58 */
const ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

const checksumOf = (payload: Uint8Array): Uint8Array => sha256(sha256(payload)).slice(0, CHECKSUM_BYTES);

/**
 * The address of an account or a contract (TRON Developers, "Account"): base58 of the byte 0x41, its 20 bytes, and a checksum.
 * It is the same on every network.
 * @param account 20 bytes: for a key, the last ones of its public key's Keccak-256, as on Ethereum
 * @throws RangeError when it has another length
 */
export const tronAddress = (account: Uint8Array): string => {
  if (account.length !== ACCOUNT_BYTES) throw new RangeError("an account takes 20 bytes");
  const payload = concatBytes(Uint8Array.of(PREFIX), account);
  return base58.encode(concatBytes(payload, checksumOf(payload)));
};

/** The 20 bytes in an address that was validated before. @throws TypeError when it is no address */
export const tronAccount = (address: string): Uint8Array => {
  const account = base58.decode(address).slice(1, 1 + ACCOUNT_BYTES);
  if (tronAddress(account) !== address) throw new TypeError("an address was not judged");
  return account;
};

/** Nobody holds this account's key: coins sent there are lost. */
const ZERO_ADDRESS = tronAddress(new Uint8Array(ACCOUNT_BYTES));

/**
 * Judges an address of TRON.
 * @param field the request's field that holds it, shown in the problem
 * @returns the address, which has one spelling; AddressInvalid when it is not T and 33 characters of base58, or is the zero
 *   address; AddressChecksum
 */
export const parseTronAddress = (text: string, field: string): Result<string> => {
  if (!ADDRESS.test(text)) return fail("AddressInvalid", { field });
  const payload = base58.decode(text).slice(0, 1 + ACCOUNT_BYTES);
  if (payload.length !== 1 + ACCOUNT_BYTES || payload[0] !== PREFIX) return fail("AddressInvalid", { field });
  if (base58.encode(concatBytes(payload, checksumOf(payload))) !== text) {
    return fail("AddressChecksum", { field });
  }
  return text === ZERO_ADDRESS
    ? fail("AddressInvalid", { field }, "The zero address belongs to nobody: coins sent there are lost.")
    : ok(text);
};
