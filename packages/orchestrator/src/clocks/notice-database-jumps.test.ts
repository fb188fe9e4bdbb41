import { type DatabaseTime, Outage } from "@conclave/platform";
import { expect, test } from "vitest";
import { DRAWN_IN_EVERY_MS, MEASURED_EVERY_MS, noticeDatabaseJumps } from "./notice-database-jumps.ts";

/** A round over a database that gives these times, and answers changes unless it is away. */
const opened = (times: readonly (number | undefined)[], isAway: () => boolean = () => false) => {
  const lines: unknown[] = [];
  const measured = [...times];
  let [drawn, deliveries, doubts, nowMs] = [0, 0, 0, 0];
  const round = noticeDatabaseJumps({
    database: {
      rows: async () => [],
      execute: async (text) => {
        if (isAway()) throw new Outage("database", new Error("away"));
        if (text.includes("due_requests")) drawn += 1;
        if (text.includes("webhook_deliveries")) deliveries += 1;
        return 0;
      },
      announce: () => undefined,
    },
    clock: { measure: async (): Promise<DatabaseTime> => ({ setByMs: measured.shift() }) },
    world: { monotonicMs: () => nowMs },
    leases: {
      doubt: () => {
        doubts += 1;
      },
    },
    logger: { warn: (...line: readonly unknown[]) => lines.push(line) },
  });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { round, lines, pass, drawn: () => drawn, deliveries: () => deliveries, doubts: () => doubts };
};

test("a time too far ahead is drawn in at the start, and whenever the database's clock goes back", async () => {
  const { round, lines, drawn, doubts } = opened([0, 0, -3_600_000, 0, 90_000_000]);
  const counts: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    expect(await round()).toBe(MEASURED_EVERY_MS);
    counts.push(drawn());
  }
  expect(counts).toEqual([1, 1, 2, 2, 2]);
  expect(doubts()).toBe(2);
  expect(JSON.stringify(lines)).toContain('"setByMs":-3600000');
});

test("a round that the database does not answer is made up for", async () => {
  let isAway = true;
  const { round, drawn } = opened([-3_600_000, 0, 0], () => isAway);
  await expect(round()).rejects.toThrow(Outage);
  isAway = false;
  await round();
  await round();
  expect(drawn()).toBe(1);
});

test("INV-5 times written while the clock was ahead between two measurements are drawn in within seconds", async () => {
  const { round, pass, drawn, deliveries } = opened([0, 0, 0, 0]);
  await round();
  pass(DRAWN_IN_EVERY_MS - 1);
  await round();
  expect(drawn()).toBe(1);
  pass(1);
  await round();
  expect(drawn()).toBe(2);
  pass(MEASURED_EVERY_MS);
  await round();
  expect(drawn()).toBe(2);
  // these are many, and dated by measurements
  expect(deliveries()).toBe(1);
});
