import { expect, it } from "vitest";
import { answeringGateway } from "../../testing/answering-gateway.ts";
import { saidTo } from "../../testing/said.ts";
import { printWebhookEvents, printWebhooks } from "./webhook-lists.ts";

const said = saidTo("stdout");
const webhook = { id: "wh-1", url: "http://127.0.0.1/", status: "Enabled", events: ["*"] };
const event = (id: string, date: string) => ({
  id,
  date,
  kind: "wallet.created",
  data: { wallet: { id: "wa-1", status: "Active" } },
  status: "500",
  deliveryAttempt: 2,
});
const answers = {
  "GET /webhooks": [{ items: [webhook, { ...webhook, id: "wh-2" }] }],
  "GET /webhooks/wh-1/events": [{ items: [event("wh-b", "2026-02"), event("wh-a", "2026-01")] }],
  "GET /webhooks/wh-2/events": [{ items: [event("wh-c", "2026-03")] }],
};

it("lists webhooks", async () => {
  await printWebhooks(answeringGateway(answers).ask, { json: false });
  expect(said()).toMatch(/wh-1 +Enabled +http:\/\/127\.0\.0\.1\/ +\*/);
});

it("lists the attempts of all webhooks, or of one, with their ids, the oldest first", async () => {
  await printWebhookEvents(answeringGateway(answers).ask, undefined, { json: false });
  expect(said().match(/wh-[abc]/g)).toEqual(["wh-a", "wh-b", "wh-c"]);
  expect(said()).toMatch(/2026-01 +wh-a +wallet\.created +wa-1 Active +2 +500/);
  const { ask, asked } = answeringGateway(answers);
  await printWebhookEvents(ask, "wh-2", { json: true });
  expect(asked.map(({ path }) => path)).toEqual(["/webhooks/wh-2/events"]);
});
