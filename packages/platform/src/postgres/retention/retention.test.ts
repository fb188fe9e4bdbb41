import { readFile } from "node:fs/promises";
import { WEBHOOK_EVENT_AGE_MS } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshDatabase } from "../../testing/index.ts";
import { processWorld } from "../../world.ts";
import { type Database, openDatabase } from "../database.ts";
import { startPruning } from "./pruning.ts";
import { pruneSlice, RETENTION_RULES } from "./rules.ts";

const NOW_MS = Date.parse("2026-03-01T00:00:00.000Z");
const DOCUMENT = new URL("../../../../../docs/retention.md", import.meta.url);
const count = z.object({ count: z.coerce.number() });
const name = z.object({ name: z.string() });
const plan = z.object({ "QUERY PLAN": z.string() });

let database: Database;
beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test", maxConnections: 1 });
  await database.execute("insert into organisations values ('or-1', 'Acme', now())");
});
afterAll(() => database.close());

const ruleOf = (table: string) => {
  const rule = RETENTION_RULES.find((each) => each.table === table);
  if (rule === undefined) throw new Error(`no rule for ${table}`);
  return rule;
};
const rows = async (table: string): Promise<number | undefined> =>
  (await database.rows(count, `select count(*) from ${table}`))[0]?.count;
/** Adds `old` events that have reached the maximum age, and one that is a millisecond younger. */
const addEvents = async (old: number): Promise<void> => {
  const add = `insert into events select $1 || n, 'wallet.created', 'or-1', 'wa', '{}', $2 from generate_series(1, $3) n`;
  const dateOf = (ageMs: number) => new Date(NOW_MS - ageMs).toISOString();
  await database.execute(add, ["old", dateOf(WEBHOOK_EVENT_AGE_MS), old]);
  await database.execute(add, ["young", dateOf(WEBHOOK_EVENT_AGE_MS - 1), 1]);
};
const addPublished = (messages: number): Promise<number> =>
  database.execute(
    `insert into outbox (message_id, subject, payload, date_created, date_published)
     select 'm' || n, 's', '{}', $1, $1 from generate_series(1, $2) n`,
    [new Date(NOW_MS - WEBHOOK_EVENT_AGE_MS).toISOString(), messages],
  );

describe("forgetting", () => {
  it.each(RETENTION_RULES.map(({ table }) => table))(
    "finds the oldest rows of %s by an index",
    async (table) => {
      const { column, only = "true" } = ruleOf(table);
      const explained = await database.transaction(async (connection) => {
        await connection.execute("set local enable_seqscan = off");
        await connection.execute("set local enable_sort = off");
        const text = `explain select ctid from ${table} where ${column} <= now() and ${only} order by ${column} limit 10`;
        return connection.rows(plan, text);
      });
      const said = explained.map((line) => line["QUERY PLAN"]).join("\n");
      expect(said).toContain("Index Scan");
      expect(said).not.toMatch(/Sort|Seq Scan/);
    },
  );

  it("takes a bounded number of rows in one statement", async () => {
    await addEvents(5);
    const slice = () => pruneSlice(database, ruleOf("events"), NOW_MS, 2);
    expect([await slice(), await slice(), await slice(), await slice()]).toEqual([2, 2, 1, 0]);
    expect(await database.rows(name, "select id as name from events")).toEqual([{ name: "young1" }]);
    await database.execute("delete from events");
  });

  it("goes on slice by slice, and one table that cannot be pruned keeps no other from it", async () => {
    await addEvents(7);
    await addPublished(5);
    const failed: string[] = [];
    const stubborn: Database = {
      ...database,
      execute: (text, values) =>
        text.startsWith("delete from outbox")
          ? Promise.reject(new Error("canceled"))
          : database.execute(text, values),
    };
    const pruning = startPruning({
      world: processWorld,
      database: stubborn,
      now: () => NOW_MS,
      sliceRows: 2,
      onFailure: (_, table) => failed.push(table),
    });
    await expect.poll(() => rows("events")).toBe(1);
    await pruning.stop();
    expect(failed).toEqual(["outbox"]);
    expect(await rows("outbox")).toBe(5);
  });

  it("is documented for every table, with its growth", async () => {
    const text = await readFile(DOCUMENT, "utf8");
    const said = [...text.matchAll(/^\| `(\w+)` \|/gm)].map((found) => found[1]);
    const tables = await database.rows(
      name,
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    expect(said.sort()).toEqual(tables.map((table) => table.name).sort());
    const pruned = [...text.matchAll(/^\| `(\w+)` \|.*\| pruned/gm)].map((found) => found[1]);
    expect(pruned.sort()).toEqual(RETENTION_RULES.map(({ table }) => table).sort());
  });
});
