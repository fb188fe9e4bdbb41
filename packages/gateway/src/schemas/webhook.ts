import {
  WEBHOOK_EVENT_KINDS,
  webhookAttemptSchema,
  webhookEventIdSchema,
  webhookIdSchema,
  webhookViewSchema,
} from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { pageQuerySchema } from "../http/pagination.ts";

export const webhookParams = z.object({ webhookId: webhookIdSchema });
export const webhookEventParams = z.object({
  webhookId: webhookIdSchema,
  webhookEventId: webhookEventIdSchema,
});

export const webhookSchema = z.object(webhookViewSchema.shape).openapi("Webhook");

export const createdWebhookSchema = webhookSchema
  .extend({ secret: z.string().openapi({ description: "Shown this once; deliveries are signed with it" }) })
  .openapi("CreatedWebhook");

export const webhookListSchema = z.object({
  items: z.array(webhookSchema).readonly(),
  nextPageToken: z.string().optional(),
});

export const deletedSchema = z.object({ deleted: z.literal(true) });

export const pongSchema = z.object({ status: z.string(), error: z.string().optional() });

/** The query of a webhook's events (service interface, List webhook events). */
export const webhookEventsQuery = pageQuerySchema.extend({
  kind: z.enum(WEBHOOK_EVENT_KINDS).optional(),
  deliveryFailed: z.enum(["true", "false"]).optional(),
});

export const webhookEventSchema = webhookAttemptSchema.extend({ id: z.string() }).openapi("WebhookEvent");

export const webhookEventListSchema = z.object({
  items: z.array(webhookEventSchema).readonly(),
  nextPageToken: z.string().optional(),
});
