import { z } from "zod";
import type { OrganisationId, WebhookId } from "../identifiers.ts";
import {
  type CreateWebhookBody,
  type UpdateWebhookBody,
  WEBHOOK_EVENT_KINDS,
  WEBHOOK_STATUSES,
} from "./webhook-body.ts";

/** The largest number of webhooks of one organisation (wire interface, section D.1). */
export const WEBHOOKS_MAX = 5;

/** An endpoint that receives an organisation's events. Dates are ISO 8601 UTC. */
export interface Webhook {
  readonly id: WebhookId;
  readonly orgId: OrganisationId;
  readonly url: string;
  /** kinds of event, or "*" for all */
  readonly events: CreateWebhookBody["events"];
  readonly status: (typeof WEBHOOK_STATUSES)[number];
  readonly description: string | undefined;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

/** The Webhook in API responses. */
export const webhookViewSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z
    .array(z.enum([...WEBHOOK_EVENT_KINDS, "*"]))
    .max(WEBHOOK_EVENT_KINDS.length + 1)
    .readonly(),
  status: z.enum(WEBHOOK_STATUSES),
  description: z.string().optional(),
  dateCreated: z.string(),
  dateUpdated: z.string(),
});
type WebhookView = z.infer<typeof webhookViewSchema>;

/** Makes a webhook from the body of its request. */
export const newWebhook = (
  ids: Pick<Webhook, "id" | "orgId">,
  body: CreateWebhookBody,
  date: string,
): Webhook => ({
  ...ids,
  url: body.url,
  events: body.events,
  status: body.status ?? "Enabled",
  description: body.description,
  dateCreated: date,
  dateUpdated: date,
});

/** Applies a change to a webhook. */
export const changedWebhook = (webhook: Webhook, body: UpdateWebhookBody, date: string): Webhook => ({
  ...webhook,
  url: body.url ?? webhook.url,
  events: body.events ?? webhook.events,
  status: body.status ?? webhook.status,
  description: body.description ?? webhook.description,
  dateUpdated: date,
});

/** Shows a webhook without its secret, which only the response that creates the webhook shows. */
export const webhookView = (webhook: Webhook): WebhookView => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  status: webhook.status,
  ...(webhook.description === undefined ? {} : { description: webhook.description }),
  dateCreated: webhook.dateCreated,
  dateUpdated: webhook.dateUpdated,
});
