import { powerModN } from "../arithmetic/factored.ts";
import { isWithin, mustInvert } from "../arithmetic/integers.ts";
import { invertScalar, multiplyBase, multiplyPublic, ORDER, type Point } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { encrypt, type PaillierPublicKey } from "../paillier.ts";
import {
  type ChallengeOf,
  describeForgeries,
  FORGERY_CONTEXT,
  type Transcript,
} from "../testing/forgeries/forgeries.ts";
import { ciphertextPower, knownOrder, movedPlaintext } from "../testing/forgeries/known-order.ts";
import { insecureOwnAuxiliary } from "../testing/insecure-auxiliary.ts";
import {
  type AffineOperationProof,
  type AffineOperationStatement,
  verifyAffineOperation,
} from "./affine-operation.ts";

type Commitments = Pick<AffineOperationProof, "A" | "Bx" | "By" | "E" | "S" | "F" | "T">;
type Responses = Pick<AffineOperationProof, "z1" | "z2" | "z3" | "z4" | "w" | "wY">;
type Parts = AffineOperationStatement & Commitments;
type Forged = Transcript<AffineOperationStatement, AffineOperationProof>;

const prover = insecureOwnAuxiliary(1).paillier;
const verifier = insecureOwnAuxiliary(2);
const [receiver, encryption] = [verifier.paillier.publicKey, prover.publicKey];
const order = knownOrder(verifier.pedersen);
const { s, t } = verifier.pedersen.parameters;
const [x, y, rho, rhoY, m, mu] = [11n, 222n, 3333n, 44_444n, 555_555n, 6_666_666n];
const [alpha, beta, gamma, delta, r, rY] = [77_777n, 888_888n, 9_999_999n, 12_345_678n, 987_654n, 192_837n];
const OFF = multiplyBase(77n);
const plus = (point: Point, factor: bigint): Point => point.add(multiplyPublic(OFF, factor));
const times = (key: PaillierPublicKey, ...ciphertexts: readonly bigint[]): bigint =>
  ciphertexts.reduce((product, one) => (product * one) % key.nSquared, 1n);

const C = encrypt(receiver, 12_345n, 7n);
const partsOf = (nonce: bigint): Parts => ({
  receiver,
  encryption,
  C,
  D: times(receiver, ciphertextPower(receiver, C, x), encrypt(receiver, y, rho)),
  Y: encrypt(encryption, y, rhoY),
  X: multiplyBase(x),
  pedersen: verifier.pedersen.parameters,
  A: times(receiver, ciphertextPower(receiver, C, nonce), encrypt(receiver, beta, r)),
  Bx: multiplyBase(nonce),
  By: encrypt(encryption, beta, rY),
  E: order.product([s, nonce], [t, gamma]),
  S: order.product([s, x], [t, m]),
  F: order.product([s, beta], [t, delta]),
  T: order.product([s, y], [t, mu]),
});
const honest = partsOf(alpha);

/**
 * Honest responses to a challenge over `first`; then `solve` replaces values that the challenge did not
 * depend on, and responses without bounds.
 */
const simulate = (
  challengeOf: ChallengeOf<AffineOperationStatement, Commitments, bigint>,
  first: Partial<Parts> = {},
  solve: (e: bigint, responses: Responses) => Partial<Parts & Responses> = () => ({}),
  nonce = alpha,
): Forged => {
  const known = { ...partsOf(nonce), ...first };
  const e = challengeOf(known, known);
  const responses: Responses = {
    z1: nonce + e * x,
    z2: beta + e * y,
    z3: gamma + e * m,
    z4: delta + e * mu,
    w: (r * powerModN(verifier.paillier.factors, rho, e)) % receiver.n,
    wY: (rY * powerModN(prover.factors, rhoY, e)) % encryption.n,
  };
  const { A, Bx, By, E, S, F, T, z1, z2, z3, z4, w, wY, ...statement } = {
    ...known,
    ...responses,
    ...solve(e, responses),
  };
  return { statement, proof: { A, Bx, By, E, S, F, T, z1, z2, z3, z4, w, wY } };
};

type Forge = (challengeOf: ChallengeOf<AffineOperationStatement, Commitments, bigint>) => Forged;

/** A false claim, whose equation is repaired by its commitment, moved by e times the error. */
const solvedCiphertext =
  (key: PaillierPublicKey, claim: "D" | "Y", commitment: "A" | "By"): Forge =>
  (challengeOf) =>
    simulate(challengeOf, { [claim]: movedPlaintext(key, honest[claim], 1n) }, (e) => ({
      [commitment]: movedPlaintext(key, honest[commitment], -e),
    }));
const solvedElement =
  (claim: "S" | "T", commitment: "E" | "F"): Forge =>
  (challengeOf) =>
    simulate(challengeOf, { [claim]: order.product([honest[claim], 1n], [t, 1n]) }, (e) => ({
      [commitment]: order.product([honest[commitment], 1n], [t, -e]),
    }));

