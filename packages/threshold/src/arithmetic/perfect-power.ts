import { bitLength } from "./integers.ts";

/** Floor of the k-th root of a positive integer, by Newton. */
export const integerRoot = (value: bigint, k: number): bigint => {
  const degree = BigInt(k);
  let guess = 1n << BigInt(Math.ceil(bitLength(value) / k));
  for (;;) {
    const next = ((degree - 1n) * guess + value / guess ** (degree - 1n)) / degree;
    if (next >= guess) return guess;
    guess = next;
  }
};

/**
 * Whether value = base^k for some k >= 2 and a base above 2^baseBits. Look for smaller bases with
 * hasSmallFactor: the work grows with bits / baseBits.
 */
export const isPerfectPower = (value: bigint, baseBits: number): boolean => {
  const largest = Math.floor(bitLength(value) / baseBits);
  for (let k = 2; k <= largest; k++) {
    if (integerRoot(value, k) ** BigInt(k) === value) return true;
  }
  return false;
};
