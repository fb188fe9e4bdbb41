import { type Database, migrate, openDatabase } from "@conclave/platform/postgres";
import { type PostgresServer, startPostgresServer } from "@conclave/platform/testing";
import { waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { ServerClock } from "./server-clock.ts";

const HOUR_MS = 3_600_000;
const DAYS_100_MS = 2_400 * HOUR_MS;
/** longest time between two readings on a busy machine */
const READING_MS = 60_000;

let server: PostgresServer;
/** a service that was connected before the clock became settable */
let service: Database;
let clock: ServerClock;
beforeAll(async () => {
  server = await startPostgresServer({ inMemory: true });
  const { url } = await server.createDatabase();
  service = openDatabase({ url, name: "service" });
  await migrate(service);
  clock = await ServerClock.install(url);
});
afterAll(async () => {
  await clock?.close();
  await service?.close();
  await server?.stop();
});

const aheadSchema = z.object({ ahead_ms: z.coerce.number() });
/** How far a time in the database is ahead of this machine's, in milliseconds. */
const aheadMs = async (sql: string): Promise<number> => {
  const [row] = await service.rows(
    aheadSchema,
    `select extract(epoch from ${sql}) * 1000 - $1::float8 as ahead_ms`,
    [Date.now()],
  );
  return row?.ahead_ms ?? expect.fail("nothing was read");
};
const expectAhead = async (ms: number, sql = "now()"): Promise<void> =>
  expect(Math.abs((await aheadMs(sql)) - ms)).toBeLessThan(READING_MS);

it("moves the clock that services find, ahead and back, and each move ends by itself", async () => {
  await expectAhead(0);
  const back = await clock.move(-HOUR_MS);
  await expectAhead(-HOUR_MS);
  const ahead = await clock.move(DAYS_100_MS);
  await expectAhead(DAYS_100_MS - HOUR_MS);
  await back();
  await expectAhead(DAYS_100_MS);
  await ahead();
  await expectAhead(0);
});

it("moves defaults of columns and triggers with it", async () => {
  const setRight = await clock.move(DAYS_100_MS);
  await service.execute("delete from orchestrators");
  await service.execute("insert into orchestrators (id) values (gen_random_uuid())");
  await expectAhead(DAYS_100_MS, "(select max(since) from orchestrators)");
  await setRight();
});

it("takes moves in any order, and two at once", async () => {
  const heals = await Promise.all([clock.move(HOUR_MS), clock.move(HOUR_MS), clock.move(-DAYS_100_MS)]);
  await expectAhead(2 * HOUR_MS - DAYS_100_MS);
  await Promise.all(heals.map((heal) => heal()));
  await expectAhead(0);
});

it("is put back once a database answers that was away", async () => {
  const setRight = await clock.move(-HOUR_MS);
  await server.halt();
  const isRight = setRight();
  await server.start();
  await isRight;
  await waitUntil(
    () =>
      expectAhead(0).then(
        () => true as const,
        () => undefined,
      ),
    {
      what: "the service to read again",
      deadlineMs: READING_MS,
    },
  );
});
