import { describe, expect, test } from "vitest";
import { type LifeSigns, LifeWatch, whyDoubted } from "./life.ts";

const SIGNS: LifeSigns = { offsetMs: 1_000_000, monotonicMs: 5_000, bootId: "one" };

describe("INV-2 a process doubts that it goes on where it was", () => {
  test.each<readonly [string, Partial<LifeSigns>]>([
    ["its machine was booted again", { bootId: "two" }],
    ["the boot's id is not shown any more", { bootId: undefined }],
    ["it stood still for longer than any load explains", { monotonicMs: 5_000 + 15_001 }],
    ["the clock went ahead of the monotonic one", { offsetMs: 1_000_000 + 2_000 }],
    ["the clock went back", { offsetMs: 1_000_000 - 2_000 }],
  ])("when %s", (_, change) => {
    expect(whyDoubted(SIGNS, { ...SIGNS, ...change })).toBeTypeOf("string");
  });

  test.each<readonly [string, Partial<LifeSigns>]>([
    ["time passed normally", { monotonicMs: 5_250 }],
    ["a busy machine let it wait", { monotonicMs: 5_000 + 15_000 }],
    ["the clock was adjusted a little", { offsetMs: 1_000_000 + 1_999 }],
  ])("and not when %s", (_, change) => {
    expect(whyDoubted(SIGNS, { ...SIGNS, ...change })).toBeUndefined();
  });
});

describe("a watch", () => {
  const opened = () => {
    const time = { wallMs: 50_000, monotonicMs: 100, bootId: "one" };
    const world = { nowMs: () => time.wallMs, monotonicMs: () => time.monotonicMs };
    const watch = new LifeWatch(world, () => time.bootId);
    const pass = (ms: number): void => {
      time.wallMs += ms;
      time.monotonicMs += ms;
    };
    return { time, watch, pass };
  };

  test("reports a doubt once, and compares with that time afterwards", () => {
    const { time, watch, pass } = opened();
    pass(250);
    expect(watch.look("whole")).toBeUndefined();
    time.wallMs += 60_000;
    expect(watch.look("fast")).toContain("60 s");
    pass(250);
    expect(watch.look("whole")).toBeUndefined();
    pass(20_000);
    expect(watch.look("whole")).toContain("20 s");
  });

  test("adds up small steps of the clock", () => {
    const { time, watch, pass } = opened();
    const doubts = [1, 2, 3, 4].map(() => {
      pass(250);
      time.wallMs += 600;
      return watch.look("fast");
    });
    expect(doubts.map((doubt) => doubt !== undefined)).toEqual([false, false, false, true]);
  });

  test("reads the boot's id when it looks at the whole, and not before", () => {
    const { time, watch } = opened();
    time.bootId = "two";
    expect(watch.look("fast")).toBeUndefined();
    expect(watch.look("whole")).toContain("boot");
    expect(watch.look("whole")).toBeUndefined();
  });
});
