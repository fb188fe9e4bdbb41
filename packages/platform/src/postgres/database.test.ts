import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Outage } from "../outage.ts";
import { freshDatabase } from "../testing/index.ts";
import { type Connection, type Database, openDatabase } from "./database.ts";

const row = z.record(z.string(), z.unknown());
const READ = "select * from boxes where id = $1";
const read = (connection: Connection) => connection.rows(row, READ, [1]);

let url: string;
let database: Database;

beforeAll(async () => {
  url = await freshDatabase("empty");
  database = openDatabase({ url, name: "test", maxConnections: 1 });
  await database.execute("create table boxes (id integer primary key)");
  await database.execute("insert into boxes values ($1)", [1]);
});
afterAll(async () => {
  await database.close();
});

/** Migrates the table as a process of the next version would, while this one runs. */
const migrateBeside = async (column: string): Promise<void> => {
  const other = openDatabase({ url, name: "other" });
  await other.execute(`alter table boxes add column ${column} integer`);
  await other.close();
};

describe("a statement with values", () => {
  it("is prepared once in a connection, one without is not", async () => {
    await read(database);
    await read(database);
    await database.execute("select 1");
    const prepared = await database.rows(
      row,
      "select statement from pg_prepared_statements where statement not like '%pg_prepared_statements%'",
    );
    expect(prepared.filter(({ statement }) => statement === READ)).toHaveLength(1);
    expect(prepared.filter(({ statement }) => statement === "select 1")).toHaveLength(0);
  });

  it("is answered all the same when a migration has changed its table since", async () => {
    await read(database);
    await migrateBeside("width");
    expect(await read(database)).toEqual([{ id: 1, width: null }]);
    expect(await read(database)).toEqual([{ id: 1, width: null }]);
  });

  it("ends its transaction as an outage then, and the next transaction is well", async () => {
    await read(database);
    await migrateBeside("height");
    await expect(database.transaction(read)).rejects.toThrow(Outage);
    expect(await database.transaction(read)).toEqual([{ id: 1, width: null, height: null }]);
  });
});

describe("a lock that one process has", () => {
  it("INV-4 is known to be lost as soon as the server has ended its connection", async () => {
    // longer than the test, so that only the end of the connection reveals the loss
    const holder = openDatabase({ url, name: "holder", bounds: { askMs: 600_000 } });
    let isLost = false;
    const held = holder.exclusively("boxes", async (lost) => {
      await database.rows(
        row,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holder'",
      );
      if (!lost.aborted)
        await new Promise((resolve) => lost.addEventListener("abort", resolve, { once: true }));
      isLost = lost.aborted;
    });
    await expect(held).rejects.toThrow(Outage);
    expect(isLost).toBe(true);
    await holder.close();
  });
});

describe("an idle connection that the server ends", () => {
  it("is reported by an error that holds nothing of the connection: it goes into a log line", async () => {
    const breaks: Error[] = [];
    const idle = openDatabase({ url, name: "idle", onBreak: (error) => void breaks.push(error) });
    await read(idle);
    await database.rows(
      row,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'idle'",
    );
    await expect.poll(() => breaks.length).toBe(1);
    expect(Object.keys(breaks[0] ?? {})).not.toContain("client");
    await idle.close();
  });
});

describe("a lock that somebody else holds", () => {
  it("is waited for no longer than allowed: it is an outage, and the connection goes on", async () => {
    const waiting = openDatabase({ url, name: "waiting", maxConnections: 1, bounds: { lockMs: 50 } });
    try {
      await database.transaction(async (connection) => {
        await connection.execute("lock table boxes in access exclusive mode");
        const away = { problem: { code: "ServiceUnavailable" } };
        await expect(read(waiting)).rejects.toMatchObject(away);
        await expect(waiting.transaction(read)).rejects.toMatchObject(away);
        await expect(waiting.commit(row, READ, [1])).rejects.toMatchObject(away);
        expect(await waiting.rows(row, "select 1 as one")).toEqual([{ one: 1 }]);
      });
      expect(await read(waiting)).toMatchObject([{ id: 1 }]);
    } finally {
      await waiting.close();
    }
  });

  it("for which it waits in turn ends one of the two as an outage that passes, and the other is done", async () => {
    const pair = openDatabase({ url, name: "pair", maxConnections: 2 });
    const lock = "select pg_advisory_xact_lock($1)";
    let begun = 0;
    let bothBegun = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      bothBegun = resolve;
    });
    const take = (first: number, second: number) =>
      pair.transaction(async (connection) => {
        await connection.execute(lock, [first]);
        begun += 1;
        if (begun === 2) bothBegun();
        await both;
        await connection.execute(lock, [second]);
        return "done";
      });
    try {
      const [one, other] = await Promise.allSettled([take(1, 2), take(2, 1)]);
      const ended = [one, other].map((each) => (each.status === "rejected" ? each.reason : each.value));
      expect(ended).toContain("done");
      expect(ended).toContainEqual(
        expect.objectContaining({ problem: expect.objectContaining({ code: "ServiceUnavailable" }) }),
      );
    } finally {
      await pair.close();
    }
  });
});
