import { absolute, squareRoot } from "../arithmetic/integers.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import type { OwnRingPedersen } from "../ring-pedersen.ts";
import {
  type ChallengeOf,
  describeForgeries,
  FORGERY_CONTEXT,
  type Transcript,
} from "../testing/forgeries/forgeries.ts";
import { knownOrder } from "../testing/forgeries/known-order.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import { type NoSmallFactorProof, verifyNoSmallFactor } from "./no-small-factor.ts";

interface Statement {
  readonly n: bigint;
  readonly verifier: OwnRingPedersen;
}
type Commitments = Pick<NoSmallFactorProof, "commitmentP" | "commitmentQ" | "a" | "b" | "t">;
type Forged = Transcript<Statement, NoSmallFactorProof>;

const { p, q, n } = insecureOwnAuxiliary(1).paillier.factors;
const verifier = insecureOwnAuxiliary(2).pedersen;
const { lambda } = verifier;
const order = knownOrder(verifier);
const [alpha, beta, mu, nu, r, x, y] = [11n, 222n, 3333n, 44_444n, 555_555n, 6_666_666n, 77_777_777n];

// All elements as logarithms to the base t: s = t^λ.
const honest = {
  n,
  lambda,
  tBase: 1n,
  P: lambda * p + mu,
  Q: lambda * q + nu,
  A: lambda * alpha + x,
  B: lambda * beta + y,
  T: (lambda * q + nu) * alpha + r,
};
type Logarithms = typeof honest;

interface Responses {
  readonly z1: bigint;
  readonly z2: bigint;
  readonly w1: bigint;
  readonly w2: bigint;
  readonly v: bigint;
}

const shown = ({
  P,
  Q,
  A,
  B,
  T,
  ...stated
}: Logarithms): { readonly statement: Statement; readonly made: Commitments } => {
  const [s, t] = [order.t(stated.lambda), order.t(stated.tBase)];
  // the owner's λ is the logarithm of s to the base of the stated t
  const own = {
    ...verifier,
    parameters: { n: verifier.parameters.n, s, t },
    lambda: order.reduce(stated.lambda * order.inverse(stated.tBase)),
  };
  const made = {
    commitmentP: order.t(P),
    commitmentQ: order.t(Q),
    a: order.t(A),
    b: order.t(B),
    t: order.t(T),
  };
  return { statement: { n: stated.n, verifier: own }, made };
};

/**
 * Honest responses to a challenge over `first`; then `solve` replaces values that the challenge did not
 * depend on, and responses without bounds.
 */
const simulate = (
  challengeOf: ChallengeOf<Statement, Commitments, bigint>,
  first: Partial<Logarithms> = {},
  solve: (e: bigint, responses: Responses) => Partial<Logarithms & Responses> = () => ({}),
): Forged => {
  const known = { ...honest, ...first };
  const asked = shown(known);
  const e = challengeOf(asked.statement, asked.made);
  const responses: Responses = {
    z1: alpha + e * p,
    z2: beta + e * q,
    w1: x + e * mu,
    w2: y + e * nu,
    v: r - e * nu * p,
  };
  const { z1, z2, w1, w2, v, ...solved } = { ...known, ...responses, ...solve(e, responses) };
  const { statement, made } = shown(solved);
  return {
    statement,
    proof: { ...made, z1, z2, w1: order.reduce(w1), w2: order.reduce(w2), v: order.reduce(v) },
  };
};

describeForgeries<Statement, Commitments, NoSmallFactorProof, bigint>({
  domain: "Πfac",
  fields: (stated, { commitmentP, commitmentQ, a, b, t }) => ({
    ell: parameters.ell,
    epsilon: parameters.epsilon,
    N: stated.n,
    "N^": stated.verifier.parameters.n,
    s: stated.verifier.parameters.s,
    t: stated.verifier.parameters.t,
    P: commitmentP,
    Q: commitmentQ,
    A: a,
    B: b,
    T: t,
  }),
  constants: [],
  draw: (drawn) => drawn.symmetric(1n << BigInt(parameters.ell)),
  holds: (
    { statement, proof: { commitmentP: P, commitmentQ: Q, a: A, b: B, t: T, z1, z2, w1, w2, v } },
    e,
  ) => {
    const { s, t } = statement.verifier.parameters;
    const bound = squareRoot(statement.n) << BigInt(parameters.ell + parameters.epsilon);
    return (
      absolute(z1) <= bound &&
      absolute(z2) <= bound &&
      order.product([s, z1], [t, w1]) === order.product([A, 1n], [P, e]) &&
      order.product([s, z2], [t, w2]) === order.product([B, 1n], [Q, e]) &&
      order.product([Q, z1], [t, v]) === order.product([T, 1n], [s, statement.n * e])
    );
  },
  verify: ({ statement, proof }) =>
    verifyNoSmallFactor(FORGERY_CONTEXT, parameters, statement.n, statement.verifier, proof),
  honest: (challengeOf) => simulate(challengeOf),
  forgeries: {
    // P commits to another number than p, and A compensates
    A: (challengeOf) => simulate(challengeOf, { P: honest.P + 1n }, (e) => ({ A: honest.A - e })),
    // Q commits to another number than q; B compensates, and v in the third equation
    B: (challengeOf) =>
      simulate(challengeOf, { Q: honest.Q + 1n }, (e, { z1, v }) => ({ B: honest.B - e, v: v - z1 })),
    // N is not p·q, and T compensates
    T: (challengeOf) => simulate(challengeOf, { n: n + 2n }, (e) => ({ T: honest.T - 2n * lambda * e })),
    // P and Q are computed after the challenge is known
    P: (challengeOf) =>
      simulate(challengeOf, { A: honest.A + 1n }, (e) => ({ P: honest.P - order.inverse(e) })),
    Q: (challengeOf) =>
      simulate(challengeOf, { B: honest.B + 1n }, (e, { z1, v }) => ({
        Q: honest.Q - order.inverse(e),
        v: v + z1 * order.inverse(e),
      })),
    N: (challengeOf) =>
      simulate(challengeOf, { T: honest.T + lambda }, (e) => ({ n: n + order.reduce(-order.inverse(e)) })),
    // s' = s·t^κ, and the responses without bounds compensate in the other equations
    s: (challengeOf) =>
      simulate(challengeOf, { A: honest.A + 1n }, (e, { z1, z2, w2, v }) => {
        const kappa = order.inverse(z1);
        return { lambda: lambda + kappa, w2: w2 - kappa * z2, v: v + kappa * n * e };
      }),
    // t' = t^θ
    t: (challengeOf) =>
      simulate(challengeOf, { A: honest.A + 1n }, (_e, { w1, w2, v }) => {
        const theta = 1n + order.inverse(w1);
        const back = order.inverse(theta);
        return { tBase: theta, w2: w2 * back, v: v * back };
      }),
    // nothing to solve for: the honest transcript fits the challenge without the field
    "N^": (challengeOf) => simulate(challengeOf),
    ell: (challengeOf) => simulate(challengeOf),
    epsilon: (challengeOf) => simulate(challengeOf),
  },
});
