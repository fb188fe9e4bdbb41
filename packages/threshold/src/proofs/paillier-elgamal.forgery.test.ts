import { powerModN } from "../arithmetic/factored.ts";
import { isWithin, mustInvert } from "../arithmetic/integers.ts";
import { invertScalar, multiplyBase, multiplyPublic, ORDER, type Point, scalar } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { encrypt } from "../paillier.ts";
import {
  type ChallengeOf,
  describeForgeries,
  FORGERY_CONTEXT,
  type Transcript,
} from "../testing/forgeries/forgeries.ts";
import { ciphertextPower, knownOrder, movedPlaintext } from "../testing/forgeries/known-order.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import {
  type PaillierElGamalProof,
  type PaillierElGamalStatement,
  verifyPaillierElGamal,
} from "./paillier-elgamal.ts";

type Commitments = Pick<PaillierElGamalProof, "S" | "T" | "D" | "Y" | "Z">;
type Parts = PaillierElGamalStatement & Commitments;
type Forged = Transcript<PaillierElGamalStatement, PaillierElGamalProof>;
type Responses = Pick<PaillierElGamalProof, "z1" | "z2" | "z3" | "w">;

const { publicKey: key, factors } = insecureOwnAuxiliary(1).paillier;
const owner = insecureOwnAuxiliary(2).pedersen;
const order = knownOrder(owner);
const { s, t } = owner.parameters;
const [x, rho, a, b, mu] = [11n, 222n, 3333n, 44_444n, 555_555n];
const [alpha, beta, gamma, r] = [6_666_666n, 77_777_777n, 888_888_888n, 9_999_999_999n];
const OFF = multiplyBase(77n);
const plus = (point: Point, factor: bigint): Point => point.add(multiplyPublic(OFF, factor));

const partsOf = (nonces: { readonly alpha: bigint; readonly beta: bigint }): Parts => ({
  encryption: key,
  C: encrypt(key, x, rho),
  A: multiplyBase(a),
  B: multiplyBase(b),
  X: multiplyBase(a * b + x),
  pedersen: owner.parameters,
  S: order.product([s, x], [t, mu]),
  T: order.product([s, nonces.alpha], [t, gamma]),
  D: encrypt(key, nonces.alpha, r),
  Y: multiplyBase(nonces.beta * a + nonces.alpha),
  Z: multiplyBase(nonces.beta),
});
const honest = partsOf({ alpha, beta });

/** Honest responses to a challenge over `first`; then `solve` replaces values that the challenge did not depend on. */
const simulate = (
  challengeOf: ChallengeOf<PaillierElGamalStatement, Commitments, bigint>,
  first: Partial<Parts> = {},
  solve: (e: bigint, responses: Responses) => Partial<Parts> = () => ({}),
  nonces = { alpha, beta },
): Forged => {
  const known = { ...partsOf(nonces), ...first };
  const e = challengeOf(known, known);
  const responses: Responses = {
    z1: nonces.alpha + e * x,
    z2: (r * powerModN(factors, rho, e)) % key.n,
    z3: gamma + e * mu,
    w: scalar(nonces.beta + e * b),
  };
  const { S, T, D, Y, Z, ...statement } = { ...known, ...solve(e, responses) };
  return { statement, proof: { S, T, D, Y, Z, ...responses } };
};

const inverseModN = (value: bigint): bigint => mustInvert(value, key.n);

