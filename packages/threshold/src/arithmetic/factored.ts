import { areUnits, modulo, mustInvert } from "./integers.ts";
import { powModulo } from "./openssl.ts";

/** A modulus N = p·q with known factors: by the Chinese remainder theorem a power costs a quarter. */
export interface FactoredModulus {
  readonly p: bigint;
  readonly q: bigint;
  /** p·q */
  readonly n: bigint;
  /** (p-1)(q-1) */
  readonly phi: bigint;
  /** p^-1 mod q */
  readonly pInverse: bigint;
  readonly pSquared: bigint;
  readonly qSquared: bigint;
  /** (p²)^-1 mod q² */
  readonly pSquaredInverse: bigint;
}

/** Precomputes the constants for powers modulo p·q. @param p @param q distinct odd primes */
export const factoredModulus = (p: bigint, q: bigint): FactoredModulus => ({
  p,
  q,
  n: p * q,
  phi: (p - 1n) * (q - 1n),
  pInverse: mustInvert(p, q),
  pSquared: p * p,
  qSquared: q * q,
  pSquaredInverse: mustInvert(p * p, q * q),
});

/** Whether every value is an element of Z*_N: by one gcd for all, or, with known factors, by two divisions each. */
export const areUnitsKnowing = (
  values: readonly bigint[],
  n: bigint,
  own: Pick<FactoredModulus, "p" | "q"> | undefined,
): boolean =>
  own === undefined
    ? areUnits(values, n)
    : values.every((value) => value > 0n && value < n && value % own.p !== 0n && value % own.q !== 0n);

/** The value in [0, p·q) that is a mod p and b mod q. */
const combine = (a: bigint, b: bigint, p: bigint, q: bigint, pInverse: bigint): bigint =>
  a + p * modulo((b - a) * pInverse, q);

/** The x mod N with x = a mod p and x = b mod q. */
export const fromResidues = (own: FactoredModulus, a: bigint, b: bigint): bigint =>
  combine(modulo(a, own.p), modulo(b, own.q), own.p, own.q, own.pInverse);

/** base^exponent mod N for base in Z*_N and any integer exponent (reduced mod p-1 and q-1). */
export const powerModN = (own: FactoredModulus, base: bigint, exponent: bigint): bigint =>
  combine(
    powModulo(modulo(base, own.p), modulo(exponent, own.p - 1n), own.p),
    powModulo(modulo(base, own.q), modulo(exponent, own.q - 1n), own.q),
    own.p,
    own.q,
    own.pInverse,
  );

/** The N-th root mod N of a unit: value^(N^-1 mod φ(N)). It exists and is unique, because gcd(N, φ(N)) = 1. */
export const nthRoot = (own: FactoredModulus, value: bigint): bigint =>
  powerModN(own, value, mustInvert(own.n, own.phi));

/**
 * base^N mod N², the mask of a Paillier encryption. r^N mod p² depends only on r^q mod p, because (x + kp)^p = x^p mod p²;
 * so a short power mod p and one mod p² replace a long power mod N².
 */
export const nthPower = (own: FactoredModulus, base: bigint): bigint => {
  const half = (p: bigint, q: bigint, square: bigint): bigint => {
    const short = powModulo(modulo(base, p), q % (p - 1n), p);
    return powModulo(short, p, square);
  };
  return combine(
    half(own.p, own.q, own.pSquared),
    half(own.q, own.p, own.qSquared),
    own.pSquared,
    own.qSquared,
    own.pSquaredInverse,
  );
};
