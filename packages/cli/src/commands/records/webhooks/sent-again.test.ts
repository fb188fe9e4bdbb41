import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  organisationIdSchema,
  type WebhookEvent,
  webhookEventIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import {
  type DueDelivery,
  freshId,
  loadWebhookSecrets,
  makeWebhookKey,
  recordAttempt,
  takeDeliveries,
} from "@conclave/platform";
import { LaunchError, stateLayout } from "@conclave/testbed/launch";
import { Secret } from "@conclave/threshold";
import { afterEach, beforeEach, expect, it } from "vitest";
import { saidTo } from "../../../testing/said.ts";
import { startTestRecords, type TestRecords } from "../../../testing/test-records.ts";
import { resend } from "./resend.ts";
import { trigger } from "./trigger.ts";

const SECRET = "whs-01234567890123456789012345678901";
const orgId = freshId(organisationIdSchema, "or");
const webhookId = freshId(webhookIdSchema, "wh");
const attempt = freshId(webhookEventIdSchema, "wh");

let records: TestRecords;
let place: TestRecords["place"];
let state: string;
let server: Server;
let status: number;
let heard: { readonly signature: unknown; readonly body: string }[];
const said = saidTo("stdout");

/** The files of a cluster that the commands read: the key of the secrets, and whose the development organisation is. */
const writeState = (): void => {
  const layout = stateLayout(state);
  mkdirSync(layout.gateway, { recursive: true });
  writeFileSync(join(layout.gateway, "webhook.key"), makeWebhookKey().reveal());
  mkdirSync(layout.run, { recursive: true });
  const access = { userId: "us-1", token: "", credential: { id: "cr-1", keyFile: "" } };
  const description = {
    threshold: 3,
    api: { url: "" },
    orchestrator: { url: "" },
    chain: { network: "", rpcUrl: "" },
    developer: { orgId, ...access, serviceAccount: access },
  };
  writeFileSync(layout.description, JSON.stringify(description));
};

const insertWebhook = async (url: string): Promise<void> => {
  const secrets = await loadWebhookSecrets(join(stateLayout(state).gateway, "webhook.key"));
  await records.database.execute(
    "insert into organisations (id, name, date_created) values ($1, 'test', now())",
    [orgId],
  );
  await records.database.execute(
    `insert into webhooks (id, org_id, url, events, status, secret, date_created, date_updated)
     values ($1, $2, $3, '["wallet.created"]', 'Enabled', $4, now(), now())`,
    [webhookId, orgId, url, secrets.seal(webhookId, new Secret(SECRET))],
  );
};

beforeEach(async () => {
  records = await startTestRecords();
  state = mkdtempSync(join(tmpdir(), "conclave-webhooks-"));
  place = { ...records.place, state };
  heard = [];
  status = 200;
  server = createServer(async (request, response) => {
    heard.push({ signature: request.headers["x-dfns-webhook-signature"], body: await text(request) });
    response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  writeState();
  await insertWebhook(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hook`);
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await records.stop();
  rmSync(state, { recursive: true });
});

const refusal = { name: "UsageError" };

it("sends a made-up event with the webhook's signature to each webhook that asks for its kind, and records nothing", async () => {
  expect(await trigger(place, "wallet.created", undefined)).toBe(true);
  const [{ signature, body } = { signature: "", body: "" }, ...more] = heard;
  expect(more).toEqual([]);
  expect(signature).toBe(`sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`);
  expect(JSON.parse(body)).toMatchObject({
    kind: "wallet.created",
    deliveryAttempt: 1,
    data: { wallet: {} },
  });
  expect(said()).toMatch(/^wallet\.created wh-\S+ to http:\/\/127\.0\.0\.1:\d+\/hook: answered 200\n$/);
  expect(await records.database.execute("delete from webhook_events")).toBe(0);
  expect(await records.database.execute("delete from webhook_deliveries")).toBe(0);
});

it("sends to one webhook whatever it asks for, and says when the answer is another than 200", async () => {
  status = 500;
  expect(await trigger(place, "wallet.transfer.confirmed", webhookId)).toBe(false);
  expect(said()).toMatch(/answered 500\n$/);
});

it("refuses a kind that is never sent, and texts that are no ids, before anything is sent", async () => {
  await expect(trigger(place, "wallet.activated", undefined)).rejects.toMatchObject(refusal);
  await expect(trigger(place, "\u001b[2J", undefined)).rejects.toThrow('of the kind "\u{FFFD}[2J"');
  await expect(trigger(place, "wallet.created", "nope")).rejects.toMatchObject(refusal);
  await expect(resend(place, "nope")).rejects.toMatchObject(refusal);
  expect(heard).toEqual([]);
});

it("says which webhook is missing", async () => {
  await expect(trigger(place, "wallet.exported", undefined)).rejects.toThrow(
    "no webhook asks for wallet.exported",
  );
  const other = freshId(webhookIdSchema, "wh");
  await expect(trigger(place, "wallet.created", other)).rejects.toThrow(`there is no webhook ${other}`);
  await expect(trigger({ ...place, state: "/nowhere" }, "wallet.created", undefined)).rejects.toThrow(
    "no cluster has been started in /nowhere",
  );
});

const sent: WebhookEvent = {
  id: attempt,
  kind: "wallet.created",
  date: "2026-01-02T03:04:05.000Z",
  data: { wallet: { id: "wa-1" } },
  status: "500",
  timestampSent: 1,
  deliveryFailed: true,
  deliveryAttempt: 1,
};

const insertAttempt = () =>
  records.database.execute(
    `insert into webhook_events (id, webhook_id, org_id, kind, delivery_failed, event, date_sent)
     values ($1, $2, $3, $4, true, $5, now())`,
    [attempt, webhookId, orgId, sent.kind, JSON.stringify(sent)],
  );

/** Takes the delivery that is due, as an orchestrator does. */
const takeDue = async (): Promise<DueDelivery> => {
  const now = new Date(Date.now() + 60_000).toISOString();
  const taken: DueDelivery[] = [];
  await expect
    .poll(async () => {
      const take = { now, leasedUntil: now, limit: 1, perWebhook: 1, busy: [] };
      taken.push(...(await takeDeliveries(records.database, take)));
      return taken.length;
    })
    .toBe(1);
  const [due] = taken;
  if (due === undefined) throw new Error("nothing is due");
  return due;
};

it("has an event sent again by an orchestrator, and says what it was answered", async () => {
  await insertAttempt();
  const sending = resend(place, attempt);
  const again = { ...sent, id: freshId(webhookEventIdSchema, "wh"), retryOf: attempt };
  const due = await takeDue();
  await recordAttempt(
    records.database,
    due,
    { ...again, status: "200", deliveryFailed: false },
    new Date().toISOString(),
  );
  expect(await sending).toBe(true);
  expect(said()).toBe(`wallet.created is sent again as ${again.id}: answered 200\n`);
});

it("says why an event is not sent again", async () => {
  await expect(resend(place, attempt)).rejects.toThrow(`no event ${attempt} of a webhook is on record`);
  await insertAttempt();
  await expect(resend(place, attempt, 0)).rejects.toThrow("no orchestrator has sent it");
  await records.database.execute("update webhooks set status = 'Disabled'");
  const refused = await resend(place, attempt).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LaunchError);
  expect(refused).toMatchObject({ message: `the webhook ${webhookId} is disabled` });
});
