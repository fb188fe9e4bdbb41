import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Curve, ED25519, type GroupPoint, multiplyGenerator, SECP256K1, scalarOf } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { testParties } from "../testing/insecure-auxiliary.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { commitTo, evaluateCommitment, isShareOf, sumCommitments } from "./feldman.ts";
import { interpolatePoint, isOfDegreeBelow, lagrangeAtZero } from "./lagrange.ts";
import { evaluate, type Polynomial, samplePolynomial } from "./polynomial.ts";

const runs = { numRuns: 8 };
const PARTIES = testParties(9);

/** A threshold t, and t+1 randomly chosen parties of nine. */
const quorum = fc
  .integer({ min: 2, max: 6 })
  .chain((t) =>
    fc.tuple(fc.constant(t), fc.shuffledSubarray([...PARTIES], { minLength: t + 1, maxLength: t + 1 })),
  );

const polynomialOn =
  <P extends GroupPoint<P>>(curve: Curve<P>) =>
  (t: number, seed: number): Polynomial =>
    samplePolynomial(curve, t, seededEntropy(`f ${seed}`));

const checkShares = <P extends GroupPoint<P>>(curve: Curve<P>): void => {
  const polynomial = polynomialOn(curve);
  const recover = (f: Polynomial, from: readonly PartyIndex[]): bigint => {
    const lambda = lagrangeAtZero(curve, from);
    return scalarOf(
      curve,
      from.reduce((sum, party, at) => sum + (lambda[at] ?? 0n) * evaluate(curve, f, party), 0n),
    );
  };

  it("gives the secret to any t parties or more, in any order, and to no t-1", () => {
    fc.assert(
      fc.property(quorum, fc.nat(), ([t, members], seed) => {
        const f = polynomial(t, seed);
        expect(recover(f, members)).toBe(f[0]);
        expect(recover(f, members.slice(1))).toBe(f[0]);
        expect(recover(f, members.slice(2))).not.toBe(f[0]);
      }),
      runs,
    );
  });

  it("takes each share for its own party alone, and none that differs", () => {
    fc.assert(
      fc.property(quorum, fc.nat(), ([t, members], seed) => {
        const f = polynomial(t, seed);
        const [mine, other] = members;
        if (mine === undefined || other === undefined) throw new Error("a quorum has two members");
        const commitment = commitTo(curve, f);
        const share = evaluate(curve, f, mine);
        expect(isShareOf(curve, commitment, mine, share)).toBe(true);
        expect(isShareOf(curve, commitment, mine, scalarOf(curve, share + 1n))).toBe(false);
        expect(isShareOf(curve, commitment, mine, scalarOf(curve, -share))).toBe(false);
        expect(isShareOf(curve, commitment, other, share)).toBe(false);
      }),
      runs,
    );
  });

  it("adds up: sums of shares are shares of the sum, under the sum of the commitments", () => {
    fc.assert(
      fc.property(quorum, fc.nat(), fc.nat(), ([t, [member]], one, two) => {
        fc.pre(one !== two);
        if (member === undefined) throw new Error("a quorum has a member");
        const [f, g] = [polynomial(t, one), polynomial(t, two)];
        const sum = sumCommitments(curve, [commitTo(curve, f), commitTo(curve, g)]);
        const share = scalarOf(curve, evaluate(curve, f, member) + evaluate(curve, g, member));
        expect(isShareOf(curve, sum, member, share)).toBe(true);
        expect(evaluateCommitment(curve, sum, 0).equals(sum[0] ?? curve.identity)).toBe(true);
      }),
      runs,
    );
  });
};

const checkDegrees = <P extends GroupPoint<P>>(curve: Curve<P>): void => {
  const polynomial = polynomialOn(curve);
  const pointsOf = (f: Polynomial, of: readonly PartyIndex[]): ReadonlyMap<PartyIndex, P> =>
    new Map(of.map((party) => [party, multiplyGenerator(curve, evaluate(curve, f, party))]));

  it("P10 shows a degree that is too high, or one share that is not on the polynomial", () => {
    fc.assert(
      fc.property(quorum, fc.nat(), ([t, members], seed) => {
        const points = pointsOf(polynomial(t, seed), members);
        expect(isOfDegreeBelow(curve, points, t)).toBe(true);
        expect(isOfDegreeBelow(curve, points, t - 1)).toBe(false);
        const [member, point] = [...points][0] ?? expect.fail();
        const bent = new Map(points).set(member, point.add(curve.generator));
        expect(isOfDegreeBelow(curve, bent, t)).toBe(false);
        expect(interpolatePoint(curve, bent, 0).equals(interpolatePoint(curve, points, 0))).toBe(false);
      }),
      { numRuns: 4 },
    );
  });
};

const checkAnySharing = <P extends GroupPoint<P>>(curve: Curve<P>): void => {
  checkShares(curve);
  checkDegrees(curve);
};

describe("any sharing on secp256k1", () => checkAnySharing(SECP256K1));
describe("any sharing on Ed25519", () => checkAnySharing(ED25519));
