import { expect, it } from "vitest";
import { flatMapInTurns } from "./in-turns.ts";

/** Work that takes a millisecond. */
const work = (): void => {
  const endMs = performance.now() + 1;
  while (performance.now() < endMs);
};

it("K8 others have their turn while many items are worked on, which stay in their order", async () => {
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
