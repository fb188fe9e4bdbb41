import { type DomainEvent, eventIdSchema } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { OUTBOX_SUBJECT } from "../outbox.ts";
import { DELIVERIES_SUBJECT } from "../webhooks/webhook-deliveries.ts";

/**
 * Events as rows, from a parameter that `eventRows` makes. A statement that tells of events calls such rows `recorded`, before it goes on
 * with TELL.
 */
export const EVENT_COLUMNS =
  "event (rank int, id text, kind text, org_id text, entity_id text, date text, data jsonb)";

/**
 * Writes what is `recorded`, each event once: its row, a delivery for each enabled webhook that is subscribed to its kind, and the message
 * that publishes it (INV-6). `offset 0` has the webhooks looked up by their index, for each event, however many organisations have some.
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

/** The numbers of rows that TELL has written, for the list that the statement selects at its end. */
export const WRITTEN_COUNTS =
  "(select count(*)::int from recorded) as events, (select count(*)::int from delivered) as deliveries";
export const writtenCountsSchema = z.object({ events: z.int(), deliveries: z.int() });

/** The parameter of a statement that tells of events. Each that has none gets its id here; `data`, which may be long, is sent once. */
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

/** Wakes the publisher of events and the sender of deliveries, once they are committed. */
export const announceEvents = (
  connection: Pick<Connection, "announce">,
  { events, deliveries }: z.output<typeof writtenCountsSchema>,
): void => {
  if (deliveries > 0) connection.announce(DELIVERIES_SUBJECT);
  if (events > 0) connection.announce(OUTBOX_SUBJECT);
};
