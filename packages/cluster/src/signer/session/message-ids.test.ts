import { testSessionId } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { START_MS } from "../../testing/fixtures.ts";
import { MESSAGE_SESSION_MS_MAX, MESSAGE_SESSIONS_REMEMBERED_MAX, SWEEP_INTERVAL_MS } from "../limits.ts";
import { hasMessageId, isFullOfMessages, NO_MESSAGE_IDS, turned, withMessageId } from "./message-ids.ts";

const id = (name: string): string => bytesToHex(testSessionId(name));

const DEADLINE_MS = START_MS + MESSAGE_SESSION_MS_MAX;

test("the id of a session for a message is known until the second turn after it, and then its deadline is refused", () => {
  const known = withMessageId(NO_MESSAGE_IDS, id("a"), DEADLINE_MS);
  const once = turned(known, DEADLINE_MS);
  const twice = turned(once, DEADLINE_MS);
  expect([known, once, twice].map((ids) => hasMessageId(ids, id("a")))).toEqual([true, true, false]);
  expect([known, once, twice].map(({ refusedToMs }) => refusedToMs)).toEqual([0, 0, DEADLINE_MS]);
  expect(hasMessageId(known, id("b"))).toBe(false);
  expect(turned(once, DEADLINE_MS - 1)).toBe(once);
  expect(SWEEP_INTERVAL_MS).toBeGreaterThan(MESSAGE_SESSION_MS_MAX);
});

test("there is room for 500 sessions a second and no more than the limit, those of the turn before included", () => {
  const of = (size: number) => ({ ids: { ...NO_MESSAGE_IDS.recent.ids, size }, toMs: DEADLINE_MS });
  const half = MESSAGE_SESSIONS_REMEMBERED_MAX / 2;
  expect(isFullOfMessages({ ...NO_MESSAGE_IDS, recent: of(half), older: of(half) })).toBe(true);
  expect(isFullOfMessages({ ...NO_MESSAGE_IDS, recent: of(half), older: of(half - 1) })).toBe(false);
  expect(MESSAGE_SESSIONS_REMEMBERED_MAX).toBeGreaterThan((500 * 2 * SWEEP_INTERVAL_MS) / 1_000);
});
