import { type Codec, pointCodec, scalarCodec, struct } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import { GENERATOR, multiplyBase, multiplyPublic, type Point, sampleScalar, scalar } from "../group.ts";
import { challenge, type ProofContext } from "../transcript.ts";

/** Πsch: knowledge of x with X = x·G (ePrint 2021/060, figure 22; non-interactive by Fiat–Shamir). */
export interface SchnorrStatement {
  /** X */
  readonly point: Point;
  /** bound into the challenge as well: the joint randomness rid of key generation */
  readonly salt: Uint8Array;
}

/** τ, secret and good for one response, and A = τ·G, which may be published before X is known. */
export interface SchnorrNonce {
  readonly nonce: bigint;
  readonly commitment: Point;
}

export interface SchnorrProof {
  /** A */
  readonly commitment: Point;
  /** z */
  readonly response: bigint;
}

export const schnorrCodec: Codec<SchnorrProof> = struct<SchnorrProof>({
  commitment: pointCodec,
  response: scalarCodec,
});

/** τ uniform in [1, q) and A = τ·G. */
export const sampleSchnorrNonce = (entropy: Entropy): SchnorrNonce => {
  const nonce = sampleScalar(entropy);
  return { nonce, commitment: multiplyBase(nonce) };
};

/** e = H(context, G, X, salt, A) */
const schnorrChallenge = (context: ProofContext, statement: SchnorrStatement, commitment: Point): bigint =>
  challenge("Πsch", context, [GENERATOR, statement.point, statement.salt, commitment]).scalar();

/**
 * z = τ + e·x. Two responses under one nonce reveal x: the caller responds once.
 *
 * @param witness x
 */
export const respondSchnorr = (
  context: ProofContext,
  statement: SchnorrStatement,
  witness: bigint,
  { nonce, commitment }: SchnorrNonce,
): SchnorrProof => {
  const e = schnorrChallenge(context, statement, commitment);
  return { commitment, response: scalar(nonce + e * witness) };
};

/** Proves knowledge of the witness x with a fresh nonce. */
export const proveSchnorr = (
  context: ProofContext,
  statement: SchnorrStatement,
  witness: bigint,
  entropy: Entropy,
): SchnorrProof => respondSchnorr(context, statement, witness, sampleSchnorrNonce(entropy));

/** z·G = A + e·X, with X and A not the identity. */
export const verifySchnorr = (
  context: ProofContext,
  statement: SchnorrStatement,
  proof: SchnorrProof,
): boolean => {
  const { commitment, response } = proof;
  if (statement.point.is0() || commitment.is0()) return false;
  const e = schnorrChallenge(context, statement, commitment);
  return multiplyPublic(GENERATOR, response).equals(commitment.add(multiplyPublic(statement.point, e)));
};
