import {
  type DomainEvent,
  EVENT_KINDS,
  type EventId,
  eventIdSchema,
  organisationIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date } from "./columns.ts";
import {
  announceEvents,
  EVENT_COLUMNS,
  eventRows,
  WRITE_EVENTS,
  WRITTEN_COUNTS,
  writtenCountsSchema,
} from "./commit/event-rows.ts";
import type { Connection } from "./database.ts";
import { plainTable } from "./table/table.ts";

/** An event as it is stored and published on the EVENTS stream. */
export interface StoredEvent extends DomainEvent {
  readonly id: EventId;
}

export const events = plainTable("events", {
  id: eventIdSchema,
  kind: z.enum(EVENT_KINDS),
  orgId: organisationIdSchema,
  entityId: z.string(),
  data: z.record(z.string(), z.unknown()),
  date,
});

/** An event whose id is derived from its cause may be stored already; then it is not written again. */
const RECORD = `with recorded as (select event.* from jsonb_to_recordset($1::jsonb) as ${EVENT_COLUMNS}
    where not exists (select from events known where known.id = event.id)), ${WRITE_EVENTS} select ${WRITTEN_COUNTS}`;

/**
 * Stores events, their webhook deliveries and the messages that publish them, in one statement. Call it in the
 * transaction of the change itself, so that each change has exactly one event (INV-6).
 */
export const recordEvents = async (connection: Connection, events: readonly DomainEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const [written] = await connection.rows(writtenCountsSchema, RECORD, [eventRows(connection, events)]);
  if (written !== undefined) announceEvents(connection, written);
};

/** The events of one wallet or transfer, oldest first. */
export const listEvents = (connection: Connection, entityId: string): Promise<readonly StoredEvent[]> =>
  events.rows(connection, "where entity_id = $1 order by date, id", [entityId]);