/** A false commitment, whose equation is repaired by its claim, moved by the error divided by e. */
const solvedPlaintext =
  (key: PaillierPublicKey, claim: "D" | "Y", commitment: "A" | "By"): Forge =>
  (challengeOf) =>
    simulate(challengeOf, { [commitment]: movedPlaintext(key, honest[commitment], 1n) }, (e) => ({
      [claim]: movedPlaintext(key, honest[claim], -mustInvert(e, key.n)),
    }));
const solvedRoot =
  (claim: "S" | "T", commitment: "E" | "F"): Forge =>
  (challengeOf) =>
    simulate(challengeOf, { [commitment]: order.product([honest[commitment], 1n], [t, 1n]) }, (e) => ({
      [claim]: order.product([honest[claim], 1n], [t, -order.inverse(e)]),
    }));

/** E with an error of t. */
const movedE = { E: order.product([honest.E, 1n], [t, 1n]) };

describeForgeries<AffineOperationStatement, Commitments, AffineOperationProof, bigint>({
  domain: "Πaff-g",
  fields: (stated, { A, Bx, By, E, S, F, T }) => ({
    ell: parameters.ell,
    epsilon: parameters.epsilon,
    "ell'": parameters.ellPrime,
    N_j: stated.receiver.n,
    N_i: stated.encryption.n,
    C: stated.C,
    D: stated.D,
    Y: stated.Y,
    X: stated.X,
    "N^": stated.pedersen.n,
    s: stated.pedersen.s,
    t: stated.pedersen.t,
    A,
    Bx,
    By,
    E,
    S,
    F,
    T,
  }),
  constants: [],
  draw: (drawn) => drawn.symmetric(ORDER),
  holds: ({ statement, proof: { A, Bx, By, E, S, F, T, z1, z2, z3, z4, w, wY } }, e) => {
    const { D, Y, X, pedersen } = statement;
    const multiplied = ciphertextPower(receiver, statement.C, z1);
    return (
      isWithin(z1, parameters.ell + parameters.epsilon) &&
      isWithin(z2, parameters.ellPrime + parameters.epsilon) &&
      times(receiver, multiplied, encrypt(receiver, z2, w)) ===
        times(receiver, A, ciphertextPower(receiver, D, e)) &&
      multiplyBase(z1).equals(Bx.add(multiplyPublic(X, e))) &&
      encrypt(encryption, z2, wY) === times(encryption, By, ciphertextPower(encryption, Y, e)) &&
      order.product([pedersen.s, z1], [pedersen.t, z3]) === order.product([E, 1n], [S, e]) &&
      order.product([pedersen.s, z2], [pedersen.t, z4]) === order.product([F, 1n], [T, e])
    );
  },
  verify: ({ statement, proof }) => verifyAffineOperation(FORGERY_CONTEXT, parameters, statement, proof),
  honest: (challengeOf) => simulate(challengeOf),
  forgeries: {
    A: solvedCiphertext(receiver, "D", "A"),
    By: solvedCiphertext(encryption, "Y", "By"),
    Bx: (challengeOf) =>
      simulate(challengeOf, { X: plus(honest.X, 1n) }, (e) => ({ Bx: plus(honest.Bx, -e) })),
    E: solvedElement("S", "E"),
    F: solvedElement("T", "F"),
    D: solvedPlaintext(receiver, "D", "A"),
    Y: solvedPlaintext(encryption, "Y", "By"),
    X: (challengeOf) =>
      simulate(challengeOf, { Bx: plus(honest.Bx, 1n) }, (e) => ({ X: plus(honest.X, -invertScalar(e)) })),
    S: solvedRoot("S", "E"),
    T: solvedRoot("T", "F"),
    // C^z1·enc(z2; w) = A·D^e for a false A: the plaintext of C moves by the error divided by z1
    C: (challengeOf) =>
      simulate(challengeOf, { A: movedPlaintext(receiver, honest.A, 1n) }, (_e, { z1 }) => ({
        C: movedPlaintext(receiver, honest.C, mustInvert(z1, receiver.n)),
      })),
    // s' = s·t^κ and t' = t^θ; z4, which has no bound, compensates in the other equation
    s: (challengeOf) =>
      simulate(challengeOf, movedE, (_e, { z1, z2, z4 }) => {
        const kappa = order.inverse(z1);
        const pedersen = { ...honest.pedersen, s: order.product([s, 1n], [t, kappa]) };
        return { pedersen, z4: order.reduce(z4 - kappa * z2) };
      }),
    t: (challengeOf) =>
      simulate(challengeOf, movedE, (_e, { z3, z4 }) => {
        const theta = 1n + order.inverse(z3);
        return {
          pedersen: { ...honest.pedersen, t: order.t(theta) },
          z4: order.reduce(z4 * order.inverse(theta)),
        };
      }),
    // nothing to solve for: the honest transcript fits the challenge without the field
    N_j: (challengeOf) => simulate(challengeOf),
    N_i: (challengeOf) => simulate(challengeOf),
    "N^": (challengeOf) => simulate(challengeOf),
    ell: (challengeOf) => simulate(challengeOf),
    epsilon: (challengeOf) => simulate(challengeOf),
    "ell'": (challengeOf) => simulate(challengeOf),
  },
  identities: {
    Bx: (challengeOf) => simulate(challengeOf, {}, undefined, 0n),
  },
});
