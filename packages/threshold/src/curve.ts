import { mulAddUnsafe, normalizeZ } from "@noble/curves/abstract/curve.js";
import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "@noble/curves/utils.js";
import { modulo, mustInvert } from "./arithmetic/integers.ts";
import { type Entropy, sampleNonZero } from "./entropy.ts";

/** The methods of noble's curve points that this package uses. */
export interface GroupPoint<P> {
  readonly add: (other: P) => P;
  readonly negate: () => P;
  readonly multiply: (factor: bigint) => P;
  readonly multiplyUnsafe: (factor: bigint) => P;
  readonly equals: (other: P) => boolean;
  readonly is0: () => boolean;
  /** h times the point */
  readonly clearCofactor: () => P;
  /** compressed, 33 bytes on secp256k1 and 32 on Ed25519 */
  readonly toBytes: () => Uint8Array;
}

/** The name of a curve in stored keys, session ids and import requests. */
export type CurveName = "secp256k1" | "ed25519";

/**
 * A group of prime order q for sharing and key generation: all points are in the group, and scalars are
 * integers in [0, q). With it one implementation of a protocol serves ECDSA, Ed25519 and BIP-340 keys.
 */
export interface Curve<P extends GroupPoint<P>> {
  readonly name: CurveName;
  /** q */
  readonly order: bigint;
  /** G */
  readonly generator: P;
  readonly identity: P;
  /** length of an encoded point */
  readonly pointBytes: number;
  /** Parses a canonical point; undefined for other bytes, the identity, and points outside the group (P21). */
  readonly parsePoint: (bytes: Uint8Array) => P | undefined;
  /** h: the whole curve has h·q points */
  readonly cofactor: bigint;
  /**
   * Parses any point P of the whole curve from canonical bytes and returns h·P; undefined when the bytes are not a point,
   * or h·P is the identity. The result is always in the group, at a tenth of parsePoint's cost (P21). To transmit k·G,
   * send (k/h)·G.
   */
  readonly parseCleared: (bytes: Uint8Array) => P | undefined;
  /** Σ k_j·P_j for public factors in [0, q), in one chain of doublings. Not constant-time: for verification only. */
  readonly combineKnown: (points: readonly P[], factors: readonly bigint[]) => P;
  /** The same points in affine form, at the cost of one inversion for all; each then encodes without a further inversion. */
  readonly normalise: (points: readonly P[]) => readonly P[];
}

/** Points of secp256k1. */
export type Point = InstanceType<typeof secp256k1.Point>;
/** Points of Ed25519's group of prime order. */
export type EdwardsPoint = InstanceType<typeof ed25519.Point>;

const attempt = <P>(parse: () => P): P | undefined => {
  try {
    return parse();
  } catch {
    return undefined;
  }
};

/** The number of recently parsed points in a cache: those of the keys in use, and of the messages of a round. */
const REMEMBERED_MAX = 256;

/**
 * Caches the last parsed encodings: each load of a share from the store parses its key's points again, and a
 * square root, or the test for the group, costs a thousand times as much as a lookup. All encodings are
 * public (P16).
 * @param length of an encoding; other lengths are refused without a lookup
 */
const remembering = <P>(
  length: number,
  parse: (bytes: Uint8Array) => P | undefined,
): ((bytes: Uint8Array) => P | undefined) => {
  const points = new Map<string, P>();
  return (bytes) => {
    if (bytes.length !== length) return undefined;
    const name = bytesToHex(bytes);
    const point = points.get(name) ?? parse(bytes);
    if (point === undefined) return undefined;
    points.delete(name);
    points.set(name, point); // most recently used last
    const oldest = points.keys().next();
    if (points.size > REMEMBERED_MAX && !oldest.done) points.delete(oldest.value);
    return point;
  };
};

const parseWeierstrass = remembering(33, (bytes) => attempt(() => secp256k1.Point.fromBytes(bytes)));

/** The length of SEC 1's uncompressed form: 04, x, y. */
export const UNCOMPRESSED_BYTES = 65;

