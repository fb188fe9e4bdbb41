import { testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { FAULT_COOL_DOWN_MS } from "./limits.ts";
import { blame, coolDown, recover, standingOf } from "./standings.ts";

const START_MS = 1_000_000;
const [cheat, honest] = [testParty(1), testParty(2)];

test("INV-7 a session that a convicted cheat finishes does not take its conviction back", () => {
  const health = coolDown(blame(new Map(), cheat, START_MS), honest, START_MS);
  const untilMs = START_MS + FAULT_COOL_DOWN_MS;
  const after = recover(health, [cheat, honest], START_MS + 1);
  expect(standingOf(after, cheat)).toMatchObject({ isBlamed: true, excludedUntilMs: untilMs });
  expect(after.has(honest)).toBe(false);
  expect(recover(after, [cheat], untilMs).has(cheat)).toBe(false);
});
