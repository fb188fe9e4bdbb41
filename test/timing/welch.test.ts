import { describe, expect, it } from "vitest";
import { CERTAIN, largestT, welchT } from "./welch.ts";

describe("Welch's t", () => {
  it("is that of a published example", () => {
    // Welch's t-test, Wikipedia, example 1
    const one = [27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4];
    const other = [27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4];
    expect(welchT(one, other)).toBeCloseTo(-2.46, 2);
    expect(welchT(other, one)).toBeCloseTo(2.46, 2);
  });

  it("is 0 of equal samples, infinite of constant ones that differ, and nothing of too few values", () => {
    expect(welchT([1, 1, 1], [1, 1])).toBe(0);
    expect(welchT([1, 1, 1], [2, 2])).toBe(Number.NEGATIVE_INFINITY);
    expect(welchT([1], [2, 3])).toBeNaN();
  });
});

describe("the largest t over crops", () => {
  const around = (centre: number) => Array.from({ length: 200 }, (_, at) => centre + (at % 7));

  it("finds a small difference below rare long interruptions", () => {
    const interrupted = (values: readonly number[]) =>
      values.map((value, at) => (at % 40 === 0 ? value + 9_000 : value));
    const timings = { fixed: interrupted(around(100)), drawn: interrupted(around(103)) };
    expect(Math.abs(welchT(timings.fixed, timings.drawn))).toBeLessThan(CERTAIN);
    expect(largestT(timings)).toBeGreaterThan(CERTAIN);
  });

  it("finds none between samples of one distribution", () => {
    expect(largestT({ fixed: around(100), drawn: around(100) })).toBeLessThan(1);
  });
});
