import { createWebhookBodySchema, problem, updateWebhookBodySchema, webhookView } from "@conclave/custody";
import { deleteWebhook, listWebhooks } from "@conclave/platform";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { pageOf, pageQuerySchema, paginate, withLookahead } from "../pagination.ts";
import { requires } from "../permission/requires.ts";
import { demand, Refused } from "../refused.ts";
import { bodyErrors, commonErrors, forbiddenError, notFoundError } from "../schemas/error.ts";
import {
  createdWebhookSchema,
  deletedSchema,
  pongSchema,
  webhookListSchema,
  webhookParams,
  webhookSchema,
} from "../schemas/webhook.ts";
import { changeWebhook, createWebhook, pingWebhook, visibleWebhook } from "../webhook/webhooks.ts";

const one = { description: "The webhook", content: { "application/json": { schema: webhookSchema } } };

const createWebhookRoute = createRoute({
  method: "post",
  path: "/webhooks",
  operationId: "createWebhook",
  summary: "Create a webhook: its URL hears of the kinds of event that it names",
  ...requires("Webhooks:Create"),
  request: {
    body: { required: true, content: { "application/json": { schema: createWebhookBodySchema } } },
  },
  responses: {
    200: {
      description: "The webhook with its secret",
      content: { "application/json": { schema: createdWebhookSchema } },
    },
    ...commonErrors,
    ...forbiddenError,
    ...bodyErrors,
  },
});

const listWebhooksRoute = createRoute({
  method: "get",
  path: "/webhooks",
  operationId: "listWebhooks",
  summary: "List the organisation's webhooks, newest first",
  ...requires("Webhooks:Read"),
  request: { query: pageQuerySchema },
  responses: {
    200: { description: "One page", content: { "application/json": { schema: webhookListSchema } } },
    ...commonErrors,
    ...forbiddenError,
  },
});

const getWebhookRoute = createRoute({
  method: "get",
  path: "/webhooks/{webhookId}",
  operationId: "getWebhook",
  summary: "Read a webhook",
  ...requires("Webhooks:Read"),
  request: { params: webhookParams },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError },
});

const updateWebhookRoute = createRoute({
  method: "put",
  path: "/webhooks/{webhookId}",
  operationId: "updateWebhook",
  summary: "Change a webhook; what is left out stays",
  ...requires("Webhooks:Update"),
  request: {
    params: webhookParams,
    body: { required: true, content: { "application/json": { schema: updateWebhookBodySchema } } },
  },
  responses: { 200: one, ...commonErrors, ...forbiddenError, ...notFoundError, ...bodyErrors },
});

const deleteWebhookRoute = createRoute({
  method: "delete",
  path: "/webhooks/{webhookId}",
  operationId: "deleteWebhook",
  summary: "Delete a webhook, with the record of what it heard",
  ...requires("Webhooks:Delete"),
  request: { params: webhookParams },
  responses: {
    200: { description: "Deleted", content: { "application/json": { schema: deletedSchema } } },
    ...commonErrors,
    ...forbiddenError,
    ...notFoundError,
  },
});

const pingWebhookRoute = createRoute({
  method: "post",
  path: "/webhooks/{webhookId}/ping",
  operationId: "pingWebhook",
  summary: "Send an event that never happened, and say what the URL answered",
  ...requires("Webhooks:Ping"),
  request: { params: webhookParams },
  responses: {
    200: {
      description: "What the endpoint made of it",
      content: { "application/json": { schema: pongSchema } },
    },
    ...commonErrors,
    ...forbiddenError,
    ...notFoundError,
  },
});

/** Adds the operations on webhooks (wire interface, section D.1). */
export const addWebhookRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(createWebhookRoute, async (c) => {
    const made = demand(await createWebhook(dependencies, c.get("caller"), c.req.valid("json")));
    return c.json({ ...webhookView(made.webhook), secret: made.secret }, 200);
  });
  app.openapi(listWebhooksRoute, async (c) => {
    const page = demand(pageOf(c.req.valid("query")));
    const rows = await listWebhooks(database, c.get("caller").orgId, withLookahead(page));
    const { items, next } = paginate(rows, page, ({ dateCreated }) => dateCreated);
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
