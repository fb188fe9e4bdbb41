import { expect, it } from "vitest";
import { flatMapInTurns, readInTurns } from "./in-turns.ts";

/** Work that takes a millisecond. */
const work = (): void => {
  const endMs = performance.now() + 1;
  while (performance.now() < endMs);
};

it("K8 other tasks get their turn while many items are processed, which stay in order", async () => {
  const items = Array.from({ length: 200 }, (_, at) => at);
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  });
  const doubled = await flatMapInTurns(items, (item) => {
    work();
    return item % 2 === 0 ? [] : [item, item];
  });
  clearInterval(others);
  expect(doubled).toEqual(items.filter((item) => item % 2 === 1).flatMap((item) => [item, item]));
  expect(turns).toBeGreaterThan(10);
});

it("others get their turn as the reader's surroundings say, and not by real time", async () => {
  let [nowMs, turns] = [0, 0];
  const count = async (): Promise<void> => {
    turns += 1;
  };
  const read = await flatMapInTurns(
    [1, 2, 3],
    (item) => {
      nowMs += 4;
      return [item];
    },
    { nowMs: () => nowMs, others: count },
  );
  expect([read, turns]).toEqual([[1, 2, 3], 1]);
  await flatMapInTurns([1, 2, 3, 4, 5, 6, 7, 8, 9], () => [work()], { nowMs: () => 0, others: count });
  expect(turns).toBe(1);
});

it("each of many is read in its order, or nothing where one cannot be read", async () => {
  const asked: number[] = [];
  const half = (item: number): number | undefined => {
    asked.push(item);
    return item % 2 === 0 ? item / 2 : undefined;
  };
  expect(await readInTurns([2, 0, 6], half)).toEqual([1, 0, 3]);
  expect(await readInTurns([2, 3, 6, 5], half)).toBeUndefined();
  expect(asked).toEqual([2, 0, 6, 2, 3]);
});
