import { deliverySignature, WEBHOOK_SIGNATURE_HEADER } from "@conclave/custody";
import { expect, it } from "vitest";
import { z } from "zod";
import { answeringGateway } from "../testing/answering-gateway.ts";
import { saidTo } from "../testing/said.ts";
import { followEvents } from "./events.ts";
import { printEvents } from "./webhooks/webhook-lists.ts";

const said = saidTo("stdout");
const progress = saidTo("stderr");

const event = (date: string, kind: string) => ({
  id: `whe-${date}`,
  kind,
  date,
  status: "200",
  data: { transferRequest: { id: "xfr-1", status: "Confirmed" } },
});

it("lists the events sent to all webhooks, oldest first, of the requested kinds", async () => {
  const { ask } = answeringGateway({
    "GET /webhooks": [{ items: [{ id: "wh-1" }, { id: "wh-2" }] }],
    "GET /webhooks/wh-1/events": [{ items: [event("3", "wallet.created"), event("2", "wallet.exported")] }],
    "GET /webhooks/wh-2/events": [{ items: [event("1", "wallet.created")] }],
  });
  await printEvents(ask, { json: true, kinds: ["wallet.created"] });
  expect(z.array(z.object({ date: z.string() })).parse(JSON.parse(said()))).toEqual([
    { date: "1" },
    { date: "3" },
  ]);
});

it("prints events as they happen, and leaves no webhook behind", async () => {
  const used = answeringGateway({
    "GET /webhooks": [
      {
        items: [
          { id: "wh-gone", description: "conclave events --follow" },
          { id: "wh-beside", description: "conclave events --follow" },
          { id: "wh-users" },
        ],
      },
    ],
    "POST /webhooks/wh-gone/ping": [{ status: "ECONNREFUSED" }],
    "POST /webhooks/wh-beside/ping": [{ status: "200" }],
    "DELETE /webhooks/wh-gone": [{}],
    "POST /webhooks": [{ id: "wh-1", secret: "the secret" }],
    "DELETE /webhooks/wh-1": [{}],
  });
  let stop = (): void => undefined;
  const requested = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const following = followEvents(used.ask, { json: false, kinds: [] }, { requested });
  await expect.poll(progress).toContain("listens");
  const created = used.asked.find(({ method, path }) => method === "POST" && path === "/webhooks");
  const { url, events } = z.object({ url: z.string(), events: z.array(z.string()) }).parse(created?.body);
  expect(events).toEqual(["*"]);
  const body = JSON.stringify(event("2026-11-23", "wallet.transfer.confirmed"));
  const headers = { [WEBHOOK_SIGNATURE_HEADER]: deliverySignature("the secret", body) };
  await fetch(url, { method: "POST", headers, body });
  expect(said()).toBe("2026-11-23  wallet.transfer.confirmed  xfr-1 Confirmed\n");
  stop();
  await following;
  const deleted = used.asked.filter(({ method }) => method === "DELETE").map(({ path }) => path);
  expect(deleted).toEqual(["/webhooks/wh-gone", "/webhooks/wh-1"]);
});
