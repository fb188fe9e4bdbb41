import { gcd } from "./integers.ts";

const CHUNK_BITS = 4096n; // products about as long as the moduli that they are reduced by

const primesBelow = (limit: number): readonly number[] => {
  const isComposite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let candidate = 2; candidate < limit; candidate++) {
    if (isComposite[candidate] === 1) continue;
    primes.push(candidate);
    for (let multiple = candidate * candidate; multiple < limit; multiple += candidate)
      isComposite[multiple] = 1;
  }
  return primes;
};

/** The primorial of 2^20 in pieces whose product it is. */
const primorialPieces = (limit: number): readonly bigint[] => {
  const pieces: bigint[] = [];
  let piece = 1n;
  for (const prime of primesBelow(limit)) {
    piece *= BigInt(prime);
    if (piece >> CHUNK_BITS > 0n) {
      pieces.push(piece);
      piece = 1n;
    }
  }
  return [...pieces, piece];
};

/** Factors below 2^20 are looked for. */
export const SMALL_FACTOR_BITS = 20;

let pieces: readonly bigint[] | undefined; // made at first use, the same for ever after

/** Whether a number above 2^20 has a prime factor below 2^20: a gcd with the primorial. */
export const hasSmallFactor = (value: bigint): boolean => {
  pieces ??= primorialPieces(2 ** SMALL_FACTOR_BITS);
  const primorial = pieces.reduce((product, piece) => (product * piece) % value, 1n);
  return gcd(primorial, value) !== 1n;
};
