import {
  newWebhook,
  organisationIdSchema,
  RETRY_AFTER_MS,
  type Reception,
  type Webhook,
  type WebhookEvent,
  walletIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import {
  type Database,
  freshId,
  insertOrganisation,
  insertWebhook,
  listWebhookEvents,
  makeLogger,
  makeWebhookSecret,
  makeWebhookSecrets,
  openDatabase,
  recordEvents,
  updateWebhook,
} from "@conclave/platform";
import { freshDatabase, orchestratorLogin } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { Secret } from "@conclave/threshold";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Deliveries, startDeliveries } from "./webhook-deliveries.ts";

const START_MS = Date.parse("2026-01-01T00:00:00.000Z");
const DAY_MS = 86_400_000;
const secrets = makeWebhookSecrets(new Secret(new Uint8Array(32).fill(1)));
const logger = makeLogger({ name: "orchestrator", level: "silent" });

let database: Database;
let own: Database;
let nowMs: number;
let sent: { readonly url: string; readonly event: WebhookEvent }[];
let answer: (url: string) => Promise<Reception>;
let running: Deliveries | undefined;

beforeAll(async () => {
  const url = await freshDatabase();
  database = openDatabase({ url, name: "webhooks" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
});
afterAll(async () => {
  await Promise.all([database.close(), own.close()]);
});
beforeEach(async () => {
  await database.execute("delete from webhooks");
  nowMs = START_MS;
  sent = [];
  answer = async () => ({ kind: "answered", status: 200 });
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const start = (seen: Database = own): Deliveries => {
  running = startDeliveries({
    database: seen,
    secrets,
    world: { ...processWorld, nowMs: () => nowMs },
    logger,
    send: async (url, _, event) => {
      sent.push({ url, event });
      return answer(url);
    },
  });
  return running;
};

const addWebhook = async (change: Partial<Webhook> = {}): Promise<Webhook> => {
  const orgId = change.orgId ?? freshId(organisationIdSchema, "or");
  const dateCreated = new Date(nowMs).toISOString();
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated });
  const ids = { id: freshId(webhookIdSchema, "wh"), orgId };
  const body = { url: `http://${ids.id}/`, events: ["*" as const] };
  const webhook = { ...newWebhook(ids, body, dateCreated), ...change };
  await insertWebhook(database, webhook, secrets.seal(webhook.id, makeWebhookSecret(processWorld.entropy)));
  return webhook;
};

/** Records an event of the organisation, dated now by the test's clock. */
const happen = (
  { orgId }: Webhook,
  kind: "wallet.created" | "wallet.transfer.confirmed" = "wallet.created",
): Promise<void> =>
  database.transaction((connection) => {
    const entityId = freshId(walletIdSchema, "wa");
    const date = new Date(nowMs).toISOString();
    return recordEvents(connection, [{ kind, orgId, entityId, date, data: { wallet: { id: entityId } } }]);
  });

const recorded = async ({ id }: Webhook) =>
  (await listWebhookEvents(database, id, {}, { limit: 100 }, nowMs)).map(({ event }) => event);
const until = (condition: () => Promise<boolean> | boolean) =>
  vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 10_000, interval: 10 });
/** Waits until this many attempts for a webhook are recorded. */
const attempts = (webhook: Webhook, count: number) =>
  until(async () => (await recorded(webhook)).length === count);

const pending = async (): Promise<number> => database.execute("select id from webhook_deliveries");

