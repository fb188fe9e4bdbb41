import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webhookEventIdSchema, webhookIdSchema } from "../identifiers.ts";
import {
  attemptOf,
  type Delivery,
  deliveryBody,
  deliverySignature,
  nextAttemptMs,
  receivedAttempt,
} from "./delivery.ts";

const FIRST_MS = Date.parse("2026-01-01T00:00:00.900Z");
const ID = webhookEventIdSchema.parse("whe-00000-00000-0000000000000001");
const delivery: Delivery = {
  webhookId: webhookIdSchema.parse("wh-00000-00000-0000000000000000"),
  kind: "wallet.created",
  date: "2025-12-31T23:59:59.000Z",
  data: { wallet: { id: "wa-1" } },
  firstSentMs: undefined,
  attempts: 0,
  retryOf: undefined,
};

describe("an attempt to deliver", () => {
  it("carries what happened and when it was sent", () => {
    expect(attemptOf(delivery, ID, FIRST_MS)).toEqual({
      id: ID,
      kind: "wallet.created",
      date: "2025-12-31T23:59:59.000Z",
      data: { wallet: { id: "wa-1" } },
      status: "200",
      timestampSent: 1_767_225_600,
      deliveryFailed: false,
      deliveryAttempt: 1,
    });
  });

  it("names the attempt that it repeats", () => {
    const again = attemptOf({ ...delivery, attempts: 1, retryOf: ID, firstSentMs: FIRST_MS }, ID, FIRST_MS);
    expect(again).toMatchObject({ deliveryAttempt: 2, retryOf: ID });
  });

  it("succeeds with exactly 200, and fails with any other answer and with none", () => {
    const sent = attemptOf(delivery, ID, FIRST_MS);
    const failed = (status: number) =>
      receivedAttempt(sent, { kind: "answered", status }, FIRST_MS).deliveryFailed;
    expect([200, 201, 204, 302, 404, 500].map(failed)).toEqual([false, true, true, true, true, true]);
    const unreached = { kind: "unreached", code: "ECONNREFUSED", error: "nobody listens" } as const;
    expect(receivedAttempt(sent, unreached, FIRST_MS)).toMatchObject({
      status: "ECONNREFUSED",
      error: "nobody listens",
      deliveryFailed: true,
      nextAttemptDate: "2026-01-01T00:01:00.900Z",
    });
  });

  it("is repeated a minute, 12 minutes, two hours and a day after the first, and then no more", () => {
    const minutes = [1, 2, 3, 4, 5].map((attempt) => {
      const next = nextAttemptMs(attempt, FIRST_MS);
      return next === undefined ? undefined : (next - FIRST_MS) / 60_000;
    });
    expect(minutes).toEqual([1, 12, 120, 1_440, undefined]);
  });
});

describe("a signed body", () => {
  it("is what a receiver gets that parses it and writes it again", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const body = deliveryBody(attemptOf({ ...delivery, data }, ID, FIRST_MS));
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
      }),
    );
  });

  it("is signed as Node's own HMAC signs it", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (secret, body) => {
        const expected = createHmac("sha256", secret).update(body).digest("hex");
        expect(deliverySignature(secret, body)).toBe(`sha256=${expected}`);
      }),
    );
  });
});
