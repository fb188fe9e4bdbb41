import { describe, expect, it } from "vitest";
import { dateByMs, dateBySeconds } from "./block-date.ts";

describe("the date of a block", () => {
  it("is the moment that the chain tells, in seconds or milliseconds", () => {
    expect(dateBySeconds(1_795_132_800n)).toEqual({ date: "2026-11-20T00:00:00.000Z" });
    expect(dateByMs(1_795_132_800_123n)).toEqual({ date: "2026-11-20T00:00:00.123Z" });
  });

  it("is absent where a node does not know it, or gives no valid time", () => {
    for (const none of [undefined, null, 0n, -1n, 2n ** 63n, 253_402_300_800n]) {
      expect(dateBySeconds(none)).toEqual({});
    }
    expect(dateBySeconds(253_402_300_799n)).toEqual({ date: "9999-12-31T23:59:59.000Z" });
  });
});
