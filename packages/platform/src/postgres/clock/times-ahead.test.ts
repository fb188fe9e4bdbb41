import {
  newWebhook,
  organisationIdSchema,
  RETRY_AFTER_MS,
  walletIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { freshId } from "../../fresh-id.ts";
import { openMemoryDatabase } from "../../testing/store/memory-database.ts";
import { processWorld } from "../../world.ts";
import type { Database } from "../database.ts";
import {
  type Claim,
  claimDue,
  enqueue,
  extendClaims,
  failClaim,
  parkClaim,
  takeUpParked,
} from "../due-requests/index.ts";
import { DUE_AGAIN_MS_MAX, postponeClaim } from "../due-requests/release.ts";
import { recordEvents } from "../events.ts";
import { migrate } from "../migrate.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { takeFromWindow } from "../people/request-windows.ts";
import { claimPresignatures } from "../presignature-leases.ts";
import { takeDeliveries } from "../webhooks/webhook-deliveries.ts";
import { insertWebhook } from "../webhooks/webhooks.ts";
import { drawInServerTimes, drawInTimes } from "./times-ahead.ts";

const HOUR_MS = 3_600_000;
const LANE = "EthereumSepolia";
const LEASES = { requestMs: 10_000, presignatureMs: 45_000, deliveryMs: 30_000 };
const orgId = freshId(organisationIdSchema, "or");

let nowMs = Date.parse("2026-11-20T00:00:00.000Z");
let database: Database;
beforeAll(async () => {
  database = await openMemoryDatabase({ ...processWorld, nowMs: () => nowMs });
  await migrate(database);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.execute("truncate due_requests, served_turns, presignature_leases, request_windows");
});

const ask = (id: string): Promise<void> =>
  enqueue(database, { id, kind: "transfer", orgId, lane: LANE, line: undefined });
const claim = (): Promise<readonly Claim[]> =>
  claimDue(database, new Map([[LANE, 10]]), crypto.randomUUID(), LEASES.requestMs);
const claimOne = async (): Promise<Claim> => (await claim())[0] ?? expect.fail("nothing is due");
const ids = async () => (await claim()).map(({ id }) => id);

describe.each([
  ["an hour", HOUR_MS],
  ["25 hours", 25 * HOUR_MS],
  ["100 days", 2_400 * HOUR_MS],
])("INV-5 the database's clock goes back by %s", (_, byMs) => {
  test("and a pausing request becomes due, however long its pause was", async () => {
    await ask("postponed");
    await postponeClaim(database, await claimOne(), 1_000);
    await ask("failed");
    await failClaim(database, await claimOne(), DUE_AGAIN_MS_MAX, "it throws");
    nowMs -= byMs;
    expect(await ids()).toEqual([]);
    expect(await drawInServerTimes(database, LEASES)).toBe(2);
    expect((await ids()).toSorted()).toEqual(["failed", "postponed"]);
  });

  test("INV-4 and a held request stays held for a lease, and longer if its holder extends it", async () => {
    await ask("alive");
    const alive = await claimOne();
    await ask("dead");
    await claimOne();
    nowMs -= byMs;
    await drawInServerTimes(database, LEASES);
    expect(await ids()).toEqual([]);
    nowMs += 5_000;
    expect(await extendClaims(database, [alive], LEASES.requestMs, 60_000)).toEqual([alive]);
    nowMs += 5_001;
    expect(await ids()).toEqual(["dead"]);
  });

  test("and what was put aside is taken up", async () => {
    await ask("parked");
    await parkClaim(database, await claimOne(), "it throws", true);
    nowMs -= byMs;
    expect(await takeUpParked(database, { parkedForMs: 15 * 60_000 })).toBe(1);
  });

  test("and presignatures of an orchestrator that ended are another's after one lease", async () => {
    const asked = { ids: ["a"], most: 1, leaseMs: LEASES.presignatureMs };
    const [gone, other] = [crypto.randomUUID(), crypto.randomUUID()];
    await claimPresignatures(database, { ...asked, holder: gone });
    nowMs -= byMs;
    await drawInServerTimes(database, LEASES);
    expect((await claimPresignatures(database, { ...asked, holder: other })).granted).toEqual([]);
    nowMs += LEASES.presignatureMs + 1;
    expect((await claimPresignatures(database, { ...asked, holder: other })).granted).toEqual(["a"]);
  });

  test("and a window of requests that was used up is over", async () => {
    const question = { subject: orgId, limit: 10, wanted: 10, windowSeconds: 60 };
    expect((await takeFromWindow(database, question)).granted).toBe(10);
    expect((await takeFromWindow(database, question)).granted).toBe(0);
    nowMs -= byMs;
    const again = await takeFromWindow(database, question);
    expect(again.granted).toBe(10);
    expect(again.endsInMs).toBe(60_000);
  });
});

describe("deliveries of webhooks", () => {
  const take = () => {
    const [now, leasedUntil] = [nowMs, nowMs + LEASES.deliveryMs].map((ms) => new Date(ms).toISOString());
    const free = { limit: 10, perWebhook: 10, busy: [] };
    return takeDeliveries(database, { now: now ?? "", leasedUntil: leasedUntil ?? "", ...free });
  };
  const happen = async (aheadMs = 0): Promise<void> => {
    const org = freshId(organisationIdSchema, "or");
    const dateCreated = new Date(nowMs).toISOString();
    await insertOrganisation(database, { id: org, name: "Acme", dateCreated });
    const ids = { id: freshId(webhookIdSchema, "wh"), orgId: org };
    const webhook = newWebhook(ids, { url: "http://receiver/", events: ["*"] }, dateCreated);
    await insertWebhook(database, webhook, new Uint8Array(8));
    const entityId = freshId(walletIdSchema, "wa");
    const date = new Date(nowMs + aheadMs).toISOString();
    const event = { kind: "wallet.created", orgId: org, entityId, date, data: {} } as const;
    await database.transaction((connection) => recordEvents(connection, [event]));
  };
  beforeEach(async () => {
    await database.execute("delete from webhook_deliveries");
  });

  test("INV-6 of an event that a clock ahead dated is made at once", async () => {
    await happen(HOUR_MS);
    expect(await take()).toHaveLength(1);
  });

  test("INV-6 that was taken, or is to be made again, is made by its pause after the database's clock went back", async () => {
    await happen();
    const [first] = await take();
    // due long ago, so that only its lease lies ahead
    await database.execute("update webhook_deliveries set date_due = '-infinity'");
    nowMs -= 25 * HOUR_MS;
    await drawInTimes(database, LEASES);
    expect(await take()).toEqual([]);
    nowMs += LEASES.deliveryMs;
    expect((await take()).map(({ id }) => id)).toEqual([first?.id]);
    await database.execute(
      "update webhook_deliveries set attempts = 1, date_leased = '-infinity', date_due = now() + interval '1 minute'",
    );
    nowMs -= 25 * HOUR_MS;
    await drawInTimes(database, LEASES);
    nowMs += RETRY_AFTER_MS[0];
    expect(await take()).toHaveLength(1);
  });
});

test("a pause within its bounds is not shortened", async () => {
  await ask("pausing");
  await postponeClaim(database, await claimOne(), HOUR_MS);
  expect(await drawInTimes(database, LEASES)).toBe(0);
  const rows = z.object({ ms: z.coerce.number() });
  const [row] = await database.rows(
    rows,
    "select extract(epoch from due_at - now()) * 1000 as ms from due_requests",
  );
  expect(row?.ms).toBeLessThanOrEqual(DUE_AGAIN_MS_MAX);
});

test("a window of requests is one window for a gateway that asked a moment before another one began it, and was answered later", async () => {
  const question = { subject: "or-asked-at-once", limit: 10, wanted: 10, windowSeconds: 60 };
  expect((await takeFromWindow(database, question)).granted).toBe(10);
  nowMs -= 200;
  expect((await takeFromWindow(database, question)).granted).toBe(0);
});
