import { testSessionId } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { MESSAGE_SESSION_MS_MAX, MESSAGE_SESSIONS_REMEMBERED_MAX, SWEEP_INTERVAL_MS } from "../limits.ts";
import { hasMessageId, isFullOfMessages, NO_MESSAGE_IDS, turned, withMessageId } from "./message-ids.ts";

const id = (name: string): string => bytesToHex(testSessionId(name));

test("the id of a session for a message is known until the second turn after it, and turns are far enough apart", () => {
  const known = withMessageId(NO_MESSAGE_IDS, id("a"));
  const [once, twice] = [turned(known), turned(turned(known))];
  expect([known, once, twice].map((ids) => hasMessageId(ids, id("a")))).toEqual([true, true, false]);
  expect(hasMessageId(known, id("b"))).toBe(false);
  expect(SWEEP_INTERVAL_MS).toBeGreaterThan(MESSAGE_SESSION_MS_MAX);
});

test("there is room for 500 sessions a second and no more than the limit, those of the turn before included", () => {
  const some = { ...NO_MESSAGE_IDS.recent, size: MESSAGE_SESSIONS_REMEMBERED_MAX / 2 };
  expect(isFullOfMessages({ recent: some, older: some })).toBe(true);
  expect(isFullOfMessages({ recent: some, older: { ...some, size: some.size - 1 } })).toBe(false);
  expect(MESSAGE_SESSIONS_REMEMBERED_MAX).toBeGreaterThan((500 * 2 * SWEEP_INTERVAL_MS) / 1_000);
});
