import type { Connection } from "../postgres/database.ts";
import { OUTBOX_SUBJECT, type OutgoingMessage } from "../postgres/outbox.ts";

/** Adds a message to the outbox without an event, which no service does; relays are notified when the transaction commits. */
export const appendToOutbox = async (connection: Connection, message: OutgoingMessage): Promise<void> => {
  await connection.execute(
    "insert into outbox (message_id, subject, payload, date_created) values ($1, $2, $3, now())",
    [message.messageId, message.subject, JSON.stringify(message.payload)],
  );
  connection.announce(OUTBOX_SUBJECT);
};
