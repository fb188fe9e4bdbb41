import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { freshDatabase } from "../../testing/index.ts";
import { type Database, openDatabase } from "../database.ts";
import { type UnreadableReport, UnreadableRow } from "./unreadable-row.ts";

let database: Database;
let reports: UnreadableReport[];
beforeEach(async () => {
  reports = [];
  database = openDatabase({
    url: await freshDatabase(),
    name: "test",
    onUnreadable: (report) => reports.push(report),
  });
});
afterEach(() => database.close());

const amounts = z.object({ id: z.string(), amount: z.string().regex(/^[0-9]+$/) });
const THREE = `select * from (values ('dep-1', '5'), ('dep-2', 'secret words'), ('dep-3', '7')) as found (id, amount)`;

it("leaves a row out of a list that cannot be read, and tells of it without its values", async () => {
  const listed = await database.listed(amounts, THREE);
  expect(listed.map(({ id }) => id)).toEqual(["dep-1", "dep-3"]);
  expect(listed.leftOut).toBe(1);
  expect(reports).toEqual([{ record: "dep-2", columns: ["amount"] }]);
});

it("does the same in a transaction, and where a schema throws", async () => {
  const thrower = z.object({ id: z.string(), amount: z.string().transform((text) => BigInt(text)) });
  const listed = await database.transaction((connection) => connection.listed(thrower, THREE));
  expect(listed.map(({ amount }) => amount)).toEqual([5n, 7n]);
  expect(reports).toHaveLength(1);
});

it.each(["rows", "commit"] as const)(
  "INV-9 is a refusal with a code where %s reads it by itself",
  async (how) => {
    const read = how === "rows" ? database.rows(amounts, THREE) : database.commit(amounts, THREE, []);
    const error = await read.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnreadableRow);
    expect(error).toMatchObject({ problem: { code: "RecordUnreadable", details: { record: "dep-2" } } });
  },
);

it("tells of a column by its name in the table, and of what in it where it is JSON", async () => {
  const dated = z.object({ dateCreated: z.string(), requestBody: z.object({ assetCode: z.string() }) });
  const odd = `select 7 as "dateCreated", '{"assetCode": 5}'::jsonb as "requestBody"`;
  await database.listed(dated, odd);
  expect(reports).toEqual([{ record: "without an id", columns: ["date_created", "request_body.assetCode"] }]);
});

it("INV-10 tells no value in place of an id", async () => {
  const odd = "select * from (values ('a secret', 'x'), (null, 'y')) as found (id, amount)";
  await database.listed(amounts, odd);
  expect(reports.map(({ record }) => record)).toEqual(["without an id", "without an id"]);
});
