import { checkPrime, constants, createPublicKey, publicEncrypt } from "node:crypto";
import type { PrimeKind } from "./sieve.ts";

/** The longest RSA modulus for which OpenSSL accepts long exponents. */
const RSA_BITS_MAX = 3_072;
const RSA_BITS_MIN = 128; // shorter than every candidate; OpenSSL's own lower bound for RSA moduli is not relied on

const evenHex = (value: bigint): string => {
  const hex = value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
};

const base64url = (value: bigint): string => Buffer.from(evenHex(value), "hex").toString("base64url");

/**
 * 2^exponent mod modulus, by RSA's public operation without padding: the only plain power that Node offers through OpenSSL.
 * Its time depends on the exponent, as does the time of OpenSSL's own search for primes.
 */
const powerOfTwo = (exponent: bigint, modulus: bigint): bigint => {
  const key = createPublicKey({
    key: { kty: "RSA", n: base64url(modulus), e: base64url(exponent) },
    format: "jwk",
  });
  const base = Buffer.alloc(evenHex(modulus).length / 2);
  base[base.length - 1] = 2;
  const power = publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, base);
  return BigInt(`0x${power.toString("hex")}`);
};

/** 2^((n-1)/2) = (2|n) mod n. For n = 3 mod 4 this is one round of Miller-Rabin with base 2. */
const isStrongProbablePrime = (n: bigint): boolean => {
  const expected = n % 8n === 7n ? 1n : n - 1n;
  return powerOfTwo((n - 1n) / 2n, n) === expected;
};

const KNOWN_PRIME = (1n << 256n) - (1n << 32n) - 977n; // the field of secp256k1

const selfTest = (): boolean => {
  try {
    return isStrongProbablePrime(KNOWN_PRIME) && !isStrongProbablePrime(KNOWN_PRIME * 5n);
  } catch {
    return false; // an OpenSSL version that was not tested with this method; OpenSSL's own test is slower but correct
  }
};

let quickTestWorks: boolean | undefined; // determined at first use

/** Tests n by at least 64 rounds of OpenSSL's Miller-Rabin with random bases, on a thread of libuv. */
const isPrime = (n: bigint): Promise<boolean> =>
  new Promise((resolve, reject) => {
    checkPrime(n, (error, isIt) => (error ? reject(error) : resolve(isIt)));
  });

/**
 * Whether n may be prime, by one power on the caller's thread. It accepts every prime and hardly ever a composite;
 * isPrime has to decide about accepted numbers. OpenSSL's test rejects composites as early, but takes at least 64
 * powers for a prime n, which are wasted if (n - 1) / 2 turns out composite.
 *
 * @param n 3 mod 4
 */
export const mayBePrime = (n: bigint): boolean | Promise<boolean> => {
  quickTestWorks ??= selfTest();
  const isForRsa = n >> BigInt(RSA_BITS_MIN - 1) > 0n && n >> BigInt(RSA_BITS_MAX) === 0n;
  return quickTestWorks && isForRsa ? isStrongProbablePrime(n) : isPrime(n);
};

/**
 * Whether n is a prime of this kind. The quick test of n comes first: of the candidates for safe primes that pass it,
 * only about one in 40 is a safe prime and worth the full test.
 *
 * @param n 3 mod 4
 */
export const isOfKind = async (kind: PrimeKind, n: bigint): Promise<boolean> => {
  if (!(await mayBePrime(n))) return false;
  return (kind === "blum" || (await isPrime((n - 1n) / 2n))) && (await isPrime(n));
};
