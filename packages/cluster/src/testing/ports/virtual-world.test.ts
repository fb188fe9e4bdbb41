import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openVirtualWorld } from "./virtual-world.ts";
import { describeWorld } from "./world-conformance.ts";

const START_MS = 1_000_000;

describeWorld("virtual time", () => {
  const world = openVirtualWorld(START_MS, "seed");
  return {
    world,
    until: async (condition) => {
      await turn();
      while (!condition()) {
        if (!world.step(Number.POSITIVE_INFINITY)) throw new Error("nothing is left to come");
        await turn(); // lets a task that waits for a promise continue
      }
    },
  };
});

describe("virtual time", () => {
  it("stands still until a step is taken, which goes to the next entry and no further than the limit", () => {
    const world = openVirtualWorld(START_MS, "seed");
    world.after(10, () => undefined);
    expect([world.nowMs(), world.step(START_MS + 9), world.nowMs()]).toEqual([START_MS, false, START_MS]);
    expect([world.step(START_MS + 10), world.nowMs(), world.monotonicMs()]).toEqual([
      true,
      START_MS + 10,
      10,
    ]);
  });

  it("gives one run for one seed, and another for another", () => {
    const [one, same, other] = ["a", "a", "b"].map((seed) => openVirtualWorld(START_MS, seed).freshUuid());
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });
});
