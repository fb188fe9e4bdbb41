import {
  type DomainEvent,
  EVENT_KINDS,
  type EventId,
  eventIdSchema,
  organisationIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { freshId } from "../fresh-id.ts";
import { date } from "./columns.ts";
import type { Connection } from "./database.ts";
import { appendToOutbox } from "./outbox.ts";
import { addDeliveries } from "./webhooks/webhook-deliveries.ts";

/** An event as it is stored and published on the EVENTS stream. */
export interface StoredEvent extends DomainEvent {
  readonly id: EventId;
}

const rowSchema = z
  .object({
    id: eventIdSchema,
    kind: z.enum(EVENT_KINDS),
    org_id: organisationIdSchema,
    entity_id: z.string(),
    data: z.record(z.string(), z.unknown()),
    date,
  })
  .transform(
    (row): StoredEvent => ({
      id: row.id,
      kind: row.kind,
      orgId: row.org_id,
      entityId: row.entity_id,
      data: row.data,
      date: row.date,
    }),
  );

/**
 * Stores events and the messages that publish them. Call it in the transaction of the change itself, so that each change has
 * exactly one event (INV-6).
 */
export const recordEvents = async (connection: Connection, events: readonly DomainEvent[]): Promise<void> => {
  for (const event of events) {
    const id = freshId(eventIdSchema, "evt");
    await connection.execute(
      "insert into events (id, kind, org_id, entity_id, data, date) values ($1, $2, $3, $4, $5, $6)",
      [id, event.kind, event.orgId, event.entityId, JSON.stringify(event.data), event.date],
    );
    await addDeliveries(connection, event);
    await appendToOutbox(connection, {
      messageId: id,
      subject: event.kind,
      payload: { id, kind: event.kind, date: event.date, orgId: event.orgId, data: event.data },
    });
  }
};

/** The events of one wallet or transfer, oldest first. */
export const listEvents = (connection: Connection, entityId: string): Promise<readonly StoredEvent[]> =>
  connection.rows(rowSchema, "select * from events where entity_id = $1 order by date, id", [entityId]);
