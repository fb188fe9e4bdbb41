import { openVirtualWorld } from "@conclave/cluster/testing";
import { describe, expect, test } from "vitest";
import type { Connection } from "../database.ts";
import { DatabaseClock } from "./database-clock.ts";

const START_MS = Date.parse("2026-11-20T00:00:00.000Z");
const HOUR_MS = 3_600_000;

/** A database whose clock and time to answer the tests set. */
const opened = () => {
  const world = openVirtualWorld(START_MS, "database clock");
  let [aheadMs, answerMs, ownAheadMs] = [0, 0, 0];
  const pass = (ms: number): void => {
    world.after(ms, () => undefined);
    while (world.step(Number.POSITIVE_INFINITY));
  };
  const database: Pick<Connection, "rows"> = {
    rows: async (schema) => {
      pass(answerMs / 2);
      const row = schema.parse({ now_ms: String(world.nowMs() + aheadMs) });
      pass(answerMs / 2);
      return [row];
    },
  };
  const clock = new DatabaseClock({
    nowMs: () => world.nowMs() + ownAheadMs,
    monotonicMs: world.monotonicMs,
  });
  return {
    clock,
    pass,
    measure: () => clock.measure(database),
    set: (ms: number) => {
      aheadMs = ms;
    },
    setOwn: (ms: number) => {
      ownAheadMs = ms;
    },
    slow: (ms: number) => {
      answerMs = ms;
    },
    right: () => world.nowMs() + aheadMs,
  };
};

describe("the database's clock", () => {
  test.each([HOUR_MS, -HOUR_MS, 25 * HOUR_MS, -2_400 * HOUR_MS])(
    "is known to be set by %i ms, once, and followed whatever this machine's clock shows",
    async (ms) => {
      const { clock, measure, pass, right, set, setOwn } = opened();
      expect(await measure()).toEqual({ setByMs: undefined });
      set(ms);
      expect(await measure()).toEqual({ setByMs: ms });
      setOwn(25 * HOUR_MS);
      pass(1_000);
      expect(clock.nowMs()).toBe(right());
      expect(clock.earlierMs()).toBe(right() + Math.min(0, 25 * HOUR_MS - ms));
      setOwn(-25 * HOUR_MS);
      expect(clock.earlierMs()).toBe(right() + Math.min(0, -25 * HOUR_MS - ms));
      expect(await measure()).toEqual({ setByMs: 0 });
    },
  );

  test.each([999, -999])(
    "is not said to be set by the %i ms that clocks drift, and is followed",
    async (ms) => {
      const { clock, measure, right, set } = opened();
      await measure();
      set(ms);
      expect(await measure()).toEqual({ setByMs: 0 });
      expect(clock.nowMs()).toBe(right());
    },
  );

  test("is not taken from an answer that was long on its way, unless it is the first", async () => {
    const { clock, measure, right, set, slow } = opened();
    slow(4_000);
    await measure();
    expect(clock.nowMs()).toBe(right());
    set(HOUR_MS);
    expect(await measure()).toEqual({ setByMs: 0 });
    slow(10);
    expect(await measure()).toEqual({ setByMs: HOUR_MS });
  });
});
