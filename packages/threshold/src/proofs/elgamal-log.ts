import { pointCodec, scalarCodec, struct } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import {
  combinePublic,
  GENERATOR,
  multiply,
  multiplyBase,
  multiplyPublic,
  type Point,
  sampleScalar,
  scalar,
} from "../group.ts";
import { challenge, type ProofContext } from "../transcript.ts";

/**
 * Πelog (Figure 23): Y = y·H for the y in an ElGamal commitment L = λ·G, M = y·G + λ·X. Figure 8 lists the
 * arguments in another order; this file uses the names of Figure 23.
 */
export interface ElGamalLogStatement {
  readonly L: Point;
  readonly M: Point;
  /** the ElGamal key of the commitment */
  readonly X: Point;
  readonly Y: Point;
  /** the base of Y */
  readonly H: Point;
}

/** The witness of Πelog. */
export interface ElGamalLogWitness {
  readonly y: bigint;
  readonly lambda: bigint;
  /** X = x·G, if the prover made the ElGamal key: powers of X then become cheaper powers of G */
  readonly x?: bigint;
}

/** The commitments and responses of Πelog. */
export interface ElGamalLogProof {
  /** A = α·G */
  readonly A: Point;
  /** N = m·G + α·X */
  readonly N: Point;
  /** B = m·H */
  readonly B: Point;
  /** z = α + e·λ mod q */
  readonly z: bigint;
  /** u = m + e·y mod q */
  readonly u: bigint;
}

export const elGamalLogProofCodec = struct<ElGamalLogProof>({
  A: pointCodec,
  N: pointCodec,
  B: pointCodec,
  z: scalarCodec,
  u: scalarCodec,
});

type Commitments = Pick<ElGamalLogProof, "A" | "N" | "B">;

/** e in Z_q */
const challengeOf = (
  context: ProofContext,
  statement: ElGamalLogStatement,
  commitments: Commitments,
): bigint => {
  const { L, M, X, Y, H } = statement;
  const { A, N, B } = commitments;
  return challenge("Πelog", context, [GENERATOR, L, M, X, Y, H, A, N, B]).scalar();
};

/** Figure 23, prover. */
export const proveElGamalLog = (
  context: ProofContext,
  statement: ElGamalLogStatement,
  { y, lambda, x }: ElGamalLogWitness,
  entropy: Entropy,
): ElGamalLogProof => {
  const alpha = sampleScalar(entropy);
  const m = sampleScalar(entropy);
  const commitments: Commitments = {
    A: multiplyBase(alpha),
    N: x === undefined ? multiplyBase(m).add(multiply(statement.X, alpha)) : multiplyBase(m + alpha * x),
    B: multiply(statement.H, m),
  };
  const e = challengeOf(context, statement, commitments);
  return { ...commitments, z: scalar(alpha + e * lambda), u: scalar(m + e * y) };
};

/** Figure 23, verifier: no point is the identity, z·G = A + e·L, u·G + z·X = N + e·M, u·H = B + e·Y. */
export const verifyElGamalLog = (
  context: ProofContext,
  statement: ElGamalLogStatement,
  proof: ElGamalLogProof,
): boolean => {
  const { L, M, X, Y, H } = statement;
  const { A, N, B, z, u } = proof;
  if ([L, M, X, Y, H, A, N, B].some((point) => point.is0())) return false;
  const e = challengeOf(context, statement, proof);
  return (
    combinePublic(GENERATOR, z, L, -e).equals(A) &&
    multiplyPublic(GENERATOR, u)
      .add(combinePublic(X, z, M, -e))
      .equals(N) &&
    combinePublic(H, u, Y, -e).equals(B)
  );
};
