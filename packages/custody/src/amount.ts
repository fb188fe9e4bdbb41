import { fail, ok, type Result } from "./errors.ts";
import type { Asset } from "./network.ts";

/** The largest amount of any asset: the largest 256-bit word of the EVM. */
const LARGEST = 2n ** 256n - 1n;
const LARGEST_DIGITS = LARGEST.toString().length;

/**
 * Judges an amount in the smallest unit of its asset, such as wei.
 * @param unit as the network names it: `unitOfCoin`, or TOKEN_UNIT
 * @param largest the largest number of the chain, where it is less than 2^256 − 1
 * @returns the same digits; AmountInvalid unless they are a positive integer without sign, point or leading
 * zero, and at most the largest
 */
export const parseAmount = (text: string, unit: string, largest: bigint = LARGEST): Result<string> => {
  const isInteger = /^[1-9][0-9]*$/.test(text);
  if (isInteger && text.length <= LARGEST_DIGITS && BigInt(text) <= largest) return ok(text);
  const details = { field: "amount", smallest: "1", largest: largest.toString() };
  // an integer that is too large is still an integer, so the message must not deny that
  const words = isInteger
    ? `The amount is more than ${largest}, the most that the network takes, counted in ${unit}.`
    : `The amount is not a positive integer of ${unit}, of at most ${largest}.`;
  return fail("AmountInvalid", details, words);
};

/** The unit of a token's amounts. */
export const TOKEN_UNIT = "the token's smallest unit";

/**
 * Puts the unit of a native coin in words: "lamports, of which 1000000000 are 1 SOL".
 * @param unit the network's name of the unit
 */
export const unitOfCoin = (unit: string, { symbol, decimals }: Asset): string =>
  symbol === undefined || decimals === undefined
    ? unit
    : `${unit}, of which ${10n ** BigInt(decimals)} are 1 ${symbol}`;

/**
 * Judges the id of a non-fungible token (EIP-721): zero or more, of at most 256 bits, without sign or leading zero.
 * @returns the same digits, or TokenIdInvalid
 */
export const parseTokenId = (text: string): Result<string> => {
  const isInteger = /^(0|[1-9][0-9]*)$/.test(text);
  if (isInteger && text.length <= LARGEST_DIGITS && BigInt(text) <= LARGEST) return ok(text);
  const exact = isInteger ? "The token id is more than 256 bits hold." : undefined;
  return fail("TokenIdInvalid", { field: "tokenId" }, exact);
};
