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

// secp256k1, the one group of CGGMP24, without naming it in every line; curve.ts has the general form.

export { type Point, SCALAR_BYTES } from "./curve.ts";

/** q, the order of the group. */
export const ORDER: bigint = SECP256K1.order;
/** G of secp256k1. */
export const GENERATOR: Point = SECP256K1.generator;
export const IDENTITY: Point = SECP256K1.identity;
export const POINT_BYTES: number = SECP256K1.pointBytes;

export const scalar = (value: bigint): bigint => scalarOf(SECP256K1, value);

/** The lift of a scalar to (-q/2, q/2], the form in which it is encrypted. */
export const lift = (value: bigint): bigint => symmetricModulo(value, ORDER);

export const invertScalar = (value: bigint): bigint => inverseOf(SECP256K1, value);

/** k·P for secret k; noble's constant-time-ish ladder. k = 0 gives the identity. */
export const multiply = (point: Point, factor: bigint): Point => multiplySecret(SECP256K1, point, factor);

/** k·P where nothing is secret: verification only. */
export const multiplyPublic = (point: Point, factor: bigint): Point =>
  multiplyKnown(SECP256K1, point, factor);

/** a·P + b·Q where nothing is secret, in one chain of doublings: verification only. */
export const combinePublic = (p: Point, a: bigint, q: Point, b: bigint): Point =>
  p.mulAddUnsafe(scalar(a), q, scalar(b));

/** k·G for secret k. */
export const multiplyBase = (factor: bigint): Point => multiplyGenerator(SECP256K1, factor);

export const sumPoints = (points: Iterable<Point>): Point => sumOf(SECP256K1, points);

/** A uniform scalar in [1, q). */
export const sampleScalar = (entropy: Entropy): bigint => sampleScalarOf(SECP256K1, entropy);

/** A random point whose discrete logarithm is forgotten. */
export const samplePoint = (entropy: Entropy): Point => multiplyBase(sampleScalar(entropy));

/** x(P) mod q, the r of an ECDSA signature. */
export const xCoordinate = (point: Point): bigint => scalar(point.toAffine().x);
