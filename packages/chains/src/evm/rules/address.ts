import { fail, ok, type Result } from "@conclave/custody";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** The checksummed spelling of an EVM address: the address's hash decides which letters are upper case (EIP-55). */
export const checksumEvmAddress = (address: string): string => {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const spelled = Array.from(digits, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${spelled.join("")}`;
};

/**
 * Judges an EVM address. Spellings in one case carry no checksum and pass; in mixed case the checksum must be right.
 * @param field the request's field that holds it, shown in the problem
 * @returns the address in lower case, AddressInvalid when it is not 0x and 40 hex digits, or AddressChecksum (EIP-55)
 */
export const parseEvmAddress = (text: string, field: string): Result<string> => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return fail("AddressInvalid", { field });
  const digits = text.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isPlain || checksumEvmAddress(text) === text
    ? ok(text.toLowerCase())
    : fail("AddressChecksum", { field });
};

const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

/**
 * Judges an EVM address as a transfer's recipient.
 * @returns as `parseEvmAddress`; AddressInvalid for the zero address, which programs write for an absent address
 */
export const parseEvmReceiver = (text: string, field: string): Result<string> => {
  const address = parseEvmAddress(text, field);
  return address.ok && address.value === ZERO_ADDRESS
    ? fail("AddressInvalid", { field }, "The zero address belongs to nobody: coins sent there are lost.")
    : address;
};

/**
 * Judges an EVM address that is to be watched.
 * @returns the address with its checksum, as blocks name it; as `parseEvmReceiver`: programs name the zero address as the
 * payer of each token that they make
 */
export const judgeEvmWatched = (text: string): Result<string> => {
  const address = parseEvmReceiver(text, "address");
  return address.ok ? ok(checksumEvmAddress(address.value)) : address;
};