describe("INV-6 an event", () => {
  it("is sent once to each enabled webhook of its organisation that asked for its kind", async () => {
    const all = await addWebhook();
    const { orgId } = all;
    const asked = await addWebhook({ orgId, events: ["wallet.created"] });
    const others = [
      await addWebhook({ orgId, events: ["wallet.transfer.confirmed"] }),
      await addWebhook({ orgId, status: "Disabled" }),
      await addWebhook(),
    ];
    start();
    await happen(all);
    await attempts(all, 1);
    await attempts(asked, 1);
    await until(async () => (await pending()) === 0);
    expect(sent.map(({ url }) => url).sort()).toEqual([all.url, asked.url].sort());
    expect((await Promise.all(others.map(recorded))).flat()).toEqual([]);
  });

  it("that was not committed is not sent", async () => {
    const webhook = await addWebhook();
    await expect(
      database.transaction(async (connection) => {
        const { orgId } = webhook;
        const date = new Date(nowMs).toISOString();
        await recordEvents(connection, [{ kind: "wallet.created", orgId, entityId: "wa", date, data: {} }]);
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect(await pending()).toBe(0);
  });

  it("waits for the next process that delivers", async () => {
    const webhook = await addWebhook();
    await happen(webhook);
    start();
    await attempts(webhook, 1);
    expect(await recorded(webhook)).toMatchObject([
      { status: "200", deliveryFailed: false, deliveryAttempt: 1 },
    ]);
  });
});

describe("a delivery that fails", () => {
  it("is tried five times in a day, each attempt an event of its own that names the one before", async () => {
    answer = async () => ({ kind: "answered", status: 500 });
    const webhook = await addWebhook();
    const deliveries = start();
    await happen(webhook);
    await attempts(webhook, 1);
    for (const [at, afterMs] of RETRY_AFTER_MS.entries()) {
      nowMs = START_MS + afterMs;
      deliveries.ring();
      await attempts(webhook, at + 2);
    }
    const events = (await recorded(webhook)).reverse();
    expect(events.map(({ deliveryAttempt }) => deliveryAttempt)).toEqual([1, 2, 3, 4, 5]);
    expect(events.map(({ retryOf }) => retryOf)).toEqual([
      undefined,
      ...events.slice(0, 4).map(({ id }) => id),
    ]);
    expect(events.map(({ nextAttemptDate }) => nextAttemptDate)).toEqual([
      ...RETRY_AFTER_MS.map((afterMs) => new Date(START_MS + afterMs).toISOString()),
      undefined,
    ]);
    expect(new Set(events.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(await pending()).toBe(0);
  });

  it("is not tried before its time", async () => {
    answer = async () => ({ kind: "answered", status: 500 });
    const webhook = await addWebhook();
    const deliveries = start();
    await happen(webhook);
    await attempts(webhook, 1);
    nowMs += RETRY_AFTER_MS[0] - 1;
    const marker = await addWebhook();
    await happen(marker);
    deliveries.ring();
    await attempts(marker, 1);
    expect(sent.filter(({ url }) => url === webhook.url)).toHaveLength(1);
  });

  it("ends with the first attempt that succeeds", async () => {
    answer = async () => ({ kind: "answered", status: 503 });
    const webhook = await addWebhook();
    const deliveries = start();
    await happen(webhook);
    await attempts(webhook, 1);
    answer = async () => ({ kind: "answered", status: 200 });
    nowMs += RETRY_AFTER_MS[0];
    deliveries.ring();
    await attempts(webhook, 2);
    await until(async () => (await pending()) === 0);
  });

  it("is dropped when it comes due while its webhook is disabled", async () => {
    answer = async () => ({ kind: "answered", status: 500 });
    const webhook = await addWebhook();
    const deliveries = start();
    await happen(webhook);
    await attempts(webhook, 1);
    await updateWebhook(database, { ...webhook, status: "Disabled" });
    nowMs += RETRY_AFTER_MS[0];
    deliveries.ring();
    await until(async () => (await pending()) === 0);
    expect(sent).toHaveLength(1);
  });

  it("goes on when its webhook was disabled only for a while", async () => {
    answer = async () => ({ kind: "answered", status: 500 });
    const webhook = await addWebhook();
    const deliveries = start();
    await happen(webhook);
    await attempts(webhook, 1);
    await updateWebhook(database, { ...webhook, status: "Disabled" });
    await updateWebhook(database, webhook);
    nowMs += RETRY_AFTER_MS[0];
    deliveries.ring();
    await attempts(webhook, 2);
  });
});

describe("an endpoint that never answers", () => {
  it("keeps no other from its turn, and holds a few requests at a time", async () => {
    const dead = await addWebhook();
    const well = await addWebhook();
    let release = (): void => undefined;
    const silence = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = async (url) => {
      if (url === dead.url) await silence;
      return { kind: "answered", status: 200 };
    };
    start();
    for (let at = 0; at < 20; at += 1) await happen(dead);
    await until(() => sent.some(({ url }) => url === dead.url));
    for (let at = 0; at < 10; at += 1) await happen(well);
    await attempts(well, 10);
    expect(sent.filter(({ url }) => url === dead.url).length).toBeLessThanOrEqual(4);
    release();
    await attempts(dead, 20);
  });
});

describe("INV-5 a process that dies in the middle of an attempt", () => {
  it("leaves it to another one, once its lease is over", async () => {
    const webhook = await addWebhook();
    await happen(webhook);
    let wake = (): void => undefined;
    const stunned = new Promise<Reception>((resolve) => {
      wake = () => resolve({ kind: "answered", status: 200 });
    });
    answer = () => stunned;
    const dying = startDeliveries({
      database: own,
      secrets,
      world: { ...processWorld, nowMs: () => nowMs },
      logger,
      send: (url, _, event) => {
        sent.push({ url, event });
        return answer(url);
      },
    });
    await until(() => sent.length === 1);
    answer = async () => ({ kind: "answered", status: 200 });
    nowMs += 60_000;
    start();
    await attempts(webhook, 1);
    expect(sent).toHaveLength(2);
    wake();
    await dying.stop();
    expect(await recorded(webhook)).toHaveLength(1);
  });
});

describe("the record of an attempt", () => {
  it("is listed for 31 days, and is then gone", async () => {
    const webhook = await addWebhook();
    start();
    await happen(webhook);
    await attempts(webhook, 1);
    const listed = (atMs: number) => listWebhookEvents(database, webhook.id, {}, { limit: 100 }, atMs);
    const goneAtMs = START_MS + 31 * DAY_MS;
    expect(await listed(goneAtMs - 1)).toHaveLength(1);
    expect(await listed(goneAtMs)).toEqual([]);
  });
});

describe("INV-6 a delivery", () => {
  it("is made although what is too old cannot be deleted", async () => {
    const webhook = await addWebhook();
    const missed = await addWebhook();
    await happen(missed);
    await database.execute("update webhooks set status = 'Disabled' where id = $1", [missed.id]);
    const stubborn: Database = {
      ...own,
      execute: (text, values) =>
        text.startsWith("delete") ? Promise.reject(new Error("canceled")) : own.execute(text, values),
    };
    start(stubborn);
    await happen(webhook);
    await attempts(webhook, 1);
    expect(await pending()).toBe(1);
  });
});
