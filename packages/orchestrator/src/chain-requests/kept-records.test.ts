import { randomUUID } from "node:crypto";
import { type Database, makeLogger, openDatabase } from "@conclave/platform";
import { freshDatabase } from "@conclave/platform/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KeptRecords, keptAfter } from "./kept-records.ts";

const LATER_MS = 10 ** 15;

let database: Database;
let nowMs: number;
beforeEach(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test" });
  nowMs = LATER_MS;
});
afterEach(() => database.close());

const start = () => {
  const logger = makeLogger({ name: "test", level: "silent" });
  return new KeptRecords({ database, world: { nowMs: () => nowMs, freshUuid: randomUUID }, logger });
};
/** Asks the process again, some time later. */
const later = async (records: KeptRecords): Promise<number> => {
  nowMs += 1_000;
  return (await records.since()) - LATER_MS;
};

describe("INV-4 since when nobody has put the records back", () => {
  it("is the first mark, while each one rises", async () => {
    const records = start();
    expect([await later(records), await later(records), await later(records)]).toEqual([1_000, 1_000, 1_000]);
    const both = await Promise.all([records.since(), records.since()]);
    expect(new Set(both)).toEqual(new Set([LATER_MS + 1_000]));
    // another process knows nothing of earlier times
    expect(await later(start())).toBe(4_000);
  });

  it.each([
    ["to the mark before the last one", "update record_marks set mark = mark - 1"],
    ["to before the process began", "delete from record_marks"],
  ])("is the moment when the process notices that they went back %s", async (_, goBack) => {
    const records = start();
    await later(records);
    await later(records);
    await database.execute(goBack);
    expect(await later(records)).toBe(3_000);
    expect(await later(records)).toBe(3_000);
  });

  it("is by the later one of two clocks", async () => {
    nowMs = 0;
    const since = await start().since();
    expect(since).toBeGreaterThan(Date.parse("2026-01-01"));
    expect(keptAfter(undefined, { mark: 7n, nowMs: 1 }, 5)).toEqual({ mark: 7n, sinceMs: 5 });
  });
});
