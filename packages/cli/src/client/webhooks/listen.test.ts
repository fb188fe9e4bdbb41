import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { deliverySignature, WEBHOOK_SIGNATURE_HEADER } from "@conclave/custody";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { answeringGateway } from "../../testing/answering-gateway.ts";
import { saidTo } from "../../testing/said.ts";
import { forwardDelivery } from "./forward-delivery.ts";
import { listenToWebhook } from "./listen.ts";

const said = saidTo("stdout");
saidTo("stderr");
const EVENT = {
  id: "wh-1",
  kind: "wallet.transfer.confirmed",
  date: "2026-11-23T00:00:00.000Z",
  data: { transferRequest: { id: "xfr-1", status: "Confirmed" } },
};
const BODY = JSON.stringify(EVENT);

let target: Server;
let targetUrl: string;
let status: number;
let heard: {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly url: string | undefined;
}[];
beforeEach(async () => {
  heard = [];
  status = 200;
  target = createServer(async (request, response) => {
    heard.push({ headers: request.headers, body: await text(request), url: request.url });
    response.writeHead(status).end("an answer");
  });
  target.listen(0, "127.0.0.1");
  await once(target, "listening");
  const address = target.address();
  targetUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hook`;
});
afterEach(() => {
  target.closeAllConnections();
  target.close();
});

const startListening = (asked: Partial<Parameters<typeof listenToWebhook>[1]>) => {
  const gateway = answeringGateway({
    "GET /webhooks": [{ items: [] }],
    "POST /webhooks": [{ id: "wh-1", secret: "the secret" }],
    "DELETE /webhooks/wh-1": [{ deleted: true }],
  });
  let stop = (): void => undefined;
  const requested = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const listening = listenToWebhook(
    async () => gateway.ask,
    { json: false, events: [], ...asked },
    { requested },
  );
  const asksFor = () =>
    z
      .looseObject({ url: z.string(), events: z.array(z.string()) })
      .parse(gateway.asked.find(({ method }) => method === "POST")?.body);
  return { ...gateway, listening, asksFor, stop };
};

const deliver = async (url: string, secret = "the secret"): Promise<number> => {
  const headers = {
    [WEBHOOK_SIGNATURE_HEADER]: deliverySignature(secret, BODY),
    "content-type": "application/json",
  };
  return (await fetch(url, { method: "POST", headers, body: BODY })).status;
};

it("shows the secret and each delivery, sends it on as it came, answers as its target, and deletes the webhook", async () => {
  const used = startListening({ forwardTo: targetUrl, events: ["wallet.transfer.confirmed"] });
  await expect.poll(said).toContain("secret       the secret");
  expect(used.asksFor().events).toEqual(["wallet.transfer.confirmed"]);
  expect(await deliver(used.asksFor().url)).toBe(200);
  expect(heard).toMatchObject([
    { url: "/hook", body: BODY, headers: { "content-type": "application/json" } },
  ]);
  expect(heard[0]?.headers[WEBHOOK_SIGNATURE_HEADER]).toBe(deliverySignature("the secret", BODY));
  expect(said()).toMatch(
    /\n20\S+Z {2}wallet\.transfer\.confirmed {2}wh-1 {2}200 {2}\d+ ms {2}xfr-1 Confirmed\n$/,
  );
  status = 503;
  expect(await deliver(used.asksFor().url)).toBe(503);
  expect(await deliver(used.asksFor().url, "another")).toBe(401);
  expect(heard).toHaveLength(2);
  used.stop();
  await used.listening;
  expect(used.asked.at(-1)).toMatchObject({ method: "DELETE", path: "/webhooks/wh-1" });
});

it("prints deliveries only, as JSON too, where no target is named", async () => {
  const used = startListening({ json: true });
  await expect.poll(said).toBe('{"webhook":"wh-1","secret":"the secret"}\n');
  expect(used.asksFor().events).toEqual(["*"]);
  expect(await deliver(used.asksFor().url)).toBe(200);
  const [, line = ""] = said().split("\n");
  expect(JSON.parse(line)).toMatchObject({ kind: EVENT.kind, id: "wh-1", event: EVENT });
  used.stop();
  await used.listening;
});

it.each([
  [{ forwardTo: "localhost:3000" }, '"localhost:3000" is no http or https URL'],
  [{ forwardTo: "/hook" }, '"/hook" is no http or https URL'],
  [
    { events: ["wallet.transfer.done"] },
    'there is no kind of event "wallet.transfer.done"; there are key.created,',
  ],
])("refuses %j before it creates anything", async (asked, sentence) => {
  const used = startListening(asked);
  const refused = await used.listening.catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: "UsageError", message: expect.stringContaining(sentence) });
  expect(used.asked).toEqual([]);
});

it("says why a target gave no answer", async () => {
  const delivery = { event: EVENT, headers: {}, body: Buffer.from(BODY) };
  expect(await forwardDelivery(new URL("http://127.0.0.1:1/"), delivery)).toEqual({
    answer: "ECONNREFUSED",
    status: 502,
  });
  target.removeAllListeners("request");
  expect(await forwardDelivery(new URL(targetUrl), delivery, 50)).toEqual({
    answer: "ETIMEDOUT",
    status: 504,
  });
});
