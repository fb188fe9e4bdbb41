import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { Outage } from "../outage.ts";
import { freshDatabase } from "../testing/index.ts";
import { type Database, openDatabase } from "./database.ts";
import { isMigrated, type MigrationNews, migrate } from "./migrate.ts";

const count = z.object({ count: z.coerce.number() });
/** limits of ordinary statements, shorter than a migration takes */
const BOUNDS = { statementMs: 100, answerMs: 200, lockMs: 100 };

let folder: string;
let database: Database;
let news: MigrationNews[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "conclave-migrations-"));
  database = openDatabase({ url: await freshDatabase("empty"), name: "test", bounds: BOUNDS });
  news = [];
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const file = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
const apply = () => migrate(database, { folder, report: (each) => news.push(each) });
const waits = () => news.filter(({ kind }) => kind === "waits");
const done = async (): Promise<number | undefined> =>
  (await database.rows(count, "select count(*) from boxes where is_done"))[0]?.count;

const BOXES = "create table boxes (id integer primary key, is_done boolean not null default false);";

/** A migration's statement that ends when the test opens the gate. */
const heldUp = async () => {
  await database.execute("create table gates (is_open boolean)");
  const text =
    "do $$ begin while not exists (select from gates) loop perform pg_sleep(0.01); end loop; end $$;";
  return { text, open: () => database.execute("insert into gates values (true)") };
};

describe("a migration", () => {
  it("may take longer than a statement of a request", async () => {
    const { text, open } = await heldUp();
    await file("001_slow.sql", `${BOXES} ${text}`);
    const applying = apply();
    await expect.poll(() => news.length).toBe(1);
    await expect(database.execute("select pg_sleep(60)")).rejects.toThrow(Outage);
    await open();
    expect(await applying).toEqual(["001_slow.sql"]);
    expect(news).toEqual([
      { kind: "begins", name: "001_slow.sql" },
      { kind: "ends", name: "001_slow.sql" },
    ]);
  });

  it("that is interrupted goes on where it was", async () => {
    await file("001_boxes.sql", BOXES);
    await file("002_more.sql", "insert into boxes values (1); insert into boxes values (1);");
    await expect(apply()).rejects.toThrow("duplicate key");
    expect(await database.execute("select * from boxes")).toBe(0);
    await file("002_more.sql", "insert into boxes values (1);");
    expect(await apply()).toEqual(["002_more.sql"]);
    expect(await apply()).toEqual([]);
  });

  it("INV-9 leaves alone what a newer version migrated, and says what to do", async () => {
    await file("001_boxes.sql", BOXES);
    await file("002_wider.sql", "alter table boxes add column width integer;");
    await apply();
    await rm(join(folder, "002_wider.sql"));
    await file("001_chests.sql", "create table chests ();");
    const refused = "A newer version of Conclave has migrated the database (002_wider.sql). Run that version";
    await expect(apply()).rejects.toThrow(refused);
    await expect(database.execute("select from chests")).rejects.toThrow("does not exist");
  });

  it("is not waited for when a newer version has migrated already", async () => {
    await migrate(database);
    expect(await isMigrated(database)).toBe(true);
    await database.execute("insert into schema_migrations values ('999_later.sql', now())");
    await expect(isMigrated(database)).rejects.toThrow("(999_later.sql)");
  });

  it("gives way while somebody uses its table, and says so", async () => {
    await file("001_boxes.sql", BOXES);
    await apply();
    await file("002_wider.sql", "alter table boxes add column width integer;");
    const migrated = await database.transaction(async (connection) => {
      await connection.execute("select * from boxes");
      const applying = apply();
      await expect.poll(() => waits().length).toBeGreaterThan(1);
      return { applying };
    });
    expect(await migrated.applying).toEqual(["002_wider.sql"]);
    expect(waits()[0]).toEqual({ kind: "waits", why: "a table is in use" });
  });

  it("says when it waits for another process", async () => {
    const { text, open } = await heldUp();
    await file("001_slow.sql", text);
    const applying = [apply(), apply()];
    await expect.poll(() => waits().length).toBe(1);
    await open();
    const applied = await Promise.all(applying);
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    expect(waits()).toEqual([{ kind: "waits", why: "another process migrates" }]);
  });
});

describe("a file outside a transaction", () => {
  it("builds an index while its table is written to, and anew when it was interrupted", async () => {
    await file("001_boxes.sql", BOXES);
    await file(
      "002_index.sql",
      [
        "-- outside a transaction: of many rows",
        "drop index concurrently if exists boxes_done;",
        "create index concurrently boxes_done on boxes (is_done);",
      ].join("\n"),
    );
    await apply();
    await database.execute("delete from schema_migrations where name = '002_index.sql'");
    expect(await apply()).toEqual(["002_index.sql"]);
    expect(await database.execute("select * from pg_indexes where indexname = 'boxes_done'")).toBe(1);
  });

  it("changes a large table some rows at a time", async () => {
    await file("001_boxes.sql", `${BOXES} insert into boxes select n from generate_series(1, 5) n;`);
    await file(
      "002_done.sql",
      [
        "-- outside a transaction: of many rows",
        "-- until it changes nothing",
        "update boxes set is_done = true where id in (select id from boxes where not is_done limit 2);",
      ].join("\n"),
    );
    await apply();
    expect(await done()).toBe(5);
  });
});
