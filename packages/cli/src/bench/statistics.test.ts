import { describe, expect, test } from "vitest";
import { mean, median, quantile } from "./statistics.ts";

describe("statistics of samples", () => {
  const samples = [5, 1, 4, 2, 3];

  test("the median is the middle sample", () => {
    expect(median(samples)).toBe(3);
  });

  test("p99 of few samples is the largest", () => {
    expect(quantile(samples, 0.99)).toBe(5);
  });

  test("the mean is the sum over the count", () => {
    expect(mean(samples)).toBe(3);
  });

  test("no samples have no statistics", () => {
    expect(() => median([])).toThrow("no samples");
    expect(() => mean([])).toThrow("no samples");
  });
});
