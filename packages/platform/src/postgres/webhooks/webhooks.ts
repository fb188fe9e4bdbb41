import {
  type OrganisationId,
  organisationIdSchema,
  WEBHOOK_EVENT_KINDS,
  WEBHOOK_STATUSES,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookId,
  webhookIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";

const columns = z.object({
  id: webhookIdSchema,
  org_id: organisationIdSchema,
  url: z.string(),
  events: z.array(z.enum([...WEBHOOK_EVENT_KINDS, "*"])),
  status: z.enum(WEBHOOK_STATUSES),
  description: optional(z.string()),
  date_created: date,
  date_updated: date,
});

const webhookOf = (row: z.output<typeof columns>): Webhook => ({
  id: row.id,
  orgId: row.org_id,
  url: row.url,
  events: row.events,
  status: row.status,
  description: row.description,
  dateCreated: row.date_created,
  dateUpdated: row.date_updated,
});

const rowSchema = columns.transform(webhookOf);
const sealedSchema = columns
  .extend({ secret: bytes })
  .transform((row) => ({ webhook: webhookOf(row), sealedSecret: row.secret }));

/**
 * Inserts a webhook with its encrypted secret.
 * @returns false, and changes nothing, if the organisation has the maximum number of webhooks
 */
export const insertWebhook = async (
  connection: Connection,
  webhook: Webhook,
  sealedSecret: Uint8Array,
): Promise<boolean> => {
  // the lock of the organisation's row orders simultaneous insertions
  await connection.execute("select id from organisations where id = $1 for update", [webhook.orgId]);
  const inserted = await connection.execute(
    `insert into webhooks (id, org_id, url, events, status, description, secret, date_created, date_updated)
     select $1, $2, $3, $4::jsonb, $5, $6, $7, $8::timestamptz, $9::timestamptz
     where (select count(*) from webhooks where org_id = $2) < $10`,
    [
      webhook.id,
      webhook.orgId,
      webhook.url,
      JSON.stringify(webhook.events),
      webhook.status,
      webhook.description ?? null,
      sealedSecret,
      webhook.dateCreated,
      webhook.dateUpdated,
      WEBHOOKS_MAX,
    ],
  );
  return inserted === 1;
};

/** Reads a webhook of this organisation. */
export const readWebhook = async (
  connection: Connection,
  orgId: OrganisationId,
  id: WebhookId,
): Promise<Webhook | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from webhooks where org_id = $1 and id = $2", [
    orgId,
    id,
  ]);
  return found;
};

/** Like readWebhook, and locks the row until the transaction ends. */
export const lockWebhook = async (
  connection: Connection,
  orgId: OrganisationId,
  id: WebhookId,
): Promise<Webhook | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    "select * from webhooks where org_id = $1 and id = $2 for update",
    [orgId, id],
  );
  return found;
};

/** Reads a webhook with its encrypted secret, for the sender. */
export const readSealedWebhook = async (
  connection: Connection,
  id: WebhookId,
): Promise<{ readonly webhook: Webhook; readonly sealedSecret: Uint8Array } | undefined> => {
  const [found] = await connection.rows(sealedSchema, "select * from webhooks where id = $1", [id]);
  return found;
};

/** Lists the webhooks of an organisation, newest first. */
export const listWebhooks = (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
): Promise<Listed<Webhook>> =>
  connection.listed(
    rowSchema,
    `select * from webhooks
     where org_id = $1 and ($2::timestamptz is null or (date_created, id) < ($2, $3))
     order by date_created desc, id desc limit $4`,
    [orgId, page.after?.date ?? null, page.after?.id ?? null, page.limit],
  );

/** Writes the columns of a webhook that can change. */
export const updateWebhook = async (connection: Connection, webhook: Webhook): Promise<void> => {
  await connection.execute(
    `update webhooks set url = $3, events = $4, status = $5, description = $6, date_updated = $7
     where org_id = $1 and id = $2`,
    [
      webhook.orgId,
      webhook.id,
      webhook.url,
      JSON.stringify(webhook.events),
      webhook.status,
      webhook.description,
      webhook.dateUpdated,
    ],
  );
};

/** Deletes a webhook with its pending deliveries and its stored attempts. @returns false if it does not exist */
export const deleteWebhook = async (
  connection: Connection,
  orgId: OrganisationId,
  id: WebhookId,
): Promise<boolean> =>
  (await connection.execute("delete from webhooks where org_id = $1 and id = $2", [orgId, id])) === 1;
