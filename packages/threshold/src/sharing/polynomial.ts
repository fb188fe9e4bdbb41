import type { Entropy } from "../entropy.ts";
import { sampleScalar, scalar } from "../group.ts";

/** s_0 + s_1·x + … + s_{t-1}·x^{t-1} over the scalars, lowest coefficient first. Secret. */
export type Polynomial = readonly bigint[];

/**
 * A random polynomial that `threshold` values determine and fewer do not. Its coefficients are uniform in
 * [1, q): zero would commit to the identity, which has no encoding.
 */
export const samplePolynomial = (threshold: number, entropy: Entropy): Polynomial =>
  Array.from({ length: threshold }, () => sampleScalar(entropy));

/** f(at) mod q, by Horner. */
export const evaluate = (polynomial: Polynomial, at: number): bigint =>
  polynomial.reduceRight((sum, coefficient) => scalar(sum * BigInt(at) + coefficient), 0n);
