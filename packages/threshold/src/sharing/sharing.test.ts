import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SECP256K1 } from "../curve.ts";
import { partyIndex } from "../fault.ts";
import { IDENTITY, multiplyBase, ORDER, type Point, scalar } from "../group.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { commitTo, evaluateCommitment, isShareOf, sumCommitments } from "./feldman.ts";
import { interpolatePoint, lagrangeAtZero, lagrangeCoefficient } from "./lagrange.ts";
import { evaluate, samplePolynomial } from "./polynomial.ts";

const index = (value: number) => partyIndex(value) ?? expect.fail(`${value} is no party`);

describe("a sharing polynomial", () => {
  it("has threshold coefficients, none zero", () => {
    const polynomial = samplePolynomial(SECP256K1, 5, seededEntropy("polynomial"));
    expect(polynomial).toHaveLength(5);
    expect(polynomial.every((coefficient) => coefficient > 0n && coefficient < ORDER)).toBe(true);
  });

  it("evaluates as its definition says", () => {
    expect(evaluate(SECP256K1, [3n, 5n, 7n], 2)).toBe(3n + 5n * 2n + 7n * 4n);
    expect(evaluate(SECP256K1, [ORDER - 1n, 1n], 1)).toBe(0n);
  });
});

describe("Lagrange interpolation at zero", () => {
  it("recovers f(0) from any t values of any f", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 64 }), { minLength: 2, maxLength: 7 }),
        fc.string(),
        (indices, seed) => {
          const f = samplePolynomial(SECP256K1, indices.length, seededEntropy(seed));
          const lambda = lagrangeAtZero(SECP256K1, indices);
          const sum = indices.reduce(
            (all, at, i) => all + (lambda[i] ?? 0n) * evaluate(SECP256K1, f, at),
            0n,
          );
          expect(scalar(sum)).toBe(f[0]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("recovers nothing from t-1 values", () => {
    const f = samplePolynomial(SECP256K1, 3, seededEntropy("few"));
    const [a = 0n, b = 0n] = lagrangeAtZero(SECP256K1, [1, 2]);
    expect(scalar(a * evaluate(SECP256K1, f, 1) + b * evaluate(SECP256K1, f, 2))).not.toBe(f[0]);
  });

  it("gives one party's coefficient by its index", () => {
    expect(lagrangeCoefficient(SECP256K1, [2, 5, 9], 5)).toBe(lagrangeAtZero(SECP256K1, [2, 5, 9])[1]);
    expect(() => lagrangeCoefficient(SECP256K1, [2, 5, 9], 7)).toThrow(RangeError);
  });

  it.each([
    ["P10 an index that is zero mod q", [1n, ORDER * 2n]],
    ["P10 two indices equal mod q", [1n, 2n, ORDER + 1n]],
    ["P9 a repeated index", [3, 3]],
    ["an empty list", []],
  ])("refuses %s", (_, indices) => {
    expect(() => lagrangeAtZero(SECP256K1, indices)).toThrow(RangeError);
  });
});

describe("a Feldman commitment", () => {
  const f = samplePolynomial(SECP256K1, 3, seededEntropy("feldman"));
  const commitment = commitTo(SECP256K1, f);

  it("evaluates in the exponent to f(i)·G", () => {
    for (const at of [1, 2, 64]) {
      expect(
        evaluateCommitment(SECP256K1, commitment, at).equals(multiplyBase(evaluate(SECP256K1, f, at))),
      ).toBe(true);
    }
  });

  it("accepts the right share and refuses any other", () => {
    expect(isShareOf(SECP256K1, commitment, index(4), evaluate(SECP256K1, f, 4))).toBe(true);
    expect(isShareOf(SECP256K1, commitment, index(4), evaluate(SECP256K1, f, 4) + 1n)).toBe(false);
    expect(isShareOf(SECP256K1, commitment, index(4), evaluate(SECP256K1, f, 5))).toBe(false);
    expect(isShareOf(SECP256K1, commitment, index(4), 0n)).toBe(false);
  });

  it("adds up to the commitment of the sum", () => {
    const g = samplePolynomial(SECP256K1, 3, seededEntropy("other"));
    const sum = sumCommitments(SECP256K1, [commitment, commitTo(SECP256K1, g)]);
    expect(isShareOf(SECP256K1, sum, index(7), evaluate(SECP256K1, f, 7) + evaluate(SECP256K1, g, 7))).toBe(
      true,
    );
  });

  it("P10 does not add up with one of another length", () => {
    expect(() =>
      sumCommitments(SECP256K1, [
        commitment,
        commitTo(SECP256K1, samplePolynomial(SECP256K1, 4, seededEntropy("long"))),
      ]),
    ).toThrow(RangeError);
  });

  it("interpolates to the committed constant", () => {
    const points = new Map<number, Point>(
      [1, 3, 4].map((at) => [at, multiplyBase(evaluate(SECP256K1, f, at))]),
    );
    expect(interpolatePoint(SECP256K1, points, 0).equals(commitment[0] ?? IDENTITY)).toBe(true);
  });
});
