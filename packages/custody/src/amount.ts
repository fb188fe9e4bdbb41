import { fail, ok, type Result } from "./errors.ts";

/** The largest amount of any asset: what a 256-bit word of the EVM holds. */
const LARGEST = 2n ** 256n - 1n;
const LARGEST_DIGITS = LARGEST.toString().length;

/**
 * Judges an amount in the smallest unit of its asset, such as wei.
 * @param largest what the chain's own numbers hold, where that is less than 2^256 − 1
 * @returns the same digits, or AmountInvalid unless they are a positive integer without sign, point or leading zero, that
 *   is at most the largest
 */
export const parseAmount = (text: string, largest: bigint = LARGEST): Result<string> => {
  const isInteger = /^[1-9][0-9]*$/.test(text) && text.length <= LARGEST_DIGITS;
  return isInteger && BigInt(text) <= largest
    ? ok(text)
    : fail("AmountInvalid", { field: "amount", smallest: "1", largest: largest.toString() });
};

/**
 * Judges the id of a non-fungible token (EIP-721): zero or more, of at most 256 bits, without sign or leading zero.
 * @returns the same digits, or TokenIdInvalid
 */
export const parseTokenId = (text: string): Result<string> => {
  const isInteger = /^(0|[1-9][0-9]*)$/.test(text) && text.length <= LARGEST_DIGITS;
  return isInteger && BigInt(text) <= LARGEST ? ok(text) : fail("TokenIdInvalid", { field: "tokenId" });
};
