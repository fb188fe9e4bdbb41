import {
  type Delivery,
  WEBHOOK_EVENT_AGE_MS,
  type WebhookEvent,
  type WebhookEventId,
  type WebhookId,
  webhookAttemptSchema,
  webhookEventIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { mappedTable, plainTable } from "../table/table.ts";

/** Announced after a commit that has stored deliveries. */
export const DELIVERIES_SUBJECT = "conclave.due.deliveries";

/** A due delivery that a process has taken, and holds until its lease ends. */
export interface DueDelivery extends Delivery {
  /** id of the row */
  readonly id: string;
}

const deliveries = plainTable("webhook_deliveries", {
  id: z.string(),
  webhookId: webhookIdSchema,
  kind: z.string(),
  data: z.record(z.string(), z.unknown()),
  date,
  attempts: z.int(),
  dateFirstSent: optional(date),
  retryOf: optional(webhookEventIdSchema),
});

const dueSchema = z.object(deliveries.shape).transform(
  ({ dateFirstSent, ...row }): DueDelivery => ({
    ...row,
    firstSentMs: dateFirstSent === undefined ? undefined : Date.parse(dateFirstSent),
  }),
);

/** Selects the due deliveries to take. */
export interface Take {
  /** ISO 8601 UTC; deliveries due by then */
  readonly now: string;
  /** ISO 8601 UTC; no other process takes them before then */
  readonly leasedUntil: string;
  /** maximum in total */
  readonly limit: number;
  /** maximum for one webhook */
  readonly perWebhook: number;
  /** webhooks with enough deliveries under way, which are left out */
  readonly busy: readonly WebhookId[];
}

/**
 * Takes due deliveries, the oldest of each webhook first, so that a webhook with a long queue does not delay others.
 */
export const takeDeliveries = (connection: Connection, take: Take): Promise<readonly DueDelivery[]> =>
  connection.listed(
    dueSchema,
    `update webhook_deliveries set date_leased = $2
     where id in (
       select d.id from webhook_deliveries d
       where d.id in (
         select due.id from webhooks w cross join lateral (
           select id, date_due from webhook_deliveries
           where webhook_id = w.id and date_due <= $1 and date_leased <= $1
           order by date_due, id limit $4
         ) due
         where w.status = 'Enabled' and not (w.id = any($5)) order by due.date_due, due.id limit $3
       ) and d.date_leased <= $1
       for update skip locked
     ) returning ${deliveries.list}`,
    [take.now, take.leasedUntil, take.limit, take.perWebhook, [...take.busy]],
  );

/**
 * Deletes deliveries that came due while their webhook was disabled.
 *
 * @param limit rows at most
 * @returns how many were deleted; `limit` when there may be more
 */
export const dropDisabledDeliveries = (connection: Connection, now: string, limit: number): Promise<number> =>
  connection.execute(
    `delete from webhook_deliveries where id in (
       select d.id from webhooks w cross join lateral (
         select id from webhook_deliveries where webhook_id = w.id and date_due <= $1
         order by date_due, id limit $2 for update skip locked
       ) d where w.status = 'Disabled' limit $2)`,
    [now, limit],
  );

/**
 * Stores an attempt, and either schedules the next one or ends the delivery, in a transaction. The attempt is stored
 * first: it waits for a transaction that deletes the webhook before it locks the delivery, which that transaction
 * deletes too.
 */
export const recordAttempt = async (
  connection: Connection,
  delivery: DueDelivery,
  event: WebhookEvent,
  sentAt: string,
): Promise<void> => {
  const recorded = await connection.execute(
    `insert into webhook_events (id, webhook_id, org_id, kind, delivery_failed, event, date_sent)
     select $1, webhook_id, org_id, kind, $3, $4, $5 from webhook_deliveries where id = $2`,
    [event.id, delivery.id, event.deliveryFailed, JSON.stringify(event), sentAt],
  );
  // the webhook was deleted meanwhile, with its deliveries
  if (recorded === 0) return;
  if (event.nextAttemptDate === undefined) {
    await connection.execute("delete from webhook_deliveries where id = $1", [delivery.id]);
    return;
  }
  await connection.execute(
    `update webhook_deliveries set attempts = $2, retry_of = $3, date_due = $4, date_leased = '-infinity',
       date_first_sent = coalesce(date_first_sent, $5) where id = $1`,
    [delivery.id, event.deliveryAttempt, event.id, event.nextAttemptDate, sentAt],
  );
};

/** Selects attempts. */
export interface WebhookEventFilter {
  readonly kind?: string | undefined;
  readonly deliveryFailed?: boolean | undefined;
}

const columns = { event: webhookAttemptSchema, dateSent: date };
export const attempts = mappedTable(
  "webhook_events",
  columns,
  {
    row: z.object(columns).transform((row): RecordedAttempt => ({ id: row.event.id, ...row })),
  },
  { pagedBy: "dateSent" },
);

/** A stored attempt, and the exact time at which it was sent, which orders the list. */
export interface RecordedAttempt {
  readonly id: WebhookEventId;
  readonly event: WebhookEvent;
  readonly dateSent: string;
}

/** ISO 8601 UTC; earlier attempts are not shown any more. */
const oldest = (nowMs: number): string => new Date(nowMs - WEBHOOK_EVENT_AGE_MS).toISOString();

/** Lists attempts of a webhook in the last 31 days, newest first. */
export const listWebhookEvents = (
  connection: Connection,
  webhookId: WebhookId,
  filter: WebhookEventFilter,
  page: Page,
  nowMs: number,
): Promise<Listed<RecordedAttempt>> =>
  attempts.page(
    connection,
    `webhook_id = $1 and date_sent > $2 and ($3::text is null or kind = $3)
       and ($4::boolean is null or delivery_failed = $4)`,
    [webhookId, oldest(nowMs), filter.kind ?? null, filter.deliveryFailed ?? null],
    page,
  );

/** Reads one attempt of a webhook in the last 31 days. */
export const readWebhookEvent = async (
  connection: Connection,
  webhookId: WebhookId,
  id: WebhookEventId,
  nowMs: number,
): Promise<RecordedAttempt | undefined> => {
  const which = "where webhook_id = $1 and id = $2 and date_sent > $3";
  const [found] = await attempts.rows(connection, which, [webhookId, id, oldest(nowMs)]);
  return found;
};

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
