import { type Curve, type GroupPoint, sampleScalarOf, scalarOf } from "../curve.ts";
import type { Entropy } from "../entropy.ts";

/** s_0 + s_1·x + … + s_{t-1}·x^{t-1} over the scalars, lowest coefficient first. Secret. */
export type Polynomial = readonly bigint[];

/**
 * Samples a polynomial of degree threshold - 1, which `threshold` values determine and fewer do not. Its coefficients are
 * uniform in [1, q): zero would commit to the identity, which has no encoding.
 */
export const samplePolynomial = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  threshold: number,
  entropy: Entropy,
): Polynomial => Array.from({ length: threshold }, () => sampleScalarOf(curve, entropy));

/** f(at) mod q, by Horner's rule. */
export const evaluate = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  polynomial: Polynomial,
  at: number,
): bigint =>
  polynomial.reduceRight((sum, coefficient) => scalarOf(curve, sum * BigInt(at) + coefficient), 0n);
