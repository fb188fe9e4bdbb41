import { expect, test } from "vitest";
import { clockLines } from "./clock-lines.ts";

const of = (id: string, clockAheadMs: number | undefined, isClockOff = true) => ({
  id,
  clockAheadMs,
  isClockOff,
});
const REMEDY = expect.stringContaining("docs/clocks.md");

test("each clock that is off is a line: whose, by how much, and which way", () => {
  const signers = [
    of("signer-1\u001b[2J", 8_640_000_000),
    of("signer-2", -3_600_000),
    of("signer-3", 30_001),
    of("signer-4", -7_200_000),
    of("signer-5", 90_000),
  ];
  expect(clockLines(signers)).toEqual([
    "",
    "the clock of signer-1\u{FFFD}[2J is 100 days ahead of the orchestrator's",
    "the clock of signer-2 is 60 minutes behind the orchestrator's",
    "the clock of signer-3 is 30 seconds ahead of the orchestrator's",
    "the clock of signer-4 is 2 hours behind the orchestrator's",
    "the clock of signer-5 is 90 seconds ahead of the orchestrator's",
    REMEDY,
  ]);
});

test("nothing is said of clocks that agree, or that are unknown", () => {
  expect(clockLines([of("signer-1", 30_000, false), of("signer-2", undefined, false)])).toEqual([]);
});
