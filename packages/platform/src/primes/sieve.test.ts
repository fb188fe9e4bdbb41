import { describe, expect, test } from "vitest";
import { CANDIDATES, oddPrimesBelow, type PrimeKind, survivors } from "./sieve.ts";

const LIMIT = 1_000;
const LENGTH = 20_000;
const sievedOut = oddPrimesBelow(LIMIT);

const hasFactorBelow = (value: number, limit: number): boolean => {
  for (let odd = 3; odd < limit; odd += 2) if (value % odd === 0) return true;
  return false;
};

/** The survivors of trial division, every odd factor tried on every number. */
const byTrialDivision = (kind: PrimeKind, start: number): readonly number[] => {
  const { step } = CANDIDATES[kind];
  return Array.from({ length: LENGTH }, (_, i) => i).filter((i) => {
    const n = start + step * i;
    return !hasFactorBelow(n, LIMIT) && (kind === "blum" || !hasFactorBelow((n - 1) / 2, LIMIT));
  });
};

const firstOf = (kind: PrimeKind, from: number): number => {
  const { step, rest } = CANDIDATES[kind];
  return from - (from % step) + rest;
};

describe("the sieve", () => {
  test("knows the odd primes", () => {
    expect([...oddPrimesBelow(48)]).toEqual([3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]);
    expect(oddPrimesBelow(2 ** 20)).toHaveLength(82_024); // π(2^20) = 82025, including 2
  });

  test.each(["blum", "safe"] as const)("throws out what has a small factor and nothing else: %s", (kind) => {
    const start = firstOf(kind, 123_456_789);
    expect(survivors(kind, BigInt(start), LENGTH, sievedOut)).toEqual(byTrialDivision(kind, start));
  });

  test("does so behind a start of any residue", () => {
    for (let offset = 0; offset < 40; offset++) {
      const start = firstOf("safe", 5_000_000 + 12 * offset);
      const few = oddPrimesBelow(48);
      const left = survivors("safe", BigInt(start), 500, few).map((i) => start + 12 * i);
      const expected = Array.from({ length: 500 }, (_, i) => start + 12 * i).filter(
        (n) => !few.some((prime) => n % prime === 0 || ((n - 1) / 2) % prime === 0),
      );
      expect(left).toEqual(expected);
    }
  });

  test("agrees with long division at the length of real candidates", () => {
    const start = (3n << 1534n) + 12n * 987_654_321n + 11n;
    const odd = oddPrimesBelow(5_000);
    const left = new Set(survivors("safe", start, 2_000, odd));
    for (let i = 0; i < 2_000; i++) {
      const n = start + 12n * BigInt(i);
      const isComposite = odd.some((prime) => n % BigInt(prime) < 2n); // remainder 1 means a factor of (n - 1) / 2
      expect(left.has(i)).toBe(!isComposite);
    }
  });
});
