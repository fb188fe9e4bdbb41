import fc from "fast-check";
import { expect, test } from "vitest";
import { keyIdOf } from "../../testing/fixtures.ts";
import { stockTargets } from "./targets.ts";

const keysOf = (...weights: readonly number[]) =>
  weights.map((weight, at) => ({ keyId: keyIdOf(at), weight }));
const counts = (weights: readonly number[], perKeyMax: number, totalMax: number): readonly number[] =>
  stockTargets(keysOf(...weights), perKeyMax, totalMax).map(({ count }) => count);

test("with room for all, every wanted key gets as much as one may have", () => {
  expect(counts([9, 1], 10, 200)).toEqual([10, 10]);
});

test("without, each gets one, and the rest goes by use", () => {
  expect(counts([6, 3, 1], 10, 10)).toEqual([6, 3, 1]);
  expect(counts([1_000, 1, 1], 10, 10)).toEqual([8, 1, 1]);
});

test("with more keys than room, the most wanted get one each", () => {
  expect(counts([3, 2, 1], 10, 2)).toEqual([1, 1]);
  expect(counts([3, 2, 1], 0, 2)).toEqual([]);
});

test("no key has more than its share while another has nothing, and the bound holds, whatever is wanted", () => {
  const weights = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { maxLength: 30 });
  fc.assert(
    fc.property(
      weights,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 40 }),
      (all, most, total) => {
        const shared = counts(
          all.toSorted((a, b) => b - a),
          most,
          total,
        );
        const sum = shared.reduce((before, count) => before + count, 0);
        expect(sum).toBe(Math.min(total, most * all.length));
        expect(shared).toHaveLength(Math.min(all.length, total));
        expect(shared.every((count) => count >= 1 && count <= most)).toBe(true);
      },
    ),
  );
});
