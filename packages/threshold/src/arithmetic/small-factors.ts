import { gcd } from "./integers.ts";

const CHUNK_BITS = 4096n; // products about as long as the moduli by which they are reduced

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

/** Factors of the primorial of the limit, each slightly longer than CHUNK_BITS; their product is the primorial. */
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

/** hasSmallFactor finds prime factors below 2 to this power. */
export const SMALL_FACTOR_BITS = 20;

let pieces: readonly bigint[] | undefined; // computed at first use, and constant from then on

/** Whether a number above 2^20 has a prime factor below 2^20: a gcd with the primorial. */
export const hasSmallFactor = (value: bigint): boolean => {
  pieces ??= primorialPieces(2 ** SMALL_FACTOR_BITS);
  const primorial = pieces.reduce((product, piece) => (product * piece) % value, 1n);
  return gcd(primorial, value) !== 1n;
};
