import { openVirtualWorld } from "@conclave/cluster/testing";
import { organisationIdSchema } from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Database } from "../../postgres/database.ts";
import { claimDue, DUE_AGAIN_MS_MAX, enqueue, postponeClaim } from "../../postgres/due-requests/index.ts";
import { migrate } from "../../postgres/migrate.ts";
import { type MemoryStore, openMemoryStore, type ProcessDatabase } from "./memory-database.ts";

const count = z.object({ count: z.coerce.number() });
const free = z.object({ free: z.boolean() });
const LANE = "EthereumSepolia";

describe("a store in memory", () => {
  const START = "2030-01-01T00:00:00.000Z";
  const world = openVirtualWorld(Date.parse(START), "store");
  let opened: MemoryStore;
  let store: ProcessDatabase;
  beforeAll(async () => {
    opened = await openMemoryStore(world);
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    store = opened.connect(world);
    await store.execute("drop schema public cascade; create schema public");
  });

  it("has a wallet's next request due by its own time", async () => {
    await migrate(store);
    const orgId = world.freshId(organisationIdSchema, "or");
    for (const id of ["xfr-1", "xfr-2"])
      await enqueue(store, { id, kind: "transfer", orgId, lane: LANE, line: "wa" });
    await store.execute("delete from due_requests where id = $1", ["xfr-1"]);
    const due = z.object({ at: z.date() }).transform(({ at }) => at.toISOString());
    expect(await store.rows(due, "select due_at as at from due_requests")).toEqual([START]);
  });

  it("rolls back, and frees the locks of, a process that dies, and answers it no more", async () => {
    const [one, other] = [opened.connect(world), store];
    await one.execute("create table boxes (id integer primary key)");
    const answered = vi.fn();
    await new Promise<void>((held) => {
      void one.exclusively("boxes", () => new Promise(() => held())).finally(answered);
    });
    const isFree = async () =>
      (
        await other.rows(
          free,
          "select pg_try_advisory_xact_lock_shared(hashtextextended('boxes', 0)) as free",
        )
      )[0]?.free;
    expect([await isFree(), await other.exclusively("boxes", async () => "second")]).toEqual([
      false,
      undefined,
    ]);
    let goOn = (): void => undefined;
    await new Promise<void>((begun) => {
      const half = async (connection: Pick<Database, "execute">): Promise<void> => {
        await connection.execute("insert into boxes values (1)");
        begun();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await connection.execute("insert into boxes values (2)");
      };
      void one.transaction(half).finally(answered);
    });
    await one.die();
    goOn();
    void one.execute("insert into boxes values (3)").finally(answered);
    expect(await other.rows(count, "select count(*) from boxes")).toEqual([{ count: 0 }]);
    expect([await isFree(), await other.exclusively("boxes", async () => "second")]).toEqual([
      true,
      { value: "second" },
    ]);
    expect(answered).not.toHaveBeenCalled();
  });

  it("keeps the statement in the middle of which a process dies, and does not answer it", async () => {
    const statement = "insert into boxes values (1)";
    const fate = (text: string): undefined => {
      if (text === statement) void one.die();
    };
    const one = opened.connect({ ...world, fate });
    const other = store;
    await other.execute("create table boxes (id integer primary key)");
    const answered = vi.fn();
    void one.execute(statement).finally(answered);
    await expect.poll(() => other.rows(count, "select count(*) from boxes")).toEqual([{ count: 1 }]);
    expect(answered).not.toHaveBeenCalled();
  });

  it("has no time but the one that is handed in: what is put off is due when that has passed", async () => {
    const pass = (ms: number): Promise<void> => {
      const over = world.sleep(ms);
      world.step(world.nowMs() + ms);
      return over;
    };
    await migrate(store);
    const orgId = world.freshId(organisationIdSchema, "or");
    await enqueue(store, { id: "xfr-1", kind: "transfer", orgId, lane: LANE, line: undefined });
    const claim = () => claimDue(store, new Map([[LANE, 4]]), crypto.randomUUID(), 10_000);
    const [first] = await claim();
    await postponeClaim(store, first ?? expect.fail("nothing is due"), 15 * DUE_AGAIN_MS_MAX);
    await pass(DUE_AGAIN_MS_MAX - 1);
    expect(await claim()).toEqual([]);
    await pass(1);
    expect(await claim()).toHaveLength(1);
    const applied = z.object({ at: z.date() }).transform(({ at }) => at.toISOString());
    const [at] = await store.rows(applied, "select min(date_applied) as at from schema_migrations");
    expect(at).toBe(START);
  });
});
