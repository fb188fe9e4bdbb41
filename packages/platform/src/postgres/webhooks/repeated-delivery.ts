import {
  type OrganisationId,
  type WebhookEvent,
  type WebhookEventId,
  type WebhookId,
  webhookAttemptSchema,
  webhookIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { DELIVERIES_SUBJECT } from "./webhook-deliveries.ts";

/** A recorded attempt that is repeated, or the reason why it is not. */
export type Repetition =
  | { readonly kind: "due"; readonly deliveryId: string }
  | { readonly kind: "disabled"; readonly webhookId: WebhookId }
  | { readonly kind: "unknown" };

/**
 * Makes the event of a recorded attempt due once more, for the same webhook: orchestrators deliver it, record the attempt, and try again
 * if it fails. Deliveries that are due already stay.
 * @returns unknown if there is no such attempt, as when its webhook was deleted; disabled if the webhook is, which gets no deliveries
 */
export const repeatDelivery = async (
  connection: Connection,
  attempt: WebhookEventId,
): Promise<Repetition> => {
  const [due] = await connection.rows(
    z.object({ id: z.string() }),
    `insert into webhook_deliveries (webhook_id, org_id, kind, data, date, retry_of, date_due)
     select e.webhook_id, e.org_id, e.kind, e.event->'data', (e.event->>'date')::timestamptz, e.id, now()
     from webhook_events e join webhooks w on w.id = e.webhook_id
     where e.id = $1 and w.status = 'Enabled' returning id`,
    [attempt],
  );
  if (due !== undefined) {
    connection.announce(DELIVERIES_SUBJECT);
    return { kind: "due", deliveryId: due.id };
  }
  const [known] = await connection.rows(
    z.object({ webhookId: webhookIdSchema }),
    `select webhook_id as "webhookId" from webhook_events where id = $1`,
    [attempt],
  );
  return known === undefined ? { kind: "unknown" } : { kind: "disabled", webhookId: known.webhookId };
};

/**
 * Finds the attempt that was made of a repeated delivery.
 * @returns undefined as long as none was made
 */
export const repeatedAttempt = async (
  connection: Connection,
  attempt: WebhookEventId,
  deliveryId: string,
): Promise<WebhookEvent | undefined> => {
  const [found] = await connection.rows(
    z.object({ event: webhookAttemptSchema }),
    `select event from webhook_events
     where event->>'retryOf' = $1 and webhook_id = (select webhook_id from webhook_events where id = $1)
       and not exists (select from webhook_deliveries where id = $2 and attempts = 0)
     order by date_sent desc limit 1`,
    [attempt, deliveryId],
  );
  return found?.event;
};

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
