import { bitLength } from "../arithmetic/integers.ts";
import { primalityOfModulus } from "../arithmetic/openssl.ts";
import type { Parameters } from "../parameters.ts";

/**
 * What a prime supplier hands in for one run of auxiliary generation. Each prime has exactly
 * parameters.primeBits bits and has never been used before, in no run at all, aborted ones included: who saw
 * a modulus in an aborted run could show it as its own in the next.
 */
export interface AuxiliaryPrimes {
  /** Blum prime, 3 mod 4: a factor of the Paillier modulus N */
  readonly p: bigint;
  /** Blum prime: the other factor of N */
  readonly q: bigint;
  /** safe prime, 2p′ + 1 with p′ prime: a factor of the ring-Pedersen modulus N^ */
  readonly pHat: bigint;
  /** safe prime: the other factor of N^ */
  readonly qHat: bigint;
}

const isBlumPrime = (value: bigint): boolean =>
  value % 4n === 3n && primalityOfModulus(value) !== "composite";

const isSafePrime = (value: bigint): boolean =>
  value % 4n === 3n && primalityOfModulus(value) === "safe prime";

/**
 * Throws unless the primes are what a supplier must deliver: Blum p, q and safe p^, q^, all distinct, of
 * parameters.primeBits bits. A failure is a bug of our own, never a peer's doing. Names no value (INV-10).
 */
export const requireAuxiliaryPrimes = (parameters: Parameters, primes: AuxiliaryPrimes): void => {
  const { p, q, pHat, qHat } = primes;
  const all = [p, q, pHat, qHat];
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`auxiliary primes: ${what}`);
  };
  require(all.every((prime) => prime > 0n), "a prime is positive");
  require(all.every(
    (prime) => bitLength(prime) === parameters.primeBits,
  ), `each has ${parameters.primeBits} bits`);
  require(new Set(all).size === all.length, "all four are distinct");
  require(isBlumPrime(p) && isBlumPrime(q), "p and q are primes of the form 4k + 3");
  require(isSafePrime(pHat) && isSafePrime(qHat), "p^ and q^ are safe primes");
};
