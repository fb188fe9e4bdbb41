import { deliverySignature } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { checkDeliveries, type Happening, type WebhookFacts } from "./check-deliveries.ts";

const SECRET = "whs-secret";
const event: Happening = {
  kind: "wallet.transfer.requested",
  date: "2030-01-01T00:00:00.000Z",
  data: { transferRequest: { id: "xfr-1" } },
};
const other: Happening = { ...event, kind: "wallet.transfer.confirmed" };
const attempt = (content: Happening, isAccepted = true, secret = SECRET): WebhookFacts["heard"][number] => {
  const body = JSON.stringify({ ...content, id: "wh-1", status: "200" });
  return { body, isAccepted, signature: deliverySignature(secret, body) };
};
const clean: WebhookFacts = {
  orgId: "or-1",
  secret: SECRET,
  kinds: [event.kind],
  heard: [attempt(event)],
  events: [event, other],
  due: [],
};
const violated = (change: Partial<WebhookFacts>): readonly string[] =>
  checkDeliveries({ ...clean, ...change }).map(({ invariant, words }) => `${invariant} ${words}`);

describe("the deliveries of a webhook", () => {
  it("may be repeated, and leave out other kinds", () => {
    expect(violated({ heard: [attempt(event, false), attempt(event), attempt(event)] })).toEqual([]);
  });

  it("are the same in any order of their properties", () => {
    const data = { b: { d: 1, c: [2, 3] }, a: "" };
    const events = [{ ...event, data: { a: "", b: { c: [2, 3], d: 1 } } }];
    expect(violated({ events, heard: [attempt({ ...event, data })] })).toEqual([]);
    const swapped = { ...event, data: { ...data, b: { d: 1, c: [3, 2] } } };
    expect(violated({ events, heard: [attempt({ ...event, data }), attempt(swapped)] })).toHaveLength(1);
  });

  it("may be refused so far, while another attempt is to come", () => {
    expect(violated({ heard: [attempt(event, false)], due: [event] })).toEqual([]);
  });

  it("INV-6 have a finding where an event is missing", () => {
    expect(violated({ heard: [] })).toHaveLength(1);
    expect(violated({ heard: [], due: [event] })).toHaveLength(1);
    expect(violated({ heard: [attempt(event, false)] })).toHaveLength(1);
    expect(violated({ heard: [attempt(event, false)], due: [other] })).toHaveLength(1);
  });

  it.each([
    ["another date", { ...event, date: "2030-01-01T00:00:01.000Z" }],
    ["another content", { ...event, data: { transferRequest: { id: "xfr-2" } } }],
    ["a kind that is not wanted", other],
  ])("INV-6 have a finding where one says an event of %s", (_, content) => {
    expect(violated({ heard: [attempt(event), attempt(content)] })).toHaveLength(1);
  });

  it("INV-6 have a finding where one is signed by another secret", () => {
    expect(violated({ heard: [attempt(event, true, "whs-other")] })).toHaveLength(1);
  });
});
