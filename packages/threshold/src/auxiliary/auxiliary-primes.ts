import { bitLength } from "../arithmetic/integers.ts";
import { primalityOfModulus } from "../arithmetic/openssl.ts";
import type { Parameters } from "../parameters.ts";

/**
 * The primes for one run of auxiliary generation. Each has exactly parameters.primeBits bits and was used in
 * no earlier run, not even an aborted one: a party that saw a modulus there could present it as its own in
 * the next run.
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
 * Requires Blum primes p, q and safe primes p^, q^, all distinct and of parameters.primeBits bits.
 *
 * @throws Error otherwise: a bug of our own, never caused by a peer. The message contains no value (INV-10)
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
