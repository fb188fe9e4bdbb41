import { symmetricModulo } from "./arithmetic/integers.ts";
import {
  inverseOf,
  multiplyGenerator,
  multiplyKnown,
  multiplySecret,
  type Point,
  SECP256K1,
  sampleScalarOf,
  scalarOf,
  sumOf,
} from "./curve.ts";
import type { Entropy } from "./entropy.ts";

// The functions of curve.ts for secp256k1, the only group of CGGMP24, so that callers need not name it each
// time.

export { type Point, SCALAR_BYTES } from "./curve.ts";

/** q, the order of the group. */
export const ORDER: bigint = SECP256K1.order;
/** G of secp256k1. */
export const GENERATOR: Point = SECP256K1.generator;
/** The identity of the group. */
export const IDENTITY: Point = SECP256K1.identity;
/** The length of a compressed point. */
export const POINT_BYTES: number = SECP256K1.pointBytes;

/** k mod q, in [0, q). */
export const scalar = (value: bigint): bigint => scalarOf(SECP256K1, value);

/** The representative of a scalar in (-q/2, q/2], the form in which it is encrypted. */
export const lift = (value: bigint): bigint => symmetricModulo(value, ORDER);

/** k^-1 mod q; throws when k = 0 mod q. */
export const invertScalar = (value: bigint): bigint => inverseOf(SECP256K1, value);

/** k·P for secret k, by noble's roughly constant-time ladder. k = 0 gives the identity. */
export const multiply = (point: Point, factor: bigint): Point => multiplySecret(SECP256K1, point, factor);

/** k·P for public k. Not constant-time: for verification only. */
export const multiplyPublic = (point: Point, factor: bigint): Point =>
  multiplyKnown(SECP256K1, point, factor);

/** a·P + b·Q for public a and b, in one chain of doublings. Not constant-time: for verification only. */
export const combinePublic = (p: Point, a: bigint, q: Point, b: bigint): Point =>
  p.mulAddUnsafe(scalar(a), q, scalar(b));

/** k·G for secret k. */
export const multiplyBase = (factor: bigint): Point => multiplyGenerator(SECP256K1, factor);

/** Σ P_j; the identity for no points. */
export const sumPoints = (points: Iterable<Point>): Point => sumOf(SECP256K1, points);

/** A uniform scalar in [1, q). */
export const sampleScalar = (entropy: Entropy): bigint => sampleScalarOf(SECP256K1, entropy);

/** A random point; its discrete logarithm is discarded. */
export const samplePoint = (entropy: Entropy): Point => multiplyBase(sampleScalar(entropy));
