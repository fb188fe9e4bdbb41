import { describe, expect, test } from "vitest";
import { INSECURE_BLUM_PRIMES } from "../testing/insecure-test-primes.ts";
import { isPerfectPower } from "./perfect-power.ts";
import { hasSmallFactor } from "./small-factors.ts";

const [p = 0n, q = 0n] = INSECURE_BLUM_PRIMES;
const LARGEST_SMALL = 1_048_573n; // the largest prime below 2^20
const SMALLEST_LARGE = 1_048_583n; // the smallest prime above 2^20

describe("small factors", () => {
  test.each([2n, 3n, 7n, 257n, 65_537n, LARGEST_SMALL])("P1 finds %i in a long product", (small) => {
    expect(hasSmallFactor(p * q * small)).toBe(true);
  });

  test("P1 finds 16 factors of 16 bits, each in square", () => {
    expect(hasSmallFactor(p * 65_521n ** 2n * 65_519n ** 2n)).toBe(true);
  });

  test.each([1n, p, SMALLEST_LARGE, SMALLEST_LARGE ** 2n])("finds none in p·q·%i", (other) => {
    expect(hasSmallFactor(p * q * other)).toBe(false);
  });
});

describe("perfect powers", () => {
  test.each([2, 3, 4, 5, 7, 30])("finds the power %i of a base above 2^20", (k) => {
    expect(isPerfectPower(SMALLEST_LARGE ** BigInt(k), 20)).toBe(true);
    expect(isPerfectPower(SMALLEST_LARGE ** BigInt(k) + 1n, 20)).toBe(false);
  });

  test("finds the square of a long prime, and not the product of two", () => {
    expect(isPerfectPower(p * p, 20)).toBe(true);
    expect(isPerfectPower(p * q, 20)).toBe(false);
  });
});
