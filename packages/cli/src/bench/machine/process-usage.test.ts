import { describe, expect, test } from "vitest";
import { clockSeconds, cpuSince, usageOf } from "./process-usage.ts";

describe("CPU time as ps prints it", () => {
  test.each<[string, number]>([
    ["0:01.25", 1.25],
    ["02:03", 123],
    ["1:02:03", 3723],
    ["1-00:00:01", 86_401],
  ])("%s is %d seconds", (text, seconds) => {
    expect(clockSeconds(text)).toBeCloseTo(seconds, 6);
  });
});

describe("the usage of a process", () => {
  test("agrees with this process's own figures, within a factor", () => {
    const { residentMb, cpuSeconds } = usageOf(process.pid);
    const own = process.memoryUsage.rss() / 2 ** 20;
    expect(residentMb / own).toBeGreaterThan(0.5);
    expect(residentMb / own).toBeLessThan(2);
    expect(cpuSeconds).toBeGreaterThan(0);
  });
});

describe("CPU between two measurements", () => {
  test("counts a process that began in between, and never goes back for one that ended", () => {
    const before = new Map([
      [1, 5],
      [2, 40],
    ]);
    const after = new Map([
      [1, 6],
      [3, 0.5],
    ]);
    expect(cpuSince(before, after)).toBe(1.5);
  });
});
