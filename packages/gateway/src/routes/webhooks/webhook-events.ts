import { problem } from "@conclave/custody";
import { listWebhookEvents, readWebhookEvent } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { readPageOfLarge } from "../../http/pagination.ts";
import { demand, Refused } from "../../http/refused.ts";
import {
  webhookEventListSchema,
  webhookEventParams,
  webhookEventSchema,
  webhookEventsQuery,
  webhookParams,
} from "../../schemas/webhook.ts";
import { visibleWebhook } from "../../webhooks/webhooks.ts";
import { answer, operation, readErrors } from "../operation.ts";

const listWebhookEventsRoute = operation("get", "/webhooks/{webhookId}/events", {
  operationId: "listWebhookEvents",
  summary: "List the attempts to deliver of the last 31 days, newest first",
  needs: ["Webhooks:Events:Read"],
  request: { params: webhookParams, query: webhookEventsQuery },
  answers: { 200: answer("One page", webhookEventListSchema), ...readErrors },
});

const getWebhookEventRoute = operation("get", "/webhooks/{webhookId}/events/{webhookEventId}", {
  operationId: "getWebhookEvent",
  summary: "Read one attempt to deliver",
  needs: ["Webhooks:Events:Read"],
  request: { params: webhookEventParams },
  answers: { 200: answer("The attempt", webhookEventSchema), ...readErrors },
});

/** Adds the operations on events that were sent to webhooks (service interface, Events). */
export const addWebhookEventRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  { database, now }: Pick<Dependencies, "database" | "now">,
): void => {
  app.openapi(listWebhookEventsRoute, async (c) => {
    const { webhookId } = c.req.valid("param");
    const { kind, deliveryFailed, ...query } = c.req.valid("query");
    demand(await visibleWebhook(database, c.get("caller"), webhookId));
    const filter = { kind, deliveryFailed: deliveryFailed && deliveryFailed === "true" };
    const nowMs = now().getTime();
    const { items, next } = await readPageOfLarge(query, {
      read: (page) => listWebhookEvents(database, webhookId, filter, page, nowMs),
      dateOf: ({ dateSent }) => dateSent,
      show: (deliveries) => deliveries.map(({ event }) => event),
    });
    return c.json({ items, ...next }, 200);
  });
  app.openapi(getWebhookEventRoute, async (c) => {
    const { webhookId, webhookEventId } = c.req.valid("param");
    demand(await visibleWebhook(database, c.get("caller"), webhookId));
    const found = await readWebhookEvent(database, webhookId, webhookEventId, now().getTime());
    if (found === undefined)
      throw new Refused(problem("WebhookEventNotFound", { webhookId, webhookEventId }));
    return c.json(found.event, 200);
  });
};
