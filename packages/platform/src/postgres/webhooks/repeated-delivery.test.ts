import {
  organisationIdSchema,
  type WebhookEvent,
  webhookEventIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { freshDatabase } from "../../testing/index.ts";
import { type Database, openDatabase } from "../database.ts";
import { migrate } from "../migrate.ts";
import {
  type DueDelivery,
  recordAttempt,
  repeatDelivery,
  repeatedAttempt,
  takeDeliveries,
} from "./webhook-deliveries.ts";
import { subscribedWebhooks } from "./webhooks.ts";

const orgId = freshId(organisationIdSchema, "or");
const webhookId = freshId(webhookIdSchema, "wh");
const attempt = freshId(webhookEventIdSchema, "wh");
const DATE = "2026-01-02T03:04:05.000Z";
const sent: WebhookEvent = {
  id: attempt,
  kind: "wallet.created",
  date: DATE,
  data: { wallet: { id: "wa-1" } },
  status: "200",
  timestampSent: 1,
  deliveryFailed: false,
  deliveryAttempt: 1,
};

let database: Database;
beforeEach(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test" });
  await migrate(database);
  await database.execute("insert into organisations (id, name, date_created) values ($1, 'test', now())", [
    orgId,
  ]);
  await database.execute(
    `insert into webhooks (id, org_id, url, events, status, secret, date_created, date_updated)
     values ($1, $2, 'http://127.0.0.1/', '["wallet.created"]', 'Enabled', '', now(), now())`,
    [webhookId, orgId],
  );
  await database.execute(
    `insert into webhook_events (id, webhook_id, org_id, kind, delivery_failed, event, date_sent)
     values ($1, $2, $3, $4, false, $5, now())`,
    [attempt, webhookId, orgId, sent.kind, JSON.stringify(sent)],
  );
});
afterEach(() => database.close());

const take = async (): Promise<readonly DueDelivery[]> => {
  const now = new Date(Date.now() + 60_000).toISOString();
  return takeDeliveries(database, { now, leasedUntil: now, limit: 9, perWebhook: 9, busy: [] });
};

it("makes the event of a recorded attempt due again, once for each call, and finds the attempt that was made", async () => {
  const repetition = await repeatDelivery(database, attempt);
  if (repetition.kind !== "due") throw new Error("it is not due");
  const [due, ...more] = await take();
  if (due === undefined) throw new Error("nothing was taken");
  expect([due, more]).toMatchObject([
    { webhookId, kind: sent.kind, date: DATE, data: sent.data, attempts: 0, retryOf: attempt },
    [],
  ]);
  expect(await repeatedAttempt(database, attempt, repetition.deliveryId)).toBeUndefined();
  const again = { ...sent, id: freshId(webhookEventIdSchema, "wh"), retryOf: attempt };
  await recordAttempt(database, due, again, DATE);
  expect(await repeatedAttempt(database, attempt, repetition.deliveryId)).toEqual(again);
  expect(await take()).toEqual([]);
});

it("repeats nothing of a webhook that is disabled, or that is gone", async () => {
  await database.execute("update webhooks set status = 'Disabled'");
  expect(await repeatDelivery(database, attempt)).toEqual({ kind: "disabled", webhookId });
  await database.execute("delete from webhooks");
  expect(await repeatDelivery(database, attempt)).toEqual({ kind: "unknown" });
  expect(await take()).toEqual([]);
});

it("finds the webhooks that ask for a kind, of one organisation", async () => {
  expect(await subscribedWebhooks(database, orgId, "wallet.created")).toEqual([webhookId]);
  expect(await subscribedWebhooks(database, orgId, "wallet.exported")).toEqual([]);
  expect(await subscribedWebhooks(database, freshId(organisationIdSchema, "or"), "wallet.created")).toEqual(
    [],
  );
});
