import { absolute, areUnits, squareRoot } from "../arithmetic/integers.ts";
import { type Codec, integer, natural, naturalBytesMax, struct } from "../codec.ts";
import { type Entropy, sampleSymmetric } from "../entropy.ts";
import type { Parameters } from "../parameters.ts";
import { commit, commitOwn, type OwnRingPedersen, powerOwn, type RingPedersen } from "../ring-pedersen.ts";
import { challenge, type ProofContext } from "../transcript.ts";
import { pedersenBalances } from "./balance.ts";

/** The witness of Πfac: N = p·q. */
export interface Factors {
  readonly p: bigint;
  readonly q: bigint;
}

/**
 * Πfac (Figure 26): N = p·q with both factors below about 2^(ℓ+ε)·√N, hence neither is small. Made for one
 * verifier, under its ring-Pedersen parameters (N^, s, t).
 */
export interface NoSmallFactorProof {
  /** P = s^p·t^μ */
  readonly commitmentP: bigint;
  /** Q = s^q·t^ν */
  readonly commitmentQ: bigint;
  /** A = s^α·t^x */
  readonly a: bigint;
  /** B = s^β·t^y */
  readonly b: bigint;
  /** T = Q^α·t^r */
  readonly t: bigint;
  /** z1 = α + e·p */
  readonly z1: bigint;
  /** z2 = β + e·q */
  readonly z2: bigint;
  /** ω1 = x + e·μ */
  readonly w1: bigint;
  /** ω2 = y + e·ν */
  readonly w2: bigint;
  /** v = r - e·ν·p */
  readonly v: bigint;
}

const MARGIN_BITS = 1; // for the sum of a mask and a product that is shorter by ε

export const noSmallFactorProofCodec = (parameters: Parameters): Codec<NoSmallFactorProof> => {
  const { primeBits, ell, epsilon } = parameters;
  const element = natural(2 * primeBits);
  const mask = ell + epsilon + MARGIN_BITS;
  return struct<NoSmallFactorProof>({
    commitmentP: element,
    commitmentQ: element,
    a: element,
    b: element,
    t: element,
    z1: integer(mask + primeBits),
    z2: integer(mask + primeBits),
    w1: integer(mask + 2 * primeBits),
    w2: integer(mask + 2 * primeBits),
    v: integer(mask + 4 * primeBits),
  });
};

/** The longest encoding, in bytes. */
export const noSmallFactorProofBytesMax = ({ primeBits, ell, epsilon }: Parameters): number => {
  const signed = (bits: number): number => 1 + naturalBytesMax(ell + epsilon + MARGIN_BITS + bits);
  return (
    5 * naturalBytesMax(2 * primeBits) +
    2 * signed(primeBits) +
    2 * signed(2 * primeBits) +
    signed(4 * primeBits)
  );
};

type Commitments = Pick<NoSmallFactorProof, "commitmentP" | "commitmentQ" | "a" | "b" | "t">;

/** e in ±2^ℓ */
const challengeOf = (
  context: ProofContext,
  { ell, epsilon }: Parameters,
  n: bigint,
  verifier: RingPedersen,
  commitments: Commitments,
): bigint => {
  const { commitmentP, commitmentQ, a, b, t } = commitments;
  const fields = [ell, epsilon, n, verifier.n, verifier.s, verifier.t, commitmentP, commitmentQ, a, b, t];
  return challenge("Πfac", context, fields).symmetric(1n << BigInt(ell));
};

