import { deliverySignature, WEBHOOK_SIGNATURE_HEADER } from "@conclave/custody";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DeliveredEvent, listenForEvents, type WebhookListener } from "./webhook-listener.ts";

const event = { id: "whe-1", kind: "wallet.created", date: "2026-11-23T00:00:00.000Z", data: {} };
const body = JSON.stringify(event);

let secret: string | undefined;
let heard: DeliveredEvent[];
let listener: WebhookListener;
beforeEach(async () => {
  secret = "the secret";
  heard = [];
  listener = await listenForEvents(
    () => secret,
    (one) => {
      heard.push(one.event);
      return undefined;
    },
  );
});
afterEach(() => listener.close());

const deliver = async (signature: string, sent = body): Promise<number> => {
  const headers = { [WEBHOOK_SIGNATURE_HEADER]: signature };
  return (await fetch(listener.url, { method: "POST", headers, body: sent })).status;
};

it("accepts a delivery with the webhook's signature", async () => {
  expect(await deliver(deliverySignature("the secret", body))).toBe(200);
  expect(heard).toEqual([event]);
});

it("refuses every other delivery", async () => {
  expect(await deliver(deliverySignature("another secret", body))).toBe(401);
  expect(await deliver(deliverySignature("the secret", body), `${body} `)).toBe(401);
  expect(await deliver("")).toBe(401);
  expect(await deliver(deliverySignature("the secret", "no event"), "no event")).toBe(400);
  secret = undefined;
  expect(await deliver(deliverySignature("the secret", body))).toBe(401);
  expect(heard).toEqual([]);
});
