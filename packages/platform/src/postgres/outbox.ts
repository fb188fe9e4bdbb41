import type { ChainRequest, KeyExportId, KeyId } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "./database.ts";

/** The NOTIFY channel that wakes relays. */
export const OUTBOX_CHANNEL = "outbox";

/** A message that is published once its transaction has committed. */
export interface OutgoingMessage {
  /** JetStream drops a second message with the same id */
  readonly messageId: string;
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Adds a message to the outbox; relays are woken when the transaction commits. */
export const appendToOutbox = async (connection: Connection, message: OutgoingMessage): Promise<void> => {
  await connection.execute(
    "insert into outbox (message_id, subject, payload, date_created) values ($1, $2, $3, now())",
    [message.messageId, message.subject, JSON.stringify(message.payload)],
  );
  await connection.execute("select pg_notify($1, '')", [OUTBOX_CHANNEL]);
};

/** The message that asks an orchestrator to make a key. */
export const keyRequest = (keyId: KeyId): OutgoingMessage => ({
  messageId: `request/${keyId}`,
  subject: "conclave.request.key",
  payload: { keyId },
});

/** The message that asks an orchestrator to export a key. */
export const keyExportRequest = (id: KeyExportId): OutgoingMessage => ({
  messageId: `request/${id}`,
  subject: "conclave.request.export",
  payload: { exportId: id },
});

/** The message that asks an orchestrator to carry out a transfer or a transaction. */
export const chainRequest = ({ kind, id }: Pick<ChainRequest, "kind" | "id">): OutgoingMessage => ({
  messageId: `request/${id}`,
  ...(kind === "Transfer"
    ? { subject: "conclave.request.transfer", payload: { transferId: id } }
    : { subject: "conclave.request.transaction", payload: { transactionId: id } }),
});

/** The same once transactions of it have died: it is a message of its own, for the bus drops a second one of the same id. */
export const chainRequestAgain = (
  request: Pick<ChainRequest, "kind" | "id" | "deadTransactions">,
): OutgoingMessage => {
  const message = chainRequest(request);
  return { ...message, messageId: `${message.messageId}/again/${request.deadTransactions + 1}` };
};

const waitingSchema = z
  .object({
    id: z.string(),
    message_id: z.string(),
    subject: z.string(),
    payload: z.record(z.string(), z.unknown()),
  })
  .transform((row) => ({
    id: row.id,
    message: { messageId: row.message_id, subject: row.subject, payload: row.payload },
  }));

/** Reads the oldest waiting messages that no other relay holds, and locks them until the transaction ends. */
export const takeWaitingMessages = (
  connection: Connection,
  limit: number,
): Promise<readonly { readonly id: string; readonly message: OutgoingMessage }[]> =>
  connection.rows(
    waitingSchema,
    `select id, message_id, subject, payload from outbox where date_published is null
     order by id limit $1 for update skip locked`,
    [limit],
  );

export const markPublished = async (connection: Connection, ids: readonly string[]): Promise<void> => {
  await connection.execute("update outbox set date_published = now() where id = any($1::bigint[])", [ids]);
};
