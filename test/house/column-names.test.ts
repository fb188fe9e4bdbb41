import { type Database, openDatabase } from "@conclave/platform";
import { freshDatabase } from "@conclave/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { columnsAway, homesOf, type MigratedTable } from "./column-names.ts";
import { isTest, sourcesBelow } from "./source-files.ts";

const POSTGRES = "packages/platform/src/postgres";
/** Files with plain SQL that names several columns of another file's table, and the reason. */
const WRITTEN_OUT: ReadonlyMap<string, string> = new Map([
  [`${POSTGRES}/due-requests/claim.ts`, "claims"],
  [`${POSTGRES}/due-requests/release.ts`, "claims that are given back"],
  [`${POSTGRES}/clock/times-ahead.ts`, "claims whose times are drawn in"],
  [`${POSTGRES}/commit/event-rows.ts`, "the part of every commit that tells of it"],
  [`${POSTGRES}/orchestrator-rights.ts`, "rights, column by column"],
]);

const files = sourcesBelow("packages/platform/src").filter(({ path }) => !isTest(path));
const pathOf = (away: string): string => away.slice(0, away.indexOf(":"));
let database: Database;
let tables: readonly MigratedTable[];
beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test" });
  tables = await database.rows(
    z.object({ name: z.string(), columns: z.array(z.string()) }),
    `select table_name as name, json_agg(column_name::text) as columns from information_schema.columns
     where table_schema = 'public' group by table_name order by table_name`,
  );
});
afterAll(() => database.close());

describe("the columns of a table", () => {
  it("are in one source file", () => {
    const homes = tables.map(({ name }) => ({ name, homes: homesOf(files, name).length }));
    expect(homes.filter((one) => one.homes !== 1)).toEqual([]);
  });

  it("are named in no other source file, but for plain SQL that is listed", () => {
    const away = columnsAway(files, tables);
    expect(away.filter((one) => !WRITTEN_OUT.has(pathOf(one)))).toEqual([]);
    expect([...WRITTEN_OUT.keys()].sort()).toEqual(away.map(pathOf).sort());
  });

  it("are found where they are named away from their table", () => {
    const a = { path: "a.ts", text: 'export const things = plainTable("things", { dateMade: date });' };
    const b = { path: "b.ts", text: "`select date_made from things` // other_name" };
    const c = { path: "c.ts", text: "`insert into others (other_name) values ($1)`" };
    const stored = [
      { name: "things", columns: ["id", "date_made"] },
      { name: "others", columns: ["other_name"] },
    ];
    expect(homesOf([a, b, c], "things")).toEqual(["a.ts"]);
    expect(homesOf([a, b, c], "others")).toEqual(["c.ts"]);
    expect(columnsAway([a, b, c], stored)).toEqual(["b.ts: date_made"]);
  });
});
