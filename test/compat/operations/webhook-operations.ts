import { describe, expect, it, vi } from "vitest";
import { type CompatWorld, freshReceiver } from "../compat-world.ts";
import { WebhookReceiver } from "./webhook-receiver.ts";

const DELIVERED_MS = 20_000;

/** client.webhooks, and the deliveries to a receiver. */
export const webhookOperations = (world: () => CompatWorld): void => {
  describe("client.webhooks", () => {
    it("delivers events that the documented verifier accepts, and lists their deliveries", async () => {
      const { service, treasury } = world();
      const { webhooks } = service;
      await using receiver = await WebhookReceiver.listen();
      const { secret, ...created } = await webhooks.createWebhook({
        body: { url: receiver.url, events: ["wallet.transfer.requested"], description: "books" },
      });
      expect(secret).toMatch(/^whs-[A-Za-z0-9]{32}$/);
      const webhookId = created.id;
      expect(await webhooks.getWebhook({ webhookId })).toEqual(created);
      expect((await webhooks.listWebhooks()).items).toContainEqual(created);
      const updated = await webhooks.updateWebhook({
        webhookId,
        body: { events: ["wallet.transfer.requested", "wallet.transfer.confirmed"] },
      });
      expect(updated.events).toEqual(["wallet.transfer.requested", "wallet.transfer.confirmed"]);
      expect(await webhooks.pingWebhook({ webhookId })).toEqual({ status: "200" });

      const body = { kind: "Native", to: freshReceiver(), amount: "2" } as const;
      const { id } = await service.wallets.transferAsset({ walletId: treasury.id, body });
      await vi.waitFor(
        () => {
          const received = receiver.events(secret).filter(({ kind }) => kind.startsWith("wallet.transfer"));
          expect(received.map(({ kind }) => kind).sort()).toEqual([
            "wallet.transfer.confirmed",
            "wallet.transfer.requested",
          ]);
          expect(received[0]?.data).toMatchObject({ transferRequest: { id } });
        },
        { timeout: DELIVERED_MS },
      );
      const { items } = await vi.waitFor(
        async () => {
          const listed = await webhooks.listWebhookEvents({ webhookId, query: { deliveryFailed: "false" } });
          expect(listed.items).toHaveLength(2);
          return listed;
        },
        { timeout: DELIVERED_MS },
      );
      const [first] = items;
      const webhookEventId = first?.id ?? expect.fail("no delivery is listed");
      expect(webhookEventId).toMatch(/^wh-/);
      expect(await webhooks.getWebhookEvent({ webhookId, webhookEventId })).toEqual(first);
      expect(await webhooks.deleteWebhook({ webhookId })).toEqual({ deleted: true });
    });
  });
};
