import { describe, expect, it } from "vitest";
import { GENERATOR, IDENTITY, ORDER } from "../group.ts";
import { pointFrom } from "../testing/forgeries/point-from.ts";
import { nonceScalar } from "./nonce-scalar.ts";

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
