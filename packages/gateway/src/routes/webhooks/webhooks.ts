import { createWebhookBodySchema, problem, updateWebhookBodySchema, webhookView } from "@conclave/custody";
import { deleteWebhook, listWebhooks } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { CREATE_WEBHOOK_EXAMPLES, UPDATE_WEBHOOK_EXAMPLES } from "../../document/examples/policies.ts";
import { pageQuerySchema, readPage } from "../../http/pagination.ts";
import { demand, Refused } from "../../http/refused.ts";
import { forbiddenError } from "../../schemas/error.ts";
import {
  createdWebhookSchema,
  deletedSchema,
  pongSchema,
  webhookListSchema,
  webhookParams,
  webhookSchema,
} from "../../schemas/webhook.ts";
import { changeWebhook, createWebhook, pingWebhook, visibleWebhook } from "../../webhooks/webhooks.ts";
import { answer, bodyOf, changeErrors, createErrors, operation, readErrors } from "../operation.ts";

const one = answer("The webhook", webhookSchema);

const createWebhookRoute = operation("post", "/webhooks", {
  operationId: "createWebhook",
  summary: "Create a webhook: its URL hears of the kinds of event that it names",
  needs: ["Webhooks:Create"],
  request: { body: bodyOf(createWebhookBodySchema, CREATE_WEBHOOK_EXAMPLES) },
  answers: { 200: answer("The webhook with its secret", createdWebhookSchema), ...createErrors },
});

const listWebhooksRoute = operation("get", "/webhooks", {
  operationId: "listWebhooks",
  summary: "List the organisation's webhooks, newest first",
  needs: ["Webhooks:Read"],
  request: { query: pageQuerySchema },
  answers: { 200: answer("One page", webhookListSchema), ...forbiddenError },
});

const getWebhookRoute = operation("get", "/webhooks/{webhookId}", {
  operationId: "getWebhook",
  summary: "Read a webhook",
  needs: ["Webhooks:Read"],
  request: { params: webhookParams },
  answers: { 200: one, ...readErrors },
});

const updateWebhookRoute = operation("put", "/webhooks/{webhookId}", {
  operationId: "updateWebhook",
  summary: "Change a webhook; what is left out stays",
  needs: ["Webhooks:Update"],
  request: { params: webhookParams, body: bodyOf(updateWebhookBodySchema, UPDATE_WEBHOOK_EXAMPLES) },
  answers: { 200: one, ...changeErrors },
});

const deleteWebhookRoute = operation("delete", "/webhooks/{webhookId}", {
  operationId: "deleteWebhook",
  summary: "Delete a webhook, with the record of what it heard",
  needs: ["Webhooks:Delete"],
  request: { params: webhookParams },
  answers: { 200: answer("Deleted", deletedSchema), ...readErrors },
});

const pingWebhookRoute = operation("post", "/webhooks/{webhookId}/ping", {
  operationId: "pingWebhook",
  summary: "Send an event that never happened, and say what the URL answered",
  needs: ["Webhooks:Ping"],
  request: { params: webhookParams },
  answers: { 200: answer("What the endpoint made of it", pongSchema), ...readErrors },
});

/** Adds the operations on webhooks (wire interface, section D.1). */
export const addWebhookRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(createWebhookRoute, async (c) => {
    const made = demand(await createWebhook(dependencies, c.get("caller"), c.req.valid("json")));
    return c.json({ ...webhookView(made.webhook), secret: made.secret }, 200);
  });
  app.openapi(listWebhooksRoute, async (c) => {
    const { items, next } = await readPage(
      c.req.valid("query"),
      (page) => listWebhooks(database, c.get("caller").orgId, page),
      ({ dateCreated }) => dateCreated,
    );
    return c.json({ items: items.map(webhookView), ...next }, 200);
  });
  app.openapi(getWebhookRoute, async (c) => {
    const { webhookId } = c.req.valid("param");
    return c.json(webhookView(demand(await visibleWebhook(database, c.get("caller"), webhookId))), 200);
  });
  app.openapi(updateWebhookRoute, async (c) => {
    const { webhookId } = c.req.valid("param");
    const changed = await changeWebhook(dependencies, c.get("caller"), webhookId, c.req.valid("json"));
    return c.json(webhookView(demand(changed)), 200);
  });
  app.openapi(deleteWebhookRoute, async (c) => {
    const { webhookId } = c.req.valid("param");
    const { orgId } = c.get("caller");
    if (!(await deleteWebhook(database, orgId, webhookId))) {
      throw new Refused(problem("WebhookNotFound", { webhookId, orgId }));
    }
    return c.json({ deleted: true as const }, 200);
  });
  app.openapi(pingWebhookRoute, async (c) => {
    const { webhookId } = c.req.valid("param");
    return c.json(demand(await pingWebhook(dependencies, c.get("caller"), webhookId)), 200);
  });
};
