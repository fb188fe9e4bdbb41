import { setImmediate } from "node:timers/promises";
import { type Database, openDatabase, processWorld, type TurnLimits } from "@conclave/platform";
import { freshDatabase } from "@conclave/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { shareDatabase } from "./shared-database.ts";

let database: Database;
beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test" });
});
afterAll(() => database.close());

describe("INV-9 each way to the database", () => {
  const TURNS = { atOnce: 2, atOnceOfOne: 1, waiting: 4, waitingOfOne: 4, waitMs: 60_000 };
  const NONE_WAIT = { ...TURNS, waiting: 0, waitingOfOne: 0 };
  const one = z.object({ one: z.int() });
  const WAYS: Readonly<Record<string, (asked: Database) => Promise<unknown>>> = {
    rows: (asked) => asked.rows(one, "select 1 as one"),
    listed: (asked) => asked.listed(one, "select 1 as one"),
    execute: (asked) => asked.execute("select 1"),
    commit: (asked) => asked.commit(one, "select 1 as one", []),
    transaction: (asked) => asked.transaction(async (connection) => connection.execute("select 1")),
  };

  /** A database with turns of organisations, in which every call begins, and ends once the test allows it. */
  const startHeld = (turns: TurnLimits) => {
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let begun = 0;
    const held = async <T>(work: () => Promise<T>): Promise<T> => {
      begun += 1;
      await gate;
      return work();
    };
    const slow: Database = {
      ...database,
      rows: (...asked) => held(() => database.rows(...asked)),
      listed: (...asked) => held(() => database.listed(...asked)),
      execute: (...asked) => held(() => database.execute(...asked)),
      commit: (...asked) => held(() => database.commit(...asked)),
      transaction: (work) => held(() => database.transaction(work)),
    };
    const shared = shareDatabase(slow, processWorld, { connections: turns, statements: turns });
    return { ...shared, letGo, begun: () => begun };
  };
  const WAY_NAMES = Object.entries(WAYS);

  it.each(WAY_NAMES)("takes its organisation's turn, and leaves another's: %s", async (_, ask) => {
    const { database: shared, onBehalfOf, letGo, begun } = startHeld(TURNS);
    const asked = ["a", "a", "b"].map((whose) => onBehalfOf(whose, () => ask(shared), false));
    // every request that may begin has begun by then
    await setImmediate();
    expect(begun()).toBe(2);
    letGo();
    expect(await Promise.all(asked)).toHaveLength(3);
    expect(begun()).toBe(3);
  });

  it.each(WAY_NAMES)("is not gone where there is no turn: %s", async (_, ask) => {
    const { database: shared, onBehalfOf, letGo, begun } = startHeld(NONE_WAIT);
    const first = onBehalfOf("a", () => ask(shared), false);
    const second = onBehalfOf("a", () => ask(shared), false).catch(() => "no turn");
    await setImmediate();
    expect(begun()).toBe(1);
    letGo();
    expect([await second, begun()]).toEqual(["no turn", 1]);
    await first;
  });
});
