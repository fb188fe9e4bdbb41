import { type Codec, pointCodecOf, scalarCodecOf, struct } from "../codec.ts";
import {
  type Curve,
  type GroupPoint,
  multiplyGenerator,
  multiplyKnown,
  sampleScalarOf,
  scalarOf,
} from "../curve.ts";
import type { Entropy } from "../entropy.ts";
import { challenge, type ProofContext } from "../transcript.ts";

/** The statement of Πsch: knowledge of x with X = x·G (ePrint 2021/060, figure 22; non-interactive by Fiat–Shamir). */
export interface SchnorrStatement<P> {
  /** X */
  readonly point: P;
  /** further bytes that the challenge binds, such as the joint randomness rid of key generation */
  readonly salt: Uint8Array;
}

/** τ, secret and used for one response, and A = τ·G, which may be published before X is known. */
export interface SchnorrNonce<P> {
  readonly nonce: bigint;
  readonly commitment: P;
}

/** The commitment and response of Πsch. */
export interface SchnorrProof<P> {
  /** A */
  readonly commitment: P;
  /** z */
  readonly response: bigint;
}

export const schnorrCodec = <P extends GroupPoint<P>>(curve: Curve<P>): Codec<SchnorrProof<P>> =>
  struct<SchnorrProof<P>>({ commitment: pointCodecOf(curve), response: scalarCodecOf(curve) });

/** Samples τ in [1, q), and computes A = τ·G. */
export const sampleSchnorrNonce = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  entropy: Entropy,
): SchnorrNonce<P> => {
  const nonce = sampleScalarOf(curve, entropy);
  return { nonce, commitment: multiplyGenerator(curve, nonce) };
};

/** e = H(context, G, X, salt, A) */
const schnorrChallenge = <P extends GroupPoint<P>>(
  { generator, order }: Curve<P>,
  context: ProofContext,
  { point, salt }: SchnorrStatement<P>,
  commitment: P,
): bigint => challenge("Πsch", context, [generator, point, salt, commitment]).below(order);

/**
 * z = τ + e·x. Two responses with one nonce reveal x, so the caller must respond only once.
 *
 * @param witness x
 */
export const respondSchnorr = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  context: ProofContext,
  statement: SchnorrStatement<P>,
  witness: bigint,
  { nonce, commitment }: SchnorrNonce<P>,
): SchnorrProof<P> => {
  const e = schnorrChallenge(curve, context, statement, commitment);
  return { commitment, response: scalarOf(curve, nonce + e * witness) };
};

/** Proves knowledge of the witness x with a fresh nonce. */
export const proveSchnorr = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  context: ProofContext,
  statement: SchnorrStatement<P>,
  witness: bigint,
  entropy: Entropy,
): SchnorrProof<P> => respondSchnorr(curve, context, statement, witness, sampleSchnorrNonce(curve, entropy));

/** Whether z·G = A + e·X, and neither X nor A is the identity. */
export const verifySchnorr = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  context: ProofContext,
  statement: SchnorrStatement<P>,
  { commitment, response }: SchnorrProof<P>,
): boolean => {
  if (statement.point.is0() || commitment.is0()) return false;
  const e = schnorrChallenge(curve, context, statement, commitment);
  const expected = commitment.add(multiplyKnown(curve, statement.point, e));
  return multiplyKnown(curve, curve.generator, response).equals(expected);
};
