import { createHmac } from "node:crypto";
import { type Reception, webhookEventIdSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import type { Sender } from "../webhook-sender/index.ts";
import type { HeardDelivery } from "./memory-endpoints.ts";

const SECRET = "whs-secret";

/** The event that sender tests send: its data has keys that JSON reorders, and a letter of two bytes. */
export const SENT_EVENT = {
  id: webhookEventIdSchema.parse("whe-00000-00000-0000000000000001"),
  kind: "wallet.created",
  date: "2026-01-01T00:00:00.000Z",
  data: { 2: "two", 1: "one", name: "é" },
  status: "200",
  timestampSent: 1_767_225_600,
  deliveryFailed: false,
  deliveryAttempt: 1,
} as const;

/** A sender under test, and endpoints that it can reach. */
export interface TriedSender {
  readonly send: Sender;
  /** a sender that soon gives up on a silent endpoint */
  readonly impatient: Sender;
  /** opens an endpoint. @param redirect target, for an endpoint that redirects */
  readonly endpoint: (
    answer: number | "silent" | "closed",
    redirect?: string,
  ) => Promise<{ readonly url: string; readonly heard: readonly HeardDelivery[] }>;
  /** a URL where nobody listens */
  readonly nowhere: string;
  /** lets time pass until the sending is done */
  readonly settled: (sending: Promise<Reception>) => Promise<Reception>;
}

/** The behaviour of every sender of webhooks, over HTTP or in memory. */
export const describeSender = (name: string, open: () => TriedSender): void => {
  describe(`${name} as a sender`, () => {
    it("signs the very bytes that it sends, and a receiver that parses and writes them again finds the same", async () => {
      const { send, endpoint, settled } = open();
      const { url, heard } = await endpoint(200);
      expect(await settled(send(url, SECRET, SENT_EVENT))).toEqual({ kind: "answered", status: 200 });
      const [{ signature, body } = { signature: "", body: "" }] = heard;
      const again = JSON.stringify(JSON.parse(body));
      expect(signature).toBe(`sha256=${createHmac("sha256", SECRET).update(again).digest("hex")}`);
    });

    it.each([200, 204, 404, 500])("says that the endpoint answered %s", async (status) => {
      const { send, endpoint, settled } = open();
      const { url } = await endpoint(status);
      expect(await settled(send(url, SECRET, SENT_EVENT))).toEqual({ kind: "answered", status });
    });

    it("follows no redirect", async () => {
      const { send, endpoint, settled } = open();
      const target = await endpoint(200);
      const { url } = await endpoint(302, target.url);
      expect(await settled(send(url, SECRET, SENT_EVENT))).toEqual({ kind: "answered", status: 302 });
      expect(target.heard).toEqual([]);
    });

    it("gives up on an endpoint that does not answer", async () => {
      const { impatient, endpoint, settled } = open();
      const { url } = await endpoint("silent");
      const reception = await settled(impatient(url, SECRET, SENT_EVENT));
      expect(reception).toMatchObject({ kind: "unreached", code: "ETIMEDOUT" });
    });

    it("is done with an endpoint that hangs up", async () => {
      const { send, endpoint, settled } = open();
      const { url } = await endpoint("closed");
      expect(await settled(send(url, SECRET, SENT_EVENT))).toMatchObject({ kind: "unreached" });
    });

    it("says that nobody listens", async () => {
      const { send, nowhere, settled } = open();
      expect(await settled(send(nowhere, SECRET, SENT_EVENT))).toMatchObject({ kind: "unreached" });
    });
  });
};
