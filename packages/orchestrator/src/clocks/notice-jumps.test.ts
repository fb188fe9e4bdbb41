import { expect, test } from "vitest";
import { COMPARED_EVERY_MS, noticeJumps } from "./notice-jumps.ts";

const HOUR_MS = 3_600_000;

const opened = () => {
  const time = { unixMs: Date.parse("2026-11-20T00:00:00.000Z"), monotonicMs: 500 };
  const lines: unknown[] = [];
  let doubts = 0;
  const round = noticeJumps(
    { nowMs: () => time.unixMs, monotonicMs: () => time.monotonicMs },
    {
      doubt: () => {
        doubts += 1;
      },
    },
    { warn: (...line: readonly unknown[]) => lines.push(line) },
  );
  const pass = async (setByMs = 0): Promise<void> => {
    time.unixMs += COMPARED_EVERY_MS + setByMs;
    time.monotonicMs += COMPARED_EVERY_MS;
    await round();
  };
  return { pass, lines, doubts: () => doubts };
};

test.each([
  ["an hour ahead", HOUR_MS, "3600 s"],
  ["25 hours ahead", 25 * HOUR_MS, "90000 s"],
  ["100 days back", -2_400 * HOUR_MS, "-8640000 s"],
])(
  "an orchestrator notices that its clock was set %s, and set right: leases are doubted",
  async (_, ms, size) => {
    const { pass, lines, doubts } = opened();
    await pass();
    expect([lines, doubts()]).toEqual([[], 0]);
    await pass(ms);
    expect(JSON.stringify(lines)).toContain(`its clock jumped by ${size}`);
    await pass();
    expect(doubts()).toBe(1);
    await pass(-ms);
    expect([lines.length, doubts()]).toEqual([2, 2]);
  },
);
