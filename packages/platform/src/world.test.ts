import { describeWorld } from "@conclave/cluster/testing";
import { describe, expect, it } from "vitest";
import { processWorld } from "./world.ts";

describeWorld("a process", () => ({
  world: processWorld,
  until: (condition) => expect.poll(condition).toBe(true),
}));

describe("the world of a process", () => {
  it("refuses a wait that Node would not wait for", () => {
    for (const ms of [2 ** 31, Number.POSITIVE_INFINITY, Number.NaN])
      expect(() => processWorld.after(ms, () => undefined)).toThrow(RangeError);
  });
});
