import { type DomainEvent, eventIdSchema } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { OUTBOX_SUBJECT } from "../outbox.ts";
import { DELIVERIES_SUBJECT } from "../webhooks/webhook-deliveries.ts";

/**
 * The columns of events in a parameter that `eventRows` makes. A statement that writes events names such rows
 * `recorded` and continues with WRITE_EVENTS.
 */
export const EVENT_COLUMNS =
  "event (rank int, id text, kind text, org_id text, entity_id text, date text, data jsonb)";

/**
 * Writes the events in `recorded`, each once: its row, a delivery for each enabled webhook that is subscribed to its
 * kind, and the message that publishes it (INV-6). `offset 0` makes PostgreSQL look up the webhooks by index for each
 * event, whatever number of organisations has webhooks.
 */
export const WRITE_EVENTS = `
  stored as (
    insert into events (id, kind, org_id, entity_id, data, date)
    select id, kind, org_id, entity_id, data, date::timestamptz from recorded),
  delivered as (
    insert into webhook_deliveries (webhook_id, org_id, kind, data, date, date_due)
    select subscribed.id, recorded.org_id, recorded.kind, recorded.data, recorded.date::timestamptz, least(recorded.date::timestamptz, now())
    from recorded cross join lateral (
      select id from webhooks
      where org_id = recorded.org_id and status = 'Enabled' and (events ? recorded.kind or events ? '*') offset 0) subscribed
    order by recorded.rank
    returning 1),
  published as (
    insert into outbox (message_id, subject, payload, date_created)
    select id, kind, jsonb_build_object('id', id, 'kind', kind, 'date', date, 'orgId', org_id, 'data', data), now()
    from recorded order by rank)`;

/** Counts of the rows that WRITE_EVENTS has written, for the select list at the statement's end. */
export const WRITTEN_COUNTS =
  "(select count(*)::int from recorded) as events, (select count(*)::int from delivered) as deliveries";
export const writtenCountsSchema = z.object({ events: z.int(), deliveries: z.int() });

/**
 * The parameter of a statement that writes events. An event without an id gets one here; `data`, which may be long, is
 * sent only once.
 */
export const eventRows = ({ freshId }: Pick<Connection, "freshId">, events: readonly DomainEvent[]): string =>
  JSON.stringify(
    events.map(({ id, kind, orgId, entityId, date, data }, rank) => ({
      rank,
      id: id ?? freshId(eventIdSchema, "evt"),
      kind,
      org_id: orgId,
      entity_id: entityId,
      date,
      data,
    })),
  );

/** Wakes the publisher of events and the sender of deliveries; called after the commit. */
export const announceEvents = (
  connection: Pick<Connection, "announce">,
  { events, deliveries }: z.output<typeof writtenCountsSchema>,
): void => {
  if (deliveries > 0) connection.announce(DELIVERIES_SUBJECT);
  if (events > 0) connection.announce(OUTBOX_SUBJECT);
};
