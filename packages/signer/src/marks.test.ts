import { SESSION_LIFETIME_MS_MAX, SESSION_MEMORY_MS } from "@conclave/cluster";
import { describe, expect, test, vi } from "vitest";
import { mendingNow, warnOfMarks } from "./marks.ts";

const NOW_MS = Date.UTC(2026, 10, 27, 10);
const HOUR_MS = 60 * 60_000;

describe("marks of time are mended", () => {
  test.each([
    ["by the date of this moment", 0, true],
    ["by one of the hour before", HOUR_MS - 1, true],
    ["by none of longer ago, which was left in the environment", HOUR_MS, false],
    ["by none that is to come", -1, false],
  ])("%s", (_, agoMs, isTaken) => {
    const warn = vi.fn();
    const config = { mendedAtMs: NOW_MS - agoMs };
    expect(mendingNow(config, NOW_MS, { warn })).toEqual(isTaken ? config : {});
    expect(warn).toHaveBeenCalledTimes(isTaken ? 0 : 1);
  });

  test("by none where the operator names none", () => {
    const warn = vi.fn();
    expect(mendingNow({}, NOW_MS, { warn })).toEqual({});
    expect(warn).not.toHaveBeenCalled();
  });
});

test.each([
  [SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS, 0],
  [SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS + 1, 1],
])("a start warns of marks that are ahead by %i ms so often: %i", (aheadMs, times) => {
  const warn = vi.fn();
  warnOfMarks(NOW_MS + aheadMs, NOW_MS, { warn });
  expect(warn).toHaveBeenCalledTimes(times);
});
