import { randomUUID } from "node:crypto";
import { claimPresignatures, type Database, openDatabase, releasePresignatures } from "@conclave/platform";
import { freshDatabase } from "@conclave/platform/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PoolOfSigners, stockOver } from "../testing/pool-of-signers.ts";
import { LEASE_MARGIN_MS, LEASE_MS, type LeaseBook, LIST_AGE_MS_MAX } from "./leases.ts";

const KEY = "key-aaaaa-bbbbb-cccccccccccccc";
const MARKS = { low: 2, high: 4 };
const LIST_MS = 10_001;

let database: Database;
beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test" });
});
afterAll(async () => {
  await database.close();
});
beforeEach(async () => {
  await database.execute("delete from presignature_leases");
});

/** Moves the database's clock together with the pool's: every lease ends this much sooner. */
const pass = async (pool: PoolOfSigners, milliseconds: number): Promise<void> => {
  pool.monotonicMs += milliseconds;
  await database.execute("update presignature_leases set until = until - $1 * interval '1 millisecond'", [
    milliseconds,
  ]);
};

const bookOf = (holder: string): LeaseBook => ({
  claim: (asked) => claimPresignatures(database, { ...asked, holder }),
  release: (ids) => releasePresignatures(database, holder, ids),
});

const orchestratorOf = (pool: PoolOfSigners, book = bookOf(randomUUID())) =>
  stockOver(pool, { book, marks: MARKS, newestKeys: [KEY] });
type Stocked = ReturnType<typeof orchestratorOf>;

/** Signs with the first presignature that is offered. @returns its id, if there was one */
const sign = (pool: PoolOfSigners, { stock }: Stocked, request: string): string | undefined => {
  stock.noteUse(KEY);
  const [first] = stock.offer(KEY);
  if (first === undefined) return undefined;
  stock.take([first]);
  expect(pool.spend(first.id, request)).toBe(true);
  return first.id;
};

const holdTwenty = (pool: PoolOfSigners): void => {
  for (let count = 0; count < 20; count++) pool.hold(KEY, pool.parties.slice(0, 2));
};

test("P6 two orchestrators side by side never ask signers for the same presignature: no alarm, and none is lost", async () => {
  const pool = new PoolOfSigners(3, 2);
  holdTwenty(pool);
  const both = [orchestratorOf(pool), orchestratorOf(pool)];
  const used: string[] = [];
  for (let turn = 0; turn < 60; turn++) {
    await Promise.all(both.map(({ stock }) => stock.look()));
    for (const [at, one] of both.entries()) {
      const id = turn % 2 === 0 ? sign(pool, one, `${turn} of ${at}`) : undefined;
      if (id !== undefined) used.push(id);
    }
    await Promise.all(both.map(({ stock }) => stock.renew()));
    await pass(pool, 3_000);
  }
  expect(new Set(used).size).toBe(used.length);
  expect(used.length).toBeGreaterThan(40);
  expect(pool.alarms).toBe(0);
});

test("P6 the alarm of a real theft is still raised: who goes past the leases asks for what was spent", async () => {
  const pool = new PoolOfSigners(3, 2);
  holdTwenty(pool);
  const honest = orchestratorOf(pool);
  await honest.stock.look();
  const id = sign(pool, honest, "honest") ?? expect.fail("it holds some");
  expect(pool.spend(id, "thief")).toBe(false);
  expect(pool.alarms).toBe(1);
});

test("one orchestrator's presignature is not the other's, and becomes it when the lease lapses", async () => {
  const pool = new PoolOfSigners(3, 2);
  holdTwenty(pool);
  const [first, second] = [orchestratorOf(pool), orchestratorOf(pool)];
  pool.fails = true;
  await first.stock.look();
  await second.stock.look();
  expect([first.stock.view.ready, second.stock.view.ready]).toEqual([20, 0]);
  // the first orchestrator is gone, and renews nothing
  await pass(pool, LEASE_MS - 1_000);
  await second.stock.look();
  expect(second.stock.view.ready).toBe(0);
  await pass(pool, LIST_MS);
  await second.stock.look();
  expect(second.stock.view.ready).toBe(20);
  expect(first.stock.offer(KEY)).toEqual([]);
});

test("an orchestrator that lives keeps its stock, however long", async () => {
  const pool = new PoolOfSigners(3, 2);
  holdTwenty(pool);
  const [first, second] = [orchestratorOf(pool), orchestratorOf(pool)];
  pool.fails = true;
  await first.stock.look();
  for (let seconds = 0; seconds < 300; seconds += 5) {
    await pass(pool, 5_000);
    await first.stock.renew();
    await second.stock.look();
    expect([first.stock.view.ready, second.stock.view.ready]).toEqual([20, 0]);
  }
});

test("one that could not renew stops to use its stock before anybody else may", async () => {
  const pool = new PoolOfSigners(3, 2);
  holdTwenty(pool);
  const one = orchestratorOf(pool);
  await one.stock.look();
  await pass(pool, LEASE_MS - LEASE_MARGIN_MS - 1);
  expect(one.stock.offer(KEY).length).toBeGreaterThan(0);
  await pass(pool, 1);
  expect(one.stock.offer(KEY)).toEqual([]);
});

test("a list that has grown old when its claim is answered gets nothing", async () => {
  const pool = new PoolOfSigners(3, 2);
  holdTwenty(pool);
  const book = bookOf(randomUUID());
  const slow: LeaseBook = {
    ...book,
    claim: async (asked) => {
      const claimed = await book.claim(asked);
      pool.monotonicMs += LIST_AGE_MS_MAX + 1;
      return claimed;
    },
  };
  const one = orchestratorOf(pool, slow);
  pool.fails = true;
  await one.stock.look();
  expect(one.stock.view.ready).toBe(0);
});

test("one that ends in peace gives back what it did not use, at once", async () => {
  const pool = new PoolOfSigners(3, 2);
  holdTwenty(pool);
  const [first, second] = [orchestratorOf(pool), orchestratorOf(pool)];
  pool.fails = true;
  await first.stock.look();
  sign(pool, first, "last");
  await first.leases.release();
  expect(first.stock.offer(KEY)).toEqual([]);
  await second.stock.look();
  expect(second.stock.view.ready).toBe(19);
});

test("two orchestrators share the stock: one that has all of it leaves half when another comes", async () => {
  const pool = new PoolOfSigners(3, 2);
  for (let count = 0; count < 200; count++) pool.hold(KEY, pool.parties.slice(0, 2));
  const [first, second] = [orchestratorOf(pool), orchestratorOf(pool)];
  await first.stock.look();
  expect(first.stock.view.ready).toBe(200);
  for (let turn = 0; turn < 30; turn++) {
    await second.stock.look();
    await second.stock.renew();
    await first.stock.renew();
    await pass(pool, 4_000);
  }
  expect([first.stock.view.ready, second.stock.view.ready]).toEqual([100, 100]);
});

test("a process that may have been paused uses nothing until it is leased anew", async () => {
  const pool = new PoolOfSigners(3, 2);
  holdTwenty(pool);
  const own = orchestratorOf(pool);
  await own.stock.look();
  expect(own.stock.view.ready).toBeGreaterThan(0);
  own.leases.doubt();
  expect(own.stock.offer(KEY)).toEqual([]);
  pool.monotonicMs += LIST_MS;
  await own.stock.look();
  expect(own.stock.view.ready).toBeGreaterThan(0);
});
