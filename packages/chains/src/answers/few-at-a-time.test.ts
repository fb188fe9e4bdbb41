import { ok } from "@conclave/custody";
import { expect, it } from "vitest";
import { fewAtATime } from "./few-at-a-time.ts";
import { nodeAway } from "./node-away.ts";

/** Work on items that records how many of its calls run at the same time. */
const counted = (failsAt?: number) => {
  const counts: number[] = [];
  let underWay = 0;
  const ask = async (item: number) => {
    underWay += 1;
    const first = underWay === 1;
    await Promise.resolve();
    if (first) {
      counts.push(underWay);
      underWay = 0;
    }
    return item === failsAt ? nodeAway("N", "it is away") : ok(2 * item);
  };
  return { counts, ask };
};
const ITEMS = Array.from({ length: 25 }, (_, at) => at);
const DOUBLES = ITEMS.map((item) => 2 * item);

it.each([
  ["four each time", [], [4, 4, 4, 4, 4, 4, 1]],
  ["as many as is said", [10], [10, 10, 5]],
  ["twice as many each time, up to the most", [2, 8], [2, 4, 8, 8, 3]],
] as const)("few are asked for at once: %s", async (_, limits, counts) => {
  const asked = counted();
  expect(await fewAtATime(ITEMS, asked.ask, ...limits)).toEqual(ok(DOUBLES));
  expect(asked.counts).toEqual(counts);
});

it("a failure stops all further calls", async () => {
  const asked = counted(3);
  expect(await fewAtATime(ITEMS, asked.ask, 2, 8)).toEqual(nodeAway("N", "it is away"));
  expect(asked.counts).toEqual([2, 4]);
});
