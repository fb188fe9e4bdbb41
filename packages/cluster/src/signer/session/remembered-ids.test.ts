import { expect, test } from "vitest";
import { SESSION_LIFETIME_MS_MAX, SESSION_MEMORY_MS, SESSIONS_REMEMBERED_MAX } from "../limits.ts";
import { hasNoRoom, type RememberedIds, withId } from "./remembered-ids.ts";

const HOUR_MS = 60 * 60_000;
const START_MS = 1_000 * HOUR_MS;
const NONE: RememberedIds = new Map();
/** Measured signatures of a whole cluster per second. */
const SIGNATURES_PER_SECOND = 56;

test("a signer begins sessions at the cluster's measured rate for longer than once filled its memory", () => {
  let ids = NONE;
  for (let nowMs = START_MS; nowMs < START_MS + HOUR_MS / 2; nowMs += 1_000) {
    for (let each = 0; each < SIGNATURES_PER_SECOND; each++) {
      if (hasNoRoom(ids, nowMs)) expect.fail(`full ${nowMs - START_MS} ms after the start`);
      ids = withId(ids, nowMs + SESSION_MEMORY_MS, nowMs);
    }
  }
  expect([...ids.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100_000);
});

test("it counts them with some numbers, however long it lives", () => {
  let ids = NONE;
  for (let nowMs = START_MS; nowMs < START_MS + 24 * HOUR_MS; nowMs += 30_000) {
    ids = withId(ids, nowMs + SESSION_MEMORY_MS, nowMs);
    expect(ids.size).toBeLessThanOrEqual(62);
  }
  expect([...ids.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(130);
});

test("it takes no more than there is room for on its disk, until the first are forgotten", () => {
  const forgetAtMs = START_MS + SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS;
  const full: RememberedIds = new Map([[forgetAtMs / 60_000, SESSIONS_REMEMBERED_MAX - 1]]);
  expect(hasNoRoom(full, START_MS)).toBe(false);
  const over = withId(full, forgetAtMs, START_MS);
  expect(hasNoRoom(over, START_MS)).toBe(true);
  expect(hasNoRoom(over, forgetAtMs)).toBe(true);
  expect(hasNoRoom(over, forgetAtMs + 60_000)).toBe(false);
});
