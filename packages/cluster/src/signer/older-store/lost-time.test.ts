import { testParties } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { configOf, START_MS } from "../../testing/fixtures.ts";
import { CLOCK_SKEW_MS_MAX } from "../limits.ts";
import { NOTHING_FORGOTTEN } from "../session/forgotten-mark.ts";
import { isStoreConfirmed, lostToMs, mayHaveHandedOver } from "./lost-time.ts";
import { NO_SPENDING } from "./spending-counts.ts";

const [self, ...peers] = testParties(5);
if (self === undefined) throw new Error("five parties are not none");
const OF_THREE = { parties: testParties(3), threshold: 2 };
const OF_FOUR = { parties: testParties(4), threshold: 3 };
const OF_FIVE = { parties: testParties(5), threshold: 3 };

/** A signer of 3 of 5 that so many peers have confirmed, which has lost everything up to then, and whose roster changed then. */
const signer = (confirmed: number, requestedToMs = 0, changedMs?: number) => ({
  spending: { ...NO_SPENDING, confirmedBy: new Set(peers.slice(0, confirmed)) },
  config: {
    ...configOf(self, 5, 3),
    ...(changedMs === undefined ? {} : { lastChange: { dateMs: changedMs, before: OF_FOUR } }),
  },
  forgotten: { ...NOTHING_FORGOTTEN, requestedToMs },
  startedAtMs: START_MS,
});

describe("INV-4 a store that may be an older copy", () => {
  test("is confirmed by t - 1 peers", () => {
    expect([0, 1, 2, 3].map((count) => isStoreConfirmed(signer(count)))).toEqual([false, false, true, true]);
  });

  test("may have lost everything until its start, unless it is confirmed", () => {
    expect(lostToMs(signer(1))).toBe(START_MS + CLOCK_SKEW_MS_MAX);
    expect(lostToMs(signer(2))).toBe(0);
    expect(lostToMs(signer(2, 7))).toBe(7);
    expect(lostToMs(signer(1, START_MS * 2))).toBe(START_MS * 2);
    expect(lostToMs({ ...signer(1), startedAtMs: undefined })).toBe(Number.MAX_SAFE_INTEGER);
    const { spending, ...resumed } = signer(1);
    expect(lostToMs({ ...resumed, spending: { ...spending, sinceMs: 9 } })).toBe(9 + CLOCK_SKEW_MS_MAX);
  });

  test("may have handed over no key of the roster's holders", () => {
    for (const state of [signer(0), signer(2, START_MS), signer(2, START_MS, START_MS - 1)]) {
      expect(mayHaveHandedOver(state, OF_FIVE)).toBe(false);
    }
  });

  test("may have handed over every other, as far as time was lost", () => {
    expect(mayHaveHandedOver(signer(2), OF_FOUR)).toBe(false);
    expect(mayHaveHandedOver(signer(1), OF_FOUR)).toBe(true);
    expect(mayHaveHandedOver(signer(2, START_MS), { ...OF_FIVE, threshold: 2 })).toBe(true);
  });

  test("has not handed over those of before a change that came later", () => {
    expect(mayHaveHandedOver(signer(2, START_MS, START_MS), OF_FOUR)).toBe(true);
    expect(mayHaveHandedOver(signer(2, START_MS, START_MS + 1), OF_FOUR)).toBe(false);
    expect(mayHaveHandedOver(signer(2, START_MS, START_MS + 1), OF_THREE)).toBe(true);
  });
});
