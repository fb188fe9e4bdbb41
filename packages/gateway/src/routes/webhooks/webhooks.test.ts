import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { webhookEventIdSchema, webhookIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../../testing/bodies.ts";
import { type Answer, startWorld, type World } from "../../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.database.execute("delete from webhooks"));

const created = z.looseObject({ id: z.string(), secret: z.string() });
const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const itemsOf = (answer: Answer) => z.looseObject({ items: z.array(z.unknown()) }).parse(answer.body).items;
const BODY = { url: "https://example.com/hook", events: ["wallet.created"] };
const create = async (body: unknown = BODY) =>
  created.parse((await world.call("POST", "/webhooks", body)).body);

const listen = async () => {
  const heard: { readonly signature: unknown; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    heard.push({
      signature: request.headers["x-dfns-webhook-signature"],
      body: Buffer.concat(chunks).toString("utf8"),
    });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, heard, [Symbol.dispose]: () => server.close() };
};

describe("a webhook", () => {
  it("is created with a secret that is shown this once", async () => {
    const { id, secret } = await create();
    expect(secret).toMatch(/^whs-[0-9A-Za-z]{32}$/);
    const read = await world.call("GET", `/webhooks/${id}`);
    expect(read).toMatchObject({ status: 200, body: { id, ...BODY, status: "Enabled" } });
    expect(JSON.stringify(read.body)).not.toContain("secret");
    expect(itemsOf(await world.call("GET", "/webhooks"))).toEqual([read.body]);
  });

  it("is changed field by field, and deleted", async () => {
    const { id } = await create();
    const changed = await world.call("PUT", `/webhooks/${id}`, { status: "Disabled", events: ["*"] });
    expect(changed.body).toMatchObject({ url: BODY.url, events: ["*"], status: "Disabled" });
    expect((await world.call("DELETE", `/webhooks/${id}`, {})).body).toEqual({ deleted: true });
    expect(codeOf(await world.call("GET", `/webhooks/${id}`))).toEqual([404, "WebhookNotFound"]);
    expect(codeOf(await world.call("DELETE", `/webhooks/${id}`, {}))).toEqual([404, "WebhookNotFound"]);
  });

  it("is pinged with a signed event that is recorded nowhere", async () => {
    using endpoint = await listen();
    const { id, secret } = await create({ ...BODY, url: endpoint.url });
    expect((await world.call("POST", `/webhooks/${id}/ping`, {})).body).toEqual({ status: "200" });
    const [{ signature, body } = { signature: "", body: "" }] = endpoint.heard;
    expect(signature).toBe(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    expect(itemsOf(await world.call("GET", `/webhooks/${id}/events`))).toEqual([]);
  });

  it("whose endpoint is away says so when it is pinged", async () => {
    const { id } = await create({ ...BODY, url: "http://127.0.0.1:1/" });
    expect((await world.call("POST", `/webhooks/${id}/ping`, {})).body).toMatchObject({
      status: "ECONNREFUSED",
    });
  });

  it("is one of five at most, also for requests at the same moment", async () => {
    const answers = await Promise.all(Array.from({ length: 7 }, () => world.call("POST", "/webhooks", BODY)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409, 409]);
  });
});

describe("the events of a webhook", () => {
  const record = async (webhookId: string, count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      const id = freshId(webhookEventIdSchema, "wh");
      const deliveryFailed = at % 2 === 0;
      const event = {
        id,
        kind: "wallet.created",
        date: new Date().toISOString(),
        data: {},
        status: deliveryFailed ? "500" : "200",
        timestampSent: at,
        deliveryFailed,
        deliveryAttempt: 1,
      };
      await world.database.execute(
        `insert into webhook_events (id, webhook_id, org_id, kind, delivery_failed, event, date_sent)
         values ($1, $2, $3, $4, $5, $6, now() - make_interval(mins => $7))`,
        [id, webhookId, world.caller.orgId, event.kind, deliveryFailed, JSON.stringify(event), at],
      );
    }
  };
  const sentOf = (answer: Answer) =>
    z
      .array(z.looseObject({ timestampSent: z.int() }))
      .parse(itemsOf(answer))
      .map(({ timestampSent }) => timestampSent);

  it("are listed newest first, page by page, each event once", async () => {
    const { id } = await create();
    await record(id, 5);
    const seen: number[] = [];
    let token = "";
    do {
      const answer = await world.call("GET", `/webhooks/${id}/events?limit=2${token}`);
      seen.push(...sentOf(answer));
      const { nextPageToken } = z.looseObject({ nextPageToken: z.string().optional() }).parse(answer.body);
      token = nextPageToken === undefined ? "" : `&paginationToken=${nextPageToken}`;
    } while (token !== "");
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  it("are filtered by whether their delivery failed, and by kind", async () => {
    const { id } = await create();
    await record(id, 4);
    const path = `/webhooks/${id}/events`;
    expect(sentOf(await world.call("GET", `${path}?deliveryFailed=true`))).toEqual([0, 2]);
    expect(sentOf(await world.call("GET", `${path}?deliveryFailed=false`))).toEqual([1, 3]);
    expect(sentOf(await world.call("GET", `${path}?kind=wallet.exported`))).toEqual([]);
  });

  it("are read one by one", async () => {
    const { id } = await create();
    await record(id, 1);
    const [event] = itemsOf(await world.call("GET", `/webhooks/${id}/events`));
    const { id: eventId } = z.looseObject({ id: z.string() }).parse(event);
    expect((await world.call("GET", `/webhooks/${id}/events/${eventId}`)).body).toEqual(event);
    const other = freshId(webhookEventIdSchema, "whe");
    expect(codeOf(await world.call("GET", `/webhooks/${id}/events/${other}`))).toEqual([
      404,
      "WebhookEventNotFound",
    ]);
  });
});

describe("INV-9 refused, and nothing is written:", () => {
  it.each<readonly [string, unknown]>([
    ["no url", { events: ["*"] }],
    ["no events", { url: BODY.url }],
    ["an empty list of events", { url: BODY.url, events: [] }],
    ["an unknown kind", { url: BODY.url, events: ["wallet.transfer.initiated"] }],
    ["a kind twice", { url: BODY.url, events: ["*", "*"] }],
    ["a url of another protocol", { ...BODY, url: "ftp://example.com" }],
    ["no url at all", { ...BODY, url: "example" }],
    ["a url with a password behind slashes too many", { ...BODY, url: "https:///user:secret@example.com" }],
    ["a url of NUL", { ...BODY, url: "https://example.com/\0" }],
    ["a url of half a character", { ...BODY, url: "https://example.com/\ud800" }],
    ["a url with a password", { ...BODY, url: "https://user:secret@example.com" }],
    ["a long url", { ...BODY, url: `https://example.com/${"a".repeat(2_048)}` }],
    ["another status", { ...BODY, status: "Paused" }],
    ["a long description", { ...BODY, description: "a".repeat(257) }],
    ["an unknown field", { ...BODY, secret: "mine" }],
  ])("%s", async (_, body) => {
    expect(codeOf(await world.call("POST", "/webhooks", body))).toEqual([400, "InvalidBody"]);
    expect(itemsOf(await world.call("GET", "/webhooks"))).toEqual([]);
  });

  it("INV-11 a webhook of another organisation, by the very answer of one that does not exist", async () => {
    const { id } = await create();
    const stranger = { authorization: `Bearer ${world.strangersToken}` };
    for (const [method, path, body] of [
      ["GET", `/webhooks/${id}`, undefined],
      ["PUT", `/webhooks/${id}`, { status: "Disabled" }],
      ["DELETE", `/webhooks/${id}`, {}],
      ["POST", `/webhooks/${id}/ping`, {}],
      ["GET", `/webhooks/${id}/events`, undefined],
      ["GET", `/webhooks/${id}/events/${freshId(webhookEventIdSchema, "whe")}`, undefined],
    ] as const) {
      expect(codeOf(await world.call(method, path, body, stranger))).toEqual([404, "WebhookNotFound"]);
    }
    expect((await world.call("GET", `/webhooks/${id}`)).body).toMatchObject({ status: "Enabled" });
  });

  it("an unknown webhook", async () => {
    const id = freshId(webhookIdSchema, "wh");
    expect(codeOf(await world.call("GET", `/webhooks/${id}/events`))).toEqual([404, "WebhookNotFound"]);
  });
});

describe("where private addresses are not allowed", () => {
  let careful: World;
  beforeAll(async () => {
    careful = await startWorld({ allowPrivateAddresses: false });
  });
  afterAll(() => careful.stop());

  it.each([
    "http://127.0.0.1/",
    "http://localhost/",
    "http://[::1]/",
    "http://169.254.169.254/",
    "http://10.0.0.1/",
  ])("a webhook to %s is refused", async (url) => {
    expect(codeOf(await careful.call("POST", "/webhooks", { ...BODY, url }))).toEqual([
      400,
      "WebhookTargetPrivate",
    ]);
  });

  it("a webhook cannot be turned to one either", async () => {
    const { id } = created.parse(
      (await careful.call("POST", "/webhooks", { ...BODY, url: "https://1.1.1.1/" })).body,
    );
    const url = "http://192.168.0.1/";
    expect(codeOf(await careful.call("PUT", `/webhooks/${id}`, { url }))).toEqual([
      400,
      "WebhookTargetPrivate",
    ]);
  });
});