/** Figure 26, prover. @param verifier the (N^, s, t) of the receiver, proven sound by its Πprm */
export const proveNoSmallFactor = (
  context: ProofContext,
  parameters: Parameters,
  { p, q }: Factors,
  verifier: RingPedersen,
  entropy: Entropy,
): NoSmallFactorProof => {
  const n = p * q;
  const wide = 1n << BigInt(parameters.ell + parameters.epsilon);
  const narrow = 1n << BigInt(parameters.ell);
  const sample = (bound: bigint): bigint => sampleSymmetric(entropy, bound);
  const [alpha, beta] = [sample(wide * squareRoot(n)), sample(wide * squareRoot(n))];
  const [mu, nu] = [sample(narrow * verifier.n), sample(narrow * verifier.n)];
  const r = sample(wide * n * verifier.n);
  const [x, y] = [sample(wide * verifier.n), sample(wide * verifier.n)];

  const commitmentQ = commit(verifier, q, nu);
  const commitments: Commitments = {
    commitmentP: commit(verifier, p, mu),
    commitmentQ,
    a: commit(verifier, alpha, x),
    b: commit(verifier, beta, y),
    t: commit({ ...verifier, s: commitmentQ }, alpha, r),
  };
  const e = challengeOf(context, parameters, n, verifier, commitments);
  return {
    ...commitments,
    z1: alpha + e * p,
    z2: beta + e * q,
    w1: x + e * mu,
    w2: y + e * nu,
    v: r - e * nu * p,
  };
};

/**
 * Figure 26, for the verifier that owns (N^, s, t) and uses its factors. Checks N > 2^(4ℓ), that all group
 * elements are in Z*_N^, z1 and z2 in ±2^(ℓ+ε)·√N, and s^z1·t^ω1 = A·P^e, s^z2·t^ω2 = B·Q^e, Q^z1·t^v =
 * T·s^(N·e), all mod N^.
 */
export const verifyNoSmallFactor = (
  context: ProofContext,
  parameters: Parameters,
  n: bigint,
  own: OwnRingPedersen,
  proof: NoSmallFactorProof,
): boolean => {
  const { commitmentP, commitmentQ, a, b, t, z1, z2, w1, w2, v } = proof;
  const modulus = own.parameters.n;
  if (n <= 1n << BigInt(4 * parameters.ell)) return false;
  const bound = squareRoot(n) << BigInt(parameters.ell + parameters.epsilon);
  if (absolute(z1) > bound || absolute(z2) > bound) return false;
  if (!areUnits([commitmentP, commitmentQ, a, b, t], modulus)) return false;

  const e = challengeOf(context, parameters, n, own.parameters, proof);
  const raised = (base: bigint): bigint => powerOwn(own, base, e);
  const opensTo = (z: bigint, w: bigint, first: bigint, commitment: bigint): boolean =>
    commitOwn(own, z, w) === (first * raised(commitment)) % modulus;
  if (!opensTo(z1, w1, a, commitmentP) || !opensTo(z2, w2, b, commitmentQ)) return false;
  const product = (powerOwn(own, commitmentQ, z1) * commitOwn(own, 0n, v)) % modulus;
  return product === (t * commitOwn(own, n * e, 0n)) % modulus;
};

/** The same verification for third parties, without the factors of the verifier's N^, at the cost of full powers. */
export const isNoSmallFactorProof = (
  context: ProofContext,
  parameters: Parameters,
  n: bigint,
  verifier: RingPedersen,
  proof: NoSmallFactorProof,
): boolean => {
  const { commitmentP, commitmentQ, a, b, t, z1, z2, w1, w2, v } = proof;
  if (n <= 1n << BigInt(4 * parameters.ell)) return false;
  const bound = squareRoot(n) << BigInt(parameters.ell + parameters.epsilon);
  if (absolute(z1) > bound || absolute(z2) > bound) return false;
  if (!areUnits([commitmentP, commitmentQ, a, b, t], verifier.n)) return false;
  const e = challengeOf(context, parameters, n, verifier, proof);
  const balances = (x: bigint, r: bigint, powers: readonly (readonly [bigint, bigint])[]): boolean =>
    pedersenBalances(verifier, x, r, powers, undefined);
  return (
    balances(z1, w1, [
      [a, -1n],
      [commitmentP, -e],
    ]) &&
    balances(z2, w2, [
      [b, -1n],
      [commitmentQ, -e],
    ]) &&
    balances(-n * e, v, [
      [commitmentQ, z1],
      [t, -1n],
    ])
  );
};
