import { describe, expect, test } from "vitest";
import { isUnit } from "./arithmetic/integers.ts";
import { sampleBelow, sampleBits, sampleNonZero, sampleSymmetric, sampleUnit } from "./entropy.ts";
import { seededEntropy } from "./testing/seeded-entropy.ts";

const times = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw);
const sorted = (values: Iterable<bigint>): bigint[] => [...new Set(values)].toSorted((a, b) => Number(a - b));

describe("sampling", () => {
  const entropy = seededEntropy("sampling");

  test("bits reach every value of their width", () => {
    expect(sorted(times(500, () => sampleBits(entropy, 3)))).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n]);
    expect(sampleBits(entropy, 0)).toBe(0n);
  });

  test("below a bound reaches every value and not the bound", () => {
    expect(sorted(times(500, () => sampleBelow(entropy, 5n)))).toEqual([0n, 1n, 2n, 3n, 4n]);
    expect(sampleBelow(entropy, 1n)).toBe(0n);
  });

  test("P17 below a bound is even: no value is favoured by a remainder", () => {
    const counts = [0, 0, 0, 0, 0];
    for (const value of times(5000, () => Number(sampleBelow(entropy, 5n))))
      counts[value] = (counts[value] ?? 0) + 1;
    expect(counts.filter((count) => count < 840 || count > 1160)).toEqual([]); // 5.6 standard deviations of 28
  });

  test("non-zero values reach the largest and not 0", () => {
    expect(sorted(times(500, () => sampleNonZero(entropy, 5n)))).toEqual([1n, 2n, 3n, 4n]);
  });

  test("symmetric values reach both bounds", () => {
    expect(sorted(times(500, () => sampleSymmetric(entropy, 2n)))).toEqual([-2n, -1n, 0n, 1n, 2n]);
  });

  test("units are prime to the modulus", () => {
    const drawn = times(200, () => sampleUnit(entropy, 30n));
    expect(drawn.filter((value) => !isUnit(value, 30n))).toEqual([]);
    expect(sorted(drawn)).toEqual([1n, 7n, 11n, 13n, 17n, 19n, 23n, 29n]);
  });

  test("P17 a stuck source is noticed instead of looped on", () => {
    expect(() => sampleBelow((length) => new Uint8Array(length).fill(255), 5n)).toThrow("entropy source");
    expect(() => sampleUnit((length) => new Uint8Array(length), 15n)).toThrow("entropy source");
  });
});

describe("seeded entropy", () => {
  test("repeats for one seed and differs for another", () => {
    expect(seededEntropy("a")(40)).toEqual(seededEntropy("a")(40));
    expect(seededEntropy("a")(40)).not.toEqual(seededEntropy("b")(40));
  });

  test("never gives the same bytes twice", () => {
    const entropy = seededEntropy("a");
    expect(entropy(32)).not.toEqual(entropy(32));
  });
});
