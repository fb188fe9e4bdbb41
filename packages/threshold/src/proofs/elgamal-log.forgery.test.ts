import { GENERATOR, invertScalar, multiplyBase, multiplyPublic, type Point, scalar } from "../group.ts";
import {
  type ChallengeOf,
  describeForgeries,
  FORGERY_CONTEXT,
  type Transcript,
} from "../testing/forgeries/forgeries.ts";
import { type ElGamalLogProof, type ElGamalLogStatement, verifyElGamalLog } from "./elgamal-log.ts";

type Commitments = Pick<ElGamalLogProof, "A" | "N" | "B">;
type Forged = Transcript<ElGamalLogStatement, ElGamalLogProof>;

const [x, y, lambda, h, alpha, m] = [11n, 222n, 3333n, 44_444n, 555_555n, 6_666_666n];
const minus = (point: Point, factor: bigint, of: Point): Point => point.add(multiplyPublic(of, -factor));
/** The error of a false statement. */
const OFF = multiplyBase(77n);

const statement: ElGamalLogStatement = {
  L: multiplyBase(lambda),
  M: multiplyBase(y + lambda * x),
  X: multiplyBase(x),
  Y: multiplyBase(y * h),
  H: multiplyBase(h),
};
const commitmentsOf = (nonces: { readonly alpha: bigint; readonly m: bigint }): Commitments => ({
  A: multiplyBase(nonces.alpha),
  N: multiplyBase(nonces.m + nonces.alpha * x),
  B: multiplyBase(nonces.m * h),
});
const commitments = commitmentsOf({ alpha, m });

/** Honest responses to a challenge over `shown`; then `solve` replaces values that the challenge did not depend on. */
const simulate = (
  challengeOf: ChallengeOf<ElGamalLogStatement, Commitments, bigint>,
  shown: Partial<ElGamalLogStatement & Commitments>,
  solve: (e: bigint, z: bigint, u: bigint) => Partial<ElGamalLogStatement & Commitments> = () => ({}),
  nonces = { alpha, m },
): Forged => {
  const { A, N, B, ...stated } = { ...statement, ...commitmentsOf(nonces), ...shown };
  const e = challengeOf(stated, { A, N, B });
  const [z, u] = [scalar(nonces.alpha + e * lambda), scalar(nonces.m + e * y)];
  const { A: a, N: n, B: b, ...claimed } = { ...stated, A, N, B, ...solve(e, z, u) };
  return { statement: claimed, proof: { A: a, N: n, B: b, z, u } };
};

/** A false L, M or Y, whose equation is repaired by its commitment, moved by e times the error. */
const solvedCommitment =
  (claim: "L" | "M" | "Y", commitment: "A" | "N" | "B") =>
  (challengeOf: ChallengeOf<ElGamalLogStatement, Commitments, bigint>): Forged =>
    simulate(challengeOf, { [claim]: statement[claim].add(OFF) }, (e) => ({
      [commitment]: minus(commitments[commitment], e, OFF),
    }));

/** A false commitment, whose equation is repaired by its L, M or Y, moved by the error divided by e. */
const solvedClaim =
  (claim: "L" | "M" | "Y", commitment: "A" | "N" | "B") =>
  (challengeOf: ChallengeOf<ElGamalLogStatement, Commitments, bigint>): Forged =>
    simulate(challengeOf, { [commitment]: commitments[commitment].add(OFF) }, (e) => ({
      [claim]: minus(statement[claim], invertScalar(e), OFF),
    }));

describeForgeries<ElGamalLogStatement, Commitments, ElGamalLogProof, bigint>({
  domain: "Πelog",
  fields: ({ L, M, X, Y, H }, { A, N, B }) => ({ G: GENERATOR, L, M, X, Y, H, A, N, B }),
  constants: ["G"],
  draw: (drawn) => drawn.scalar(),
  holds: ({ statement: { L, M, X, Y, H }, proof: { A, N, B, z, u } }, e) =>
    minus(multiplyBase(z), e, L).equals(A) &&
    minus(multiplyBase(u).add(multiplyPublic(X, z)), e, M).equals(N) &&
    minus(multiplyPublic(H, u), e, Y).equals(B),
  verify: (forged) => verifyElGamalLog(FORGERY_CONTEXT, forged.statement, forged.proof),
  honest: (challengeOf) => simulate(challengeOf, {}),
  forgeries: {
    A: solvedCommitment("L", "A"),
    N: solvedCommitment("M", "N"),
    B: solvedCommitment("Y", "B"),
    L: solvedClaim("L", "A"),
    M: solvedClaim("M", "N"),
    Y: solvedClaim("Y", "B"),
    // u·G + z·X = N + e·M for a false N: X = (N + e·M - u·G)/z
    X: (challengeOf) =>
      simulate(challengeOf, { N: commitments.N.add(OFF) }, (_e, z) => ({
        X: statement.X.add(multiplyPublic(OFF, invertScalar(z))),
      })),
    // u·H = B + e·Y for a false B: H = (B + e·Y)/u
    H: (challengeOf) =>
      simulate(challengeOf, { B: commitments.B.add(OFF) }, (_e, _z, u) => ({
        H: statement.H.add(multiplyPublic(OFF, invertScalar(u))),
      })),
  },
  identities: {
    A: (challengeOf) => simulate(challengeOf, {}, undefined, { alpha: 0n, m }),
    N: (challengeOf) => simulate(challengeOf, {}, undefined, { alpha, m: -alpha * x }),
    B: (challengeOf) => simulate(challengeOf, {}, undefined, { alpha, m: 0n }),
  },
});
