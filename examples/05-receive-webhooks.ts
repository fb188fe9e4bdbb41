// A webhook receiver: every delivery is signed with the webhook's secret, and is checked before it is believed.
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { administrator } from "./cluster.ts";

const eventSchema = z.object({ id: z.string(), kind: z.string(), timestampSent: z.number() });

const verified = (body: string, signature: string, secret: string) => {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error("not signed");
  const event = eventSchema.parse(JSON.parse(body));
  // somebody may have recorded it and play it again
  if (Math.abs(Date.now() / 1_000 - event.timestampSent) > 300) throw new Error("too old");
  return event;
};

let secret = "";
let hear = () => {};
const heard = new Promise<void>((resolve) => {
  hear = resolve;
});
const server = createServer(async (request, response) => {
  const signature = String(request.headers["x-dfns-webhook-signature"]);
  const event = verified(await text(request), signature, secret);
  // only 200 counts as delivered; the same event may come again, with another id
  response.writeHead(200).end();
  console.log(`received ${event.kind}, and it is signed`);
  if (event.kind === "wallet.created") hear();
}).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const port = typeof address === "object" ? address?.port : undefined;

const client = administrator();
const { id: webhookId, ...webhook } = await client.webhooks.createWebhook({
  body: { url: `http://127.0.0.1:${port}/events`, events: ["wallet.created"], description: "example" },
});
secret = webhook.secret; // shown this once
await client.wallets.createWallet({ body: { network: "KeyECDSA" } });
await heard;
await client.webhooks.deleteWebhook({ webhookId });
server.close();
server.closeAllConnections();
