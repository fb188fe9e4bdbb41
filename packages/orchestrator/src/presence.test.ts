import { setImmediate } from "node:timers/promises";
import { type Database, makeLogger, openDatabase } from "@conclave/platform";
import { freshDatabase, isCollected, orchestratorLogin } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type Presence, startPresence } from "./presence.ts";

let owner: Database;
let database: Database;
let presence: Presence;
beforeEach(async () => {
  const url = await freshDatabase();
  owner = openDatabase({ url, name: "test" });
  database = openDatabase({ url: await orchestratorLogin(url), name: "present", onBreak: () => undefined });
  presence = startPresence(database, processWorld, makeLogger({ name: "test", level: "silent" }));
});
afterEach(async () => {
  await presence.stop();
  await Promise.all([owner.close(), database.close()]);
});

const entered = async () =>
  (await owner.rows(z.object({ id: z.string() }), "select id from orchestrators order by since")).map(
    ({ id }) => id,
  );

it("an orchestrator is present until it stops", async () => {
  await expect.poll(() => presence.presentAs()).toBeDefined();
  expect(await entered()).toEqual([presence.presentAs()]);
  await presence.stop();
  expect([presence.presentAs(), await entered()]).toEqual([undefined, []]);
});

it("an orchestrator that ends without a stop leaves nothing behind: many may live in one process", async () => {
  const end = async (): Promise<object> => {
    const { signal } = new AbortController();
    const held: Database = {
      ...database,
      execute: async () => 1,
      exclusively: async (_, work) => ({ value: await work(signal) }),
    };
    const killed = startPresence(held, processWorld, makeLogger({ name: "test", level: "silent" }));
    // vitest keeps the closure of a poll until the test ends
    while (killed.presentAs() === undefined) await setImmediate();
    return held;
  };
  expect(await isCollected(end)).toBe(true);
});

it("INV-4 an orchestrator whose connection ended is present under another name", async () => {
  await expect.poll(() => presence.presentAs()).toBeDefined();
  const before = presence.presentAs();
  await owner.rows(
    z.object({}),
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'present'",
  );
  await expect.poll(() => [undefined, before].includes(presence.presentAs())).toBe(false);
  // another process, which looks for absent ones, deletes the first name
  expect(await entered()).toEqual([before, presence.presentAs()]);
});
