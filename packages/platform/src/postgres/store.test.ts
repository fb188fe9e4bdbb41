import { organisationIdSchema } from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { Outage } from "../outage.ts";
import { type OpenedStore, STORES } from "../testing/store/stores.ts";
import { processWorld } from "../world.ts";
import { withAdvisoryLock } from "./advisory-lock.ts";
import type { Database } from "./database.ts";
import { claimDue, enqueue, finishClaim } from "./due-requests/index.ts";
import { isMigrated, migrate } from "./migrate.ts";
import { bePresent, releaseOfGone } from "./orchestrators.ts";
import { isUniqueViolation } from "./unique-violation.ts";

const count = z.object({ count: z.coerce.number() });
const announced: string[] = [];
const LANE = "EthereumSepolia";

/** The behaviour of stores on which everything above relies: the one suite that each of them passes. */
describe.each(STORES)("a store %s", (_, open) => {
  let opened: OpenedStore;
  let store: Database;
  beforeAll(async () => {
    opened = await open((subject) => void announced.push(subject));
    store = opened.store;
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    opened.comeBack();
    announced.length = 0;
    await store.execute("drop schema public cascade; create schema public");
    await store.execute("create table boxes (id integer primary key, held jsonb)");
  });
  const put = (id: number) => store.execute("insert into boxes (id) values ($1)", [id]);
  const boxes = async (): Promise<number | undefined> =>
    (await store.rows(count, "select count(*) from boxes"))[0]?.count;
  const outage = (code: string) => (error: unknown) => error instanceof Outage && error.problem.code === code;

  it("gives each type of column as the schemas of rows take it", async () => {
    const [row] = await store.rows(
      z.record(z.string(), z.unknown()),
      `select $1::int8 as big, $2::numeric as exact, $3::bytea as bytes, $4::timestamptz as at, $5::jsonb as document,
              $6::text[] as texts, $7::text as nothing, $8::boolean as flag, $9::uuid as id`,
      [
        "9007199254740993",
        "1.50",
        Buffer.from([1, 2]),
        "2026-01-01T00:00:00.000Z",
        JSON.stringify({ a: [1] }),
        ["x", "y"],
        undefined,
        true,
        "5a5a5a5a-5a5a-5a5a-5a5a-5a5a5a5a5a5a",
      ],
    );
    expect(row).toMatchObject({
      big: "9007199254740993",
      exact: "1.50",
      document: { a: [1] },
      texts: ["x", "y"],
    });
    expect(row).toMatchObject({ nothing: null, flag: true, at: new Date("2026-01-01T00:00:00.000Z") });
    expect(row?.["bytes"]).toBeInstanceOf(Uint8Array);
  });

  it("says how many rows a statement changed", async () => {
    expect(await store.execute("insert into boxes (id) select n from generate_series(1, 5) n")).toBe(5);
    expect(await store.execute("delete from boxes where id > $1", [3])).toBe(2);
  });

  it("INV-6 commits a transaction whole, or nothing of it", async () => {
    await store.transaction(async (connection) => {
      await connection.execute("insert into boxes values (1)");
      await connection.execute("insert into boxes values (2)");
    });
    const failed = store.transaction(async (connection) => {
      await connection.execute("insert into boxes values (3)");
      throw new Error("crash before the commit");
    });
    await expect(failed).rejects.toThrow("crash before the commit");
    expect(await boxes()).toBe(2);
  });

  it("lets nobody commit a transaction in which a statement failed", async () => {
    const work = store.transaction(async (connection) => {
      await connection.execute("insert into boxes values (1)");
      await connection.execute("insert into boxes values (1)").catch(() => undefined);
    });
    await expect(work).rejects.toThrow("a statement of the transaction failed");
    expect(await boxes()).toBe(0);
  });

  it("names a constraint that a statement violates", async () => {
    await put(1);
    const error: unknown = await put(1).catch((thrown: unknown) => thrown);
    expect(isUniqueViolation(error, "boxes_pkey")).toBe(true);
  });

  it("tells what is announced once it is committed, each subject once, and nothing of what was rolled back", async () => {
    await store.transaction(async (connection) => {
      connection.announce("boxes");
      connection.announce("boxes");
      expect(announced).toEqual([]);
    });
    await store
      .transaction(async (connection) => {
        connection.announce("nothing");
        throw new Error("crash before the commit");
      })
      .catch(() => undefined);
    store.announce("at once");
    expect(announced).toEqual(["boxes", "at once"]);
  });

  it("INV-5 is an outage while it is away, does nothing then, and goes on when it is back", async () => {
    await put(1);
    opened.vanish();
    await expect(put(2)).rejects.toSatisfy(outage("ServiceUnavailable"));
    const work = store.transaction((connection) => connection.execute("insert into boxes values (3)"));
    await expect(work).rejects.toSatisfy(outage("ServiceUnavailable"));
    opened.comeBack();
    await put(4);
    expect(await boxes()).toBe(2);
  });

  it("INV-5 leaves a commit without an answer unknown: no caller hears that nothing was done", async () => {
    opened.loseAnswerTo("commit");
    const work = store.transaction((connection) => connection.execute("insert into boxes values (1)"));
    await expect(work).rejects.toSatisfy(outage("OutcomeUnknown"));
    opened.comeBack();
    expect(await boxes()).toBe(1);
  });

  it("commits a statement by itself", async () => {
    const number = z.object({ id: z.int() });
    expect(await store.commit(number, "insert into boxes values ($1) returning id", [7])).toEqual([
      { id: 7 },
    ]);
    const twice = store.commit(number, "insert into boxes values ($1) returning id", [7]);
    await expect(twice).rejects.toMatchObject({ code: "23505" });
    expect(await boxes()).toBe(1);
  });

  it("INV-5 leaves such a statement without an answer unknown, and goes on when it is back", async () => {
    const statement = "insert into boxes (id) values ($1) returning id";
    opened.loseAnswerTo("7");
    const work = store.commit(z.unknown(), statement, ["7"]);
    await expect(work).rejects.toSatisfy(outage("OutcomeUnknown"));
    opened.comeBack();
    expect(await boxes()).toBe(1);
    expect(await store.commit(z.unknown(), statement, ["8"])).toHaveLength(1);
  });

  it("lets one at a time do what only one may do, who may use it meanwhile", async () => {
    const done = await store.exclusively("boxes", async () => {
      expect(await store.exclusively("boxes", async () => "second")).toBeUndefined();
      await store.transaction((connection) => connection.execute("insert into boxes values (1)"));
      return "first";
    });
    expect(done).toEqual({ value: "first" });
    await expect(store.exclusively("boxes", () => Promise.reject(new Error("it failed")))).rejects.toThrow(
      "it failed",
    );
    const after = await withAdvisoryLock(
      processWorld,
      store,
      "boxes",
      new AbortController().signal,
      async () => "third",
    );
    expect(after).toBe("third");
  });

  it("calls a listener when it begins to hear, and at each notification", async () => {
    const heard = vi.fn();
    const subscription = store.listen("boxes", heard);
    await expect.poll(() => heard.mock.calls.length).toBe(1);
    await store.execute("notify boxes");
    await expect.poll(() => heard.mock.calls.length).toBe(2);
    await subscription.stop();
  });

  it("has the tables of this version once it is migrated", async () => {
    expect(await isMigrated(store)).toBe(false);
    await opened.migrate();
    expect(await isMigrated(store)).toBe(true);
    expect(await migrate(store)).toEqual([]);
  });

  it("hands what is due to one process at a time, and the next of its line when that is done", async () => {
    await opened.migrate();
    const orgId = processWorld.freshId(organisationIdSchema, "or");
    for (const id of ["xfr-1", "xfr-2"])
      await enqueue(store, { id, kind: "transfer", orgId, lane: LANE, line: "wa" });
    const claim = () => claimDue(store, new Map([[LANE, 4]]), crypto.randomUUID(), 10_000);
    const [first] = (await Promise.all([claim(), claim()])).flat();
    expect(first?.id).toBe("xfr-1");
    expect(await claim()).toEqual([]);
    await finishClaim(store, first ?? expect.fail("nothing is due"));
    expect((await claim()).map(({ id }) => id)).toEqual(["xfr-2"]);
  });

  it("INV-4 leaves a present orchestrator what it holds, until it is there no more", async () => {
    await opened.migrate();
    const orgId = processWorld.freshId(organisationIdSchema, "or");
    await enqueue(store, { id: "xfr-1", kind: "transfer", orgId, lane: LANE, line: "wa" });
    const holder = crypto.randomUUID();
    const claim = () => claimDue(store, new Map([[LANE, 4]]), crypto.randomUUID(), 600_000, holder);
    const crashed = bePresent(store, holder, async () => {
      expect(await claim()).toHaveLength(1);
      expect(await releaseOfGone(store)).toBe(0);
      expect(await claim()).toEqual([]);
      throw new Error("it crashed");
    });
    await expect(crashed).rejects.toThrow("it crashed");
    expect(await releaseOfGone(store)).toBe(1);
    expect(await claim()).toHaveLength(1);
  });
});
