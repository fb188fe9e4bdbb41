import { refusal } from "./descriptor.ts";

/** Webhooks and their events. */
export const WEBHOOK_ERRORS = {
  WebhookNotFound: refusal(404, "webhook not found", "List webhooks with GET /webhooks."),
  WebhookEventNotFound: refusal(
    404,
    "webhook event not found",
    "List events with GET /webhooks/{webhookId}/events; they are kept for 31 days.",
  ),
  WebhookLimitReached: refusal(
    409,
    "The organisation has as many webhooks as it may.",
    "Delete one, or change one of those that are there.",
  ),
  WebhookTargetPrivate: refusal(
    400,
    "The webhook's URL leads to a private address.",
    "Use a public address, or set CONCLAVE_PRIVATE_WEBHOOKS=allowed on gateway and orchestrator.",
  ),
} as const;
