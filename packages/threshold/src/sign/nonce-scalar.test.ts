import { secp256k1 } from "@noble/curves/secp256k1.js";
import { numberToBytesBE } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { GENERATOR, IDENTITY, ORDER, type Point } from "../group.ts";
import { nonceScalar } from "./nonce-scalar.ts";

/** The first point whose x is at least `x`. */
const pointFrom = (x: bigint): Point => {
  for (let candidate = x; ; candidate++) {
    try {
      return secp256k1.Point.fromBytes(Uint8Array.from([2, ...numberToBytesBE(candidate, 32)]));
    } catch {
      // no point has this x
    }
  }
};

describe("the nonce scalar", () => {
  it("is the x coordinate", () => {
    expect(nonceScalar(GENERATOR)).toBe(GENERATOR.toAffine().x);
    expect(nonceScalar(pointFrom(1n))).toBe(1n);
  });

  it("P9 is undefined for the identity", () => {
    expect(nonceScalar(IDENTITY)).toBeUndefined();
  });

  it("P9 is undefined where x reaches q, so that r is never zero nor ambiguous", () => {
    const point = pointFrom(ORDER);
    expect(point.toAffine().x).toBeGreaterThanOrEqual(ORDER);
    expect(nonceScalar(point)).toBeUndefined();
  });
});
