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
import { mappedTable } from "../table/table.ts";

const columns = {
  id: webhookIdSchema,
  orgId: organisationIdSchema,
  url: z.string(),
  events: z.array(z.enum([...WEBHOOK_EVENT_KINDS, "*"])),
  status: z.enum(WEBHOOK_STATUSES),
  description: optional(z.string()),
  dateCreated: date,
  dateUpdated: date,
};
const rowSchema: z.ZodType<Webhook> = z.object(columns);

const webhooks = mappedTable(
  "webhooks",
  columns,
  { row: rowSchema },
  { key: ["orgId", "id"], changing: ["url", "events", "status", "description", "dateUpdated"] },
);

const sealedSchema = z
  .object({ ...columns, secret: bytes })
  .transform(({ secret: sealedSecret, ...webhook }) => ({ webhook, sealedSecret }));

/**
 * Inserts a webhook with its encrypted secret.
 * @returns false, and changes nothing, if the organisation has the maximum number of webhooks
 */
export const insertWebhook = async (
  connection: Connection,
  webhook: Webhook,
  sealedSecret: Uint8Array,
): Promise<boolean> => {
  // the lock on the organisation's row makes simultaneous inserts take turns
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
export const readWebhook = (
  connection: Connection,
  orgId: OrganisationId,
  id: WebhookId,
): Promise<Webhook | undefined> => webhooks.one(connection, { orgId, id });

/** Like readWebhook, and locks the row until the transaction ends. */
export const lockWebhook = (
  connection: Connection,
  orgId: OrganisationId,
  id: WebhookId,
): Promise<Webhook | undefined> => webhooks.one(connection, { orgId, id }, "for update");

/** Reads a webhook with its encrypted secret, for the sender. */
export const readSealedWebhook = async (
  connection: Connection,
  id: WebhookId,
): Promise<{ readonly webhook: Webhook; readonly sealedSecret: Uint8Array } | undefined> => {
  const text = `select ${webhooks.list}, secret from webhooks where id = $1`;
  const [found] = await connection.rows(sealedSchema, text, [id]);
  return found;
};

/** Lists the webhooks of an organisation, newest first. */
export const listWebhooks = (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
): Promise<Listed<Webhook>> => webhooks.page(connection, "org_id = $1", [orgId], page);

/** Writes the columns of a webhook that can change. */
export const updateWebhook = async (connection: Connection, webhook: Webhook): Promise<void> => {
  await webhooks.update(connection, webhook);
};

/** Deletes a webhook with its pending deliveries and its stored attempts. @returns false if it does not exist */
export const deleteWebhook = async (
  connection: Connection,
  orgId: OrganisationId,
  id: WebhookId,
): Promise<boolean> =>
  (await connection.execute("delete from webhooks where org_id = $1 and id = $2", [orgId, id])) === 1;

/** The webhooks of an organisation that are enabled and ask for a kind of event, the oldest first. */
export const subscribedWebhooks = async (
  connection: Connection,
  orgId: OrganisationId,
  kind: string,
): Promise<readonly WebhookId[]> => {
  const found = await connection.rows(
    z.object({ id: webhookIdSchema }),
    `select id from webhooks where org_id = $1 and status = 'Enabled' and (events ? $2 or events ? '*')
     order by date_created, id`,
    [orgId, kind],
  );
  return found.map(({ id }) => id);
};