/** Parses an uncompressed point, for values in our own store; undefined when it is not on the curve. Takes no square root. */
export const parseUncompressed = (bytes: Uint8Array): Point | undefined =>
  bytes.length === UNCOMPRESSED_BYTES ? attempt(() => secp256k1.Point.fromBytes(bytes)) : undefined;

/** The group of ECDSA, BIP-340 and Taproot keys (SEC 2). */
export const SECP256K1: Curve<Point> = {
  name: "secp256k1",
  order: secp256k1.Point.Fn.ORDER,
  generator: secp256k1.Point.BASE,
  identity: secp256k1.Point.ZERO,
  pointBytes: 33,
  parsePoint: parseWeierstrass,
  cofactor: 1n,
  parseCleared: parseWeierstrass,
  combineKnown: (points, factors) => mulAddUnsafe(secp256k1.Point, [...points], [...factors]),
  normalise: (points) => normalizeZ(secp256k1.Point, [...points]),
};

const decodeEdwards = (bytes: Uint8Array): EdwardsPoint | undefined =>
  attempt(() => ed25519.Point.fromBytes(bytes, false));

/** Refuses points with a component of small order: a cheat could shift keys and nonces by it. */
const parseEdwards = (bytes: Uint8Array): EdwardsPoint | undefined => {
  const point = decodeEdwards(bytes);
  return point === undefined || point.is0() || !point.isTorsionFree() ? undefined : point;
};

const parseClearedEdwards = (bytes: Uint8Array): EdwardsPoint | undefined => {
  const cleared = decodeEdwards(bytes)?.clearCofactor();
  return cleared === undefined || cleared.is0() ? undefined : cleared;
};

/** The subgroup of prime order of edwards25519 (RFC 7748, RFC 8032). */
export const ED25519: Curve<EdwardsPoint> = {
  name: "ed25519",
  order: ed25519.Point.Fn.ORDER,
  generator: ed25519.Point.BASE,
  identity: ed25519.Point.ZERO,
  pointBytes: 32,
  parsePoint: remembering(32, parseEdwards),
  cofactor: 8n,
  parseCleared: parseClearedEdwards,
  combineKnown: (points, factors) => mulAddUnsafe(ed25519.Point, [...points], [...factors]),
  normalise: (points) => normalizeZ(ed25519.Point, [...points]),
};

/** The length of an encoded scalar: both groups have an order of at most 256 bits. */
export const SCALAR_BYTES = 32;

/** k mod q, in [0, q). */
export const scalarOf = <P extends GroupPoint<P>>({ order }: Curve<P>, value: bigint): bigint =>
  modulo(value, order);

/** k^-1 mod q; throws when k = 0 mod q. */
export const inverseOf = <P extends GroupPoint<P>>({ order }: Curve<P>, value: bigint): bigint =>
  mustInvert(value, order);

/** k·P for secret k, by noble's roughly constant-time ladder. k = 0 gives the identity. */
export const multiplySecret = <P extends GroupPoint<P>>(curve: Curve<P>, point: P, factor: bigint): P => {
  const k = scalarOf(curve, factor);
  return k === 0n || point.is0() ? curve.identity : point.multiply(k);
};

/** k·P for public k. Not constant-time: for verification only. */
export const multiplyKnown = <P extends GroupPoint<P>>(curve: Curve<P>, point: P, factor: bigint): P =>
  point.multiplyUnsafe(scalarOf(curve, factor));

/** k·G for secret k. */
export const multiplyGenerator = <P extends GroupPoint<P>>(curve: Curve<P>, factor: bigint): P =>
  multiplySecret(curve, curve.generator, factor);

/** Σ P_j; the identity for no points. */
export const sumOf = <P extends GroupPoint<P>>({ identity }: Curve<P>, points: Iterable<P>): P => {
  let sum = identity;
  for (const point of points) sum = sum.add(point);
  return sum;
};

/** A uniform scalar in [1, q). */
export const sampleScalarOf = <P extends GroupPoint<P>>({ order }: Curve<P>, entropy: Entropy): bigint =>
  sampleNonZero(entropy, order);
