import {
  attemptOf,
  type CreateWebhookBody,
  changedWebhook,
  fail,
  newWebhook,
  ok,
  type Result,
  receivedAttempt,
  type UpdateWebhookBody,
  type Webhook,
  type WebhookEvent,
  type WebhookId,
  webhookEventIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  insertWebhook,
  isPrivateTarget,
  lockWebhook,
  makeWebhookSecret,
  readSealedWebhook,
  readWebhook,
  updateWebhook,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

type Needed = Pick<Dependencies, "database" | "now" | "webhooks" | "world">;

/** A webhook of the caller's organisation (INV-11). */
export const visibleWebhook = async (
  connection: Connection,
  { orgId }: Caller,
  webhookId: WebhookId,
): Promise<Result<Webhook>> => {
  const webhook = await readWebhook(connection, orgId, webhookId);
  return webhook === undefined ? fail("WebhookNotFound", { webhookId, orgId }) : ok(webhook);
};

/** Judges a URL to call; WebhookTargetPrivate where it leads to a private address, and these are not allowed. */
const judgeTarget = async (
  { webhooks }: Needed,
  url: string | undefined,
): Promise<Result<string | undefined>> => {
  const isRefused = url !== undefined && !webhooks.allowPrivateAddresses && (await isPrivateTarget(url));
  return isRefused ? fail("WebhookTargetPrivate", { field: "url" }) : ok(url);
};

/**
 * Makes a webhook.
 * @returns the webhook with its secret, which is not shown again; WebhookTargetPrivate or WebhookLimitReached
 */
export const createWebhook = async (
  needed: Needed,
  { orgId }: Caller,
  body: CreateWebhookBody,
): Promise<Result<{ readonly webhook: Webhook; readonly secret: string }>> => {
  const target = await judgeTarget(needed, body.url);
  if (!target.ok) return target;
  const ids = { id: needed.world.freshId(webhookIdSchema, "wh"), orgId };
  const webhook = newWebhook(ids, body, needed.now().toISOString());
  const secret = makeWebhookSecret(needed.world.entropy);
  const sealed = needed.webhooks.secrets.seal(webhook.id, secret);
  const inserted = await needed.database.transaction((connection) =>
    insertWebhook(connection, webhook, sealed),
  );
  return inserted ? ok({ webhook, secret: secret.reveal() }) : fail("WebhookLimitReached");
};

/** Changes a webhook. @returns WebhookNotFound or WebhookTargetPrivate */
export const changeWebhook = async (
  needed: Needed,
  caller: Caller,
  webhookId: WebhookId,
  body: UpdateWebhookBody,
): Promise<Result<Webhook>> => {
  const target = await judgeTarget(needed, body.url);
  if (!target.ok) return target;
  return needed.database.transaction(async (connection) => {
    const webhook = await lockWebhook(connection, caller.orgId, webhookId);
    if (webhook === undefined) return fail("WebhookNotFound", { webhookId, orgId: caller.orgId });
    const changed = changedWebhook(webhook, body, needed.now().toISOString());
    await updateWebhook(connection, changed);
    return ok(changed);
  });
};

/** Sends an event that did not happen and is not recorded. @returns the endpoint's answer */
export const pingWebhook = async (
  { database, now, webhooks, world }: Needed,
  caller: Caller,
  webhookId: WebhookId,
): Promise<Result<Pick<WebhookEvent, "status" | "error">>> => {
  const webhook = await visibleWebhook(database, caller, webhookId);
  if (!webhook.ok) return webhook;
  const known = await readSealedWebhook(database, webhookId);
  const secret = known && webhooks.secrets.open(webhookId, known.sealedSecret);
  if (secret === undefined) return fail("WebhookNotFound", { webhookId, orgId: caller.orgId });
  const sentMs = now().getTime();
  const ping = {
    webhookId,
    kind: "ping",
    date: new Date(sentMs).toISOString(),
    data: { message: "ping" },
    firstSentMs: undefined,
    attempts: 0,
    retryOf: undefined,
  };
  const sent = attemptOf(ping, world.freshId(webhookEventIdSchema, "wh"), sentMs);
  const reception = await webhooks.send(webhook.value.url, secret.reveal(), sent);
  const { status, error } = receivedAttempt(sent, reception, sentMs);
  return ok({ status, ...(error === undefined ? {} : { error }) });
};
