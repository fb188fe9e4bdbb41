import { fail, ok, type Result } from "./errors.ts";

/** The largest amount of any asset: what a 256-bit word of the EVM holds. */
const LARGEST = 2n ** 256n - 1n;
const LARGEST_DIGITS = LARGEST.toString().length;

/**
 * Judges an amount in the smallest unit of its asset, such as wei.
 * @param largest what the chain's own numbers hold, where that is less than 2^256 − 1
 * @param unit what the network calls its smallest unit, such as "lamports, of which 1000000000 are 1 SOL"
 * @returns the same digits, or AmountInvalid unless they are a positive integer without sign, point or leading zero, that
 *   is at most the largest
 */
export const parseAmount = (text: string, largest: bigint = LARGEST, unit?: string): Result<string> => {
  const isInteger = /^[1-9][0-9]*$/.test(text);
  if (isInteger && text.length <= LARGEST_DIGITS && BigInt(text) <= largest) return ok(text);
  const details = { field: "amount", smallest: "1", largest: largest.toString() };
  const words = unit && `The amount is not a positive integer of ${unit}, of at most ${largest}.`;
  return fail("AmountInvalid", details, isInteger ? tooLargeAmount(largest) : words);
};

/** Says of an integer that it is too large: it is not to be called none. */
const tooLargeAmount = (largest: bigint): string =>
  `The amount is more than ${largest} of the smallest unit, the most that the network takes.`;

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
