import { InvalidArgumentError } from "commander";
import { expect, it } from "vitest";
import { blockCount } from "./block-count.ts";
import { durationSeconds } from "./duration.ts";

it.each([
  ["90s", 90],
  ["15m", 900],
  ["1h", 3_600],
  ["2d", 172_800],
  ["1w", 604_800],
  ["3650d", 315_360_000],
])("%s are %i seconds", (text, seconds) => {
  expect(durationSeconds(text)).toBe(seconds);
});

it.each(["", "0s", "1", "h", "-1h", "1.5h", "1 h", "1H", "3651d", "999999999w", "1h30m"])(
  "INV-9 refuses %j as a duration",
  (text) => {
    expect(() => durationSeconds(text)).toThrow(InvalidArgumentError);
  },
);

it("reads numbers of blocks up to what ledgers make at once, and INV-9 refuses others", () => {
  expect([blockCount("1"), blockCount("2000")]).toEqual([1, 2_000]);
  for (const text of ["", "0", "-1", "2001", "1.5", "two", "1e3"]) {
    expect(() => blockCount(text), text).toThrow(InvalidArgumentError);
  }
});
