import { expect, it } from "vitest";
import { StandingVerdict } from "./standing-verdict.ts";

const MINUTE_MS = 60_000;

it("K5 a verdict stands after five minutes and sixty rounds, whichever is later", () => {
  const often = new StandingVerdict();
  for (let nowMs = 0; nowMs < 5 * MINUTE_MS; nowMs += 1_000)
    expect(often.stands("absent 7", nowMs)).toBe(false);
  expect(often.stands("absent 7", 5 * MINUTE_MS)).toBe(true);
  const seldom = new StandingVerdict();
  for (let round = 1; round < 60; round += 1)
    expect(seldom.stands("absent 7", round * MINUTE_MS)).toBe(false);
  expect(seldom.stands("absent 7", 60 * MINUTE_MS)).toBe(true);
});

it("K5 a verdict begins anew after another one", () => {
  const verdict = new StandingVerdict();
  for (let round = 0; round < 100; round += 1) verdict.stands("absent 7", round * MINUTE_MS);
  expect(verdict.stands("too large 7", 100 * MINUTE_MS)).toBe(false);
  expect(verdict.stands("absent 7", 101 * MINUTE_MS)).toBe(false);
});
