import { z } from "zod";
import type { StopRequest } from "../../stop-request.ts";
import type { AskGateway } from "../gateway.ts";
import { readAll } from "../pages.ts";
import { type HeardDelivery, listenForEvents } from "./webhook-listener.ts";

const webhookSchema = z.looseObject({ id: z.string(), description: z.string().optional() });
const createdSchema = z.looseObject({ id: z.string(), secret: z.string() });
export type CreatedWebhook = z.infer<typeof createdSchema>;

export interface ListenerParts {
  /** marks the webhooks of a command, so that its next run finds one that a killed listener left behind */
  readonly description: string;
  /** kinds of events; all of them when empty */
  readonly kinds: readonly string[];
  /** called once, when the webhook is there */
  readonly began: (webhook: CreatedWebhook) => void;
  /** receives each delivery with the webhook's signature, and gives the status of the answer, 200 by default */
  readonly heard: (delivery: HeardDelivery) => Promise<number> | undefined;
}

/**
 * Creates a webhook to a port of this machine, on which the gateway must run too, hears its deliveries until SIGINT or
 * SIGTERM, and deletes the webhook.
 */
export const whileListening = async (
  ask: AskGateway,
  { description, kinds, began, heard }: ListenerParts,
  stop: Pick<StopRequest, "requested">,
): Promise<void> => {
  await deleteLeftBehind(ask, description);
  let secret: string | undefined;
  const listener = await listenForEvents(() => secret, heard);
  try {
    const webhook = await ask(createdSchema, "POST", "/webhooks", {
      url: listener.url,
      events: kinds.length === 0 ? ["*"] : kinds,
      description,
    });
    secret = webhook.secret;
    began(webhook);
    await stop.requested;
    await ask(z.unknown(), "DELETE", `/webhooks/${webhook.id}`);
  } finally {
    await listener.close();
  }
};

/**
 * Deletes the webhooks of killed listeners. A webhook whose listener answers a ping stays: that listener runs beside this
 * one.
 */
const deleteLeftBehind = async (ask: AskGateway, marked: string): Promise<void> => {
  const webhooks = await readAll(ask, webhookSchema, "/webhooks");
  for (const { id } of webhooks.filter(({ description }) => description === marked)) {
    const { status } = await ask(z.looseObject({ status: z.string() }), "POST", `/webhooks/${id}/ping`);
    if (status !== "200") await ask(z.unknown(), "DELETE", `/webhooks/${id}`);
  }
};
