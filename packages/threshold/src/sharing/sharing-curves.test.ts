import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, it } from "vitest";
import { type Curve, ED25519, type GroupPoint, multiplyGenerator, SECP256K1, scalarOf } from "../curve.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { commitTo, evaluateCommitment } from "./feldman.ts";
import { interpolatePoint, isOfDegreeBelow, lagrangeAt } from "./lagrange.ts";
import { evaluate, samplePolynomial } from "./polynomial.ts";

const checkSharing = <P extends GroupPoint<P>>(curve: Curve<P>): void => {
  const f = samplePolynomial(curve, 3, seededEntropy(`sharing/${curve.name}`));
  const publicOf = (at: number): P => multiplyGenerator(curve, evaluate(curve, f, at));
  const points = (...indices: readonly number[]): ReadonlyMap<number, P> =>
    new Map(indices.map((at) => [at, publicOf(at)]));

  it("evaluates a commitment to f(i)·G", () => {
    for (const at of [1, 5, 64]) {
      expect(evaluateCommitment(curve, commitTo(curve, f), at).equals(publicOf(at))).toBe(true);
    }
  });

  it("interpolates f at any argument from any t values", () => {
    for (const at of [0, 2, 9]) {
      const lambda = lagrangeAt(curve, [1, 4, 5], at);
      const sum = [1, 4, 5].reduce(
        (all, index, i) => all + (lambda[i] ?? 0n) * evaluate(curve, f, index),
        0n,
      );
      expect(scalarOf(curve, sum)).toBe(evaluate(curve, f, at));
      expect(interpolatePoint(curve, points(1, 4, 5), at).equals(publicOf(at))).toBe(true);
    }
  });

  it("P10 knows whether public shares lie on a polynomial of low enough degree", () => {
    expect(isOfDegreeBelow(curve, points(1, 2, 3, 4, 5), 3)).toBe(true);
    expect(isOfDegreeBelow(curve, points(1, 2, 3, 4, 5), 2)).toBe(false);
    const bent = new Map(points(1, 2, 3, 4, 5)).set(5, publicOf(5).add(curve.generator));
    expect(isOfDegreeBelow(curve, bent, 3)).toBe(false);
  });
};

describe("sharing on secp256k1", () => checkSharing(SECP256K1));
describe("sharing on Ed25519", () => checkSharing(ED25519));

describe("P21 a point of Ed25519", () => {
  const hex = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, "hex"));

  it("is refused when it has small order or a part of small order", () => {
    const ofOrder4 = ed25519.Point.fromBytes(new Uint8Array(32));
    const point = ED25519.generator.multiply(7n);
    expect(ED25519.parsePoint(ofOrder4.toBytes())).toBeUndefined();
    expect(ED25519.parsePoint(point.add(ofOrder4).toBytes())).toBeUndefined();
    expect(ED25519.parsePoint(point.toBytes())?.equals(point)).toBe(true);
  });

  it("is refused when it is the identity, not canonical or of another length", () => {
    expect(ED25519.parsePoint(ED25519.identity.toBytes())).toBeUndefined();
    // the identity with an unreduced y = p + 1
    expect(
      ED25519.parsePoint(hex("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")),
    ).toBeUndefined();
    expect(ED25519.parsePoint(new Uint8Array(33))).toBeUndefined();
  });
});
