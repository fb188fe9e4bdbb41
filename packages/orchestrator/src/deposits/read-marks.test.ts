import type { ReadMark } from "@conclave/platform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withMark } from "./read-marks.ts";

const marked = (heights: readonly bigint[]): readonly ReadMark[] =>
  heights.reduce<readonly ReadMark[]>(
    (marks, height) => withMark(marks, { height, hash: `0x${height}` }),
    [],
  );

describe("marks of blocks that were read", () => {
  it("are the newest first, each once, with its own hash", () => {
    const marks = marked([5n, 7n, 7n, 9n, 8n]);
    expect(marks.map(({ height }) => height)).toEqual([8n, 7n, 5n]);
    expect(marks.every(({ height, hash }) => hash === `0x${height}`)).toBe(true);
  });

  it("reach back to the first one, few of them, with gaps that grow with the distance", () => {
    const steps = fc.array(fc.bigInt({ min: 1n, max: 50n }), { minLength: 1, maxLength: 3_000 });
    fc.assert(
      fc.property(steps, (blocks) => {
        let last = 0n;
        const heights = blocks.map((step) => {
          last += step;
          return last;
        });
        const marks = marked(heights);
        expect(marks.at(0)?.height).toBe(last);
        expect(marks.at(-1)?.height).toBe(heights[0]);
        expect(marks.length).toBeLessThanOrEqual(2 + 2 * 18);
        for (const [at, { height }] of marks.entries()) {
          const next = marks[at + 1]?.height ?? height;
          expect(last - next).toBeLessThanOrEqual(2n * (last - height) + 200n);
        }
      }),
      { numRuns: 40 },
    );
  });
});
