import { bitLength } from "./integers.ts";

/** Floor of the k-th root of a positive integer, by Newton's method. */
const integerRoot = (value: bigint, k: number): bigint => {
  const degree = BigInt(k);
  let guess = 1n << BigInt(Math.ceil(bitLength(value) / k));
  for (;;) {
    const next = ((degree - 1n) * guess + value / guess ** (degree - 1n)) / degree;
    if (next >= guess) return guess;
    guess = next;
  }
};

const isPrimeExponent = (k: number): boolean => {
  for (let factor = 2; factor * factor <= k; factor++) if (k % factor === 0) return false;
  return true;
};

/**
 * Whether value = base^k for some k >= 2 and a base above 2^baseBits. The work grows with bits / baseBits, so
 * callers first exclude smaller bases by hasSmallFactor. Testing prime k is enough: b^(jk) is the k-th power
 * of b^j.
 */
export const isPerfectPower = (value: bigint, baseBits: number): boolean => {
  const largest = Math.floor(bitLength(value) / baseBits);
  for (let k = 2; k <= largest; k++) {
    if (isPrimeExponent(k) && integerRoot(value, k) ** BigInt(k) === value) return true;
  }
  return false;
};