describeForgeries<PaillierElGamalStatement, Commitments, PaillierElGamalProof, bigint>({
  domain: "Πenc-elg",
  fields: ({ encryption, C, A, B, X, pedersen }, { S, T, D, Y, Z }) => ({
    ell: parameters.ell,
    epsilon: parameters.epsilon,
    N0: encryption.n,
    C,
    A,
    B,
    X,
    "N^": pedersen.n,
    s: pedersen.s,
    t: pedersen.t,
    S,
    T,
    D,
    Y,
    Z,
  }),
  constants: [],
  draw: (drawn) => drawn.symmetric(ORDER),
  holds: ({ statement, proof }, e) => {
    const { C, A, B, X, pedersen } = statement;
    const { S, T, D, Y, Z, z1, z2, z3, w } = proof;
    return (
      isWithin(z1, parameters.ell + parameters.epsilon) &&
      encrypt(key, z1, z2) === (D * ciphertextPower(key, C, e)) % key.nSquared &&
      multiplyPublic(A, w)
        .add(multiplyBase(z1))
        .equals(Y.add(multiplyPublic(X, e))) &&
      multiplyBase(w).equals(Z.add(multiplyPublic(B, e))) &&
      order.product([pedersen.s, z1], [pedersen.t, z3]) === order.product([T, 1n], [S, e])
    );
  },
  verify: ({ statement, proof }) => verifyPaillierElGamal(FORGERY_CONTEXT, parameters, statement, proof),
  honest: (challengeOf) => simulate(challengeOf),
  forgeries: {
    // a commitment compensates for a false statement
    D: (challengeOf) =>
      simulate(challengeOf, { C: movedPlaintext(key, honest.C, 1n) }, (e) => ({
        D: movedPlaintext(key, honest.D, -e),
      })),
    Y: (challengeOf) => simulate(challengeOf, { X: plus(honest.X, 1n) }, (e) => ({ Y: plus(honest.Y, -e) })),
    Z: (challengeOf) => simulate(challengeOf, { B: plus(honest.B, 1n) }, (e) => ({ Z: plus(honest.Z, -e) })),
    T: (challengeOf) =>
      simulate(challengeOf, { S: order.product([honest.S, 1n], [t, 1n]) }, (e) => ({
        T: order.product([honest.T, 1n], [t, -e]),
      })),
    // a statement compensates for a false commitment: C gets a plaintext as long as N (P5)
    C: (challengeOf) =>
      simulate(challengeOf, { D: movedPlaintext(key, honest.D, 1n) }, (e) => ({
        C: movedPlaintext(key, honest.C, -inverseModN(e)),
      })),
    X: (challengeOf) =>
      simulate(challengeOf, { Y: plus(honest.Y, 1n) }, (e) => ({ X: plus(honest.X, -invertScalar(e)) })),
    B: (challengeOf) =>
      simulate(challengeOf, { Z: plus(honest.Z, 1n) }, (e) => ({ B: plus(honest.B, -invertScalar(e)) })),
    S: (challengeOf) =>
      simulate(challengeOf, { T: order.product([honest.T, 1n], [t, 1n]) }, (e) => ({
        S: order.product([honest.S, 1n], [t, -order.inverse(e)]),
      })),
    // w·A + z1·G = Y + e·X for a false Y: A = (Y + e·X - z1·G)/w
    A: (challengeOf) =>
      simulate(challengeOf, { Y: plus(honest.Y, 1n) }, (_e, { w }) => ({
        A: plus(honest.A, invertScalar(w)),
      })),
    // s^z1·t^z3 = T·S^e for a false T: s and t absorb a root of the error
    s: (challengeOf) =>
      simulate(challengeOf, { T: order.product([honest.T, 1n], [t, 1n]) }, (_e, { z1 }) => ({
        pedersen: { ...owner.parameters, s: order.product([s, 1n], [t, order.inverse(z1)]) },
      })),
    t: (challengeOf) =>
      simulate(challengeOf, { T: order.product([honest.T, 1n], [t, 1n]) }, (_e, { z3 }) => ({
        pedersen: { ...owner.parameters, t: order.t(1n + order.inverse(z3)) },
      })),
    // nothing to solve for: the honest transcript fits the challenge without the field
    N0: (challengeOf) => simulate(challengeOf),
    "N^": (challengeOf) => simulate(challengeOf),
    ell: (challengeOf) => simulate(challengeOf),
    epsilon: (challengeOf) => simulate(challengeOf),
  },
  identities: {
    Y: (challengeOf) => simulate(challengeOf, {}, undefined, { alpha: -beta * a, beta }),
    Z: (challengeOf) => simulate(challengeOf, {}, undefined, { alpha, beta: 0n }),
  },
});
