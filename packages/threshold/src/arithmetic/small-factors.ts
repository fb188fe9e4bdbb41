import { gcd } from "./integers.ts";

const CHUNK_BITS = 4096n; // products about as long as the moduli by which they are reduced

/** The odd primes below a limit. */
const oddPrimesBelow = (limit: number): readonly number[] => {
  const isComposite = new Uint8Array(limit >> 1); // entry i stands for 2i + 1
  const primes: number[] = [];
  for (let odd = 3; odd < limit; odd += 2) {
    if (isComposite[odd >> 1] === 1) continue;
    primes.push(odd);
    for (let i = (odd * odd - 1) / 2; i < isComposite.length; i += odd) isComposite[i] = 1;
  }
  return primes;
};

/** Factors of the primorial of the limit, each slightly longer than CHUNK_BITS; their product is the primorial. */
const primorialPieces = (limit: number): readonly bigint[] => {
  const pieces: bigint[] = [];
  const primes = oddPrimesBelow(limit);
  let piece = 2n;
  for (let at = 0; at < primes.length; at += 2) {
    // each prime has at most 20 bits, so a number holds their product exactly: one long multiplication for
    // two primes
    piece *= BigInt((primes[at] ?? 1) * (primes[at + 1] ?? 1));
    if (piece >> CHUNK_BITS > 0n) {
      pieces.push(piece);
      piece = 1n;
    }
  }
  return [...pieces, piece];
};

/** hasSmallFactor finds prime factors below 2^SMALL_FACTOR_BITS. */
export const SMALL_FACTOR_BITS = 20;

let pieces: readonly bigint[] | undefined; // computed at first use, and constant from then on

/** Whether a number above 2^20 has a prime factor below 2^20: a gcd with the primorial. */
export const hasSmallFactor = (value: bigint): boolean => {
  pieces ??= primorialPieces(2 ** SMALL_FACTOR_BITS);
  const primorial = pieces.reduce((product, piece) => (product * (piece % value)) % value, 1n);
  return gcd(primorial, value) !== 1n;
};
