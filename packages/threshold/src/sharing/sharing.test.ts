import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partyIndex } from "../fault.ts";
import { IDENTITY, multiplyBase, ORDER, type Point, scalar } from "../group.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { commitTo, evaluateCommitment, isShareOf, sumCommitments } from "./feldman.ts";
import { interpolatePointAtZero, lagrangeAtZero, lagrangeCoefficient } from "./lagrange.ts";
import { evaluate, samplePolynomial } from "./polynomial.ts";

const index = (value: number) => partyIndex(value) ?? expect.fail(`${value} is no party`);

describe("a sharing polynomial", () => {
  it("has threshold coefficients, none zero", () => {
    const polynomial = samplePolynomial(5, seededEntropy("polynomial"));
    expect(polynomial).toHaveLength(5);
    expect(polynomial.every((coefficient) => coefficient > 0n && coefficient < ORDER)).toBe(true);
  });

  it("evaluates as its definition says", () => {
    expect(evaluate([3n, 5n, 7n], 2)).toBe(3n + 5n * 2n + 7n * 4n);
    expect(evaluate([ORDER - 1n, 1n], 1)).toBe(0n);
  });
});

describe("Lagrange interpolation at zero", () => {
  it("recovers f(0) from any t values of any f", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 64 }), { minLength: 2, maxLength: 7 }),
        fc.string(),
        (indices, seed) => {
          const f = samplePolynomial(indices.length, seededEntropy(seed));
          const lambda = lagrangeAtZero(indices);
          const sum = indices.reduce((all, at, i) => all + (lambda[i] ?? 0n) * evaluate(f, at), 0n);
          expect(scalar(sum)).toBe(f[0]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("recovers nothing from t-1 values", () => {
    const f = samplePolynomial(3, seededEntropy("few"));
    const [a = 0n, b = 0n] = lagrangeAtZero([1, 2]);
    expect(scalar(a * evaluate(f, 1) + b * evaluate(f, 2))).not.toBe(f[0]);
  });

  it("gives one party's coefficient by its index", () => {
    expect(lagrangeCoefficient([2, 5, 9], 5)).toBe(lagrangeAtZero([2, 5, 9])[1]);
  });

  it.each([
    ["P10 an index that is zero mod q", [1n, ORDER * 2n]],
    ["P10 two indices equal mod q", [1n, 2n, ORDER + 1n]],
    ["P9 a repeated index", [3, 3]],
    ["an empty list", []],
  ])("refuses %s", (_, indices) => {
    expect(() => lagrangeAtZero(indices)).toThrow(RangeError);
  });
});

describe("a Feldman commitment", () => {
  const f = samplePolynomial(3, seededEntropy("feldman"));
  const commitment = commitTo(f);

  it("evaluates in the exponent to f(i)·G", () => {
    for (const at of [1, 2, 64]) {
      expect(evaluateCommitment(commitment, at).equals(multiplyBase(evaluate(f, at)))).toBe(true);
    }
  });

  it("accepts the right share and refuses any other", () => {
    expect(isShareOf(commitment, index(4), evaluate(f, 4))).toBe(true);
    expect(isShareOf(commitment, index(4), evaluate(f, 4) + 1n)).toBe(false);
    expect(isShareOf(commitment, index(4), evaluate(f, 5))).toBe(false);
    expect(isShareOf(commitment, index(4), 0n)).toBe(false);
  });

  it("adds up to the commitment of the sum", () => {
    const g = samplePolynomial(3, seededEntropy("other"));
    const sum = sumCommitments([commitment, commitTo(g)]);
    expect(isShareOf(sum, index(7), evaluate(f, 7) + evaluate(g, 7))).toBe(true);
  });

  it("P10 does not add up with one of another length", () => {
    expect(() => sumCommitments([commitment, commitTo(samplePolynomial(4, seededEntropy("long")))])).toThrow(
      RangeError,
    );
  });

  it("interpolates to the committed constant", () => {
    const points = new Map<number, Point>([1, 3, 4].map((at) => [at, multiplyBase(evaluate(f, at))]));
    expect(interpolatePointAtZero(points).equals(commitment[0] ?? IDENTITY)).toBe(true);
  });
});
