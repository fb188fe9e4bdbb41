import { secp256k1 } from "@noble/curves/secp256k1.js";
import { modulo, mustInvert, symmetricModulo } from "./arithmetic/integers.ts";
import { type Entropy, sampleNonZero } from "./entropy.ts";

/** secp256k1 as the protocol sees it: points, and scalars as integers in [0, q). */
export type Point = InstanceType<typeof secp256k1.Point>;

/** q, the order of the group. */
export const ORDER: bigint = secp256k1.Point.Fn.ORDER;
export const GENERATOR: Point = secp256k1.Point.BASE;
export const IDENTITY: Point = secp256k1.Point.ZERO;

export const POINT_BYTES = 33;
export const SCALAR_BYTES = 32;

export const scalar = (value: bigint): bigint => modulo(value, ORDER);

/** The lift of a scalar to (-q/2, q/2], the form in which it is encrypted. */
export const lift = (value: bigint): bigint => symmetricModulo(value, ORDER);

export const invertScalar = (value: bigint): bigint => mustInvert(value, ORDER);

/** k·P for secret k; noble's constant-time-ish ladder. k = 0 gives the identity. */
export const multiply = (point: Point, factor: bigint): Point => {
  const k = scalar(factor);
  return k === 0n || point.is0() ? IDENTITY : point.multiply(k);
};

/** k·P where nothing is secret: verification only. */
export const multiplyPublic = (point: Point, factor: bigint): Point => point.multiplyUnsafe(scalar(factor));

/** a·P + b·Q where nothing is secret, in one chain of doublings: verification only. */
export const combinePublic = (p: Point, a: bigint, q: Point, b: bigint): Point =>
  p.mulAddUnsafe(scalar(a), q, scalar(b));

/** k·G for secret k. */
export const multiplyBase = (factor: bigint): Point => multiply(GENERATOR, factor);

export const sumPoints = (points: Iterable<Point>): Point => {
  let sum = IDENTITY;
  for (const point of points) sum = sum.add(point);
  return sum;
};

/** A uniform scalar in [1, q). */
export const sampleScalar = (entropy: Entropy): bigint => sampleNonZero(entropy, ORDER);

/** A random point whose discrete logarithm is forgotten. */
export const samplePoint = (entropy: Entropy): Point => multiplyBase(sampleScalar(entropy));

/** x(P) mod q, the r of an ECDSA signature. */
export const xCoordinate = (point: Point): bigint => scalar(point.toAffine().x);
