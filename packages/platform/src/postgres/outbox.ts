import { z } from "zod";
import { date, optional } from "./columns.ts";
import type { Connection } from "./database.ts";
import { selectionOf } from "./table/selection.ts";
import { plainTable } from "./table/table.ts";

/** Announced after a commit that has added messages to the outbox. */
export const OUTBOX_SUBJECT = "conclave.due.outbox";

/** A message that is published once its transaction has committed. */
export interface OutgoingMessage {
  /** JetStream drops a second message with the same id */
  readonly messageId: string;
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const outbox = plainTable("outbox", {
  id: z.string(),
  messageId: z.string(),
  subject: z.string(),
  payload: z.record(z.string(), z.unknown()),
  datePublished: optional(date),
});
const { datePublished: _, ...message } = outbox.shape;
const waiting = selectionOf(message);
const waitingSchema = waiting.row.transform(({ id, ...message }) => ({ id, message }));

/** Reads the oldest waiting messages that no other relay holds, and locks them until the transaction ends. */
export const takeWaitingMessages = (
  connection: Connection,
  limit: number,
): Promise<readonly { readonly id: string; readonly message: OutgoingMessage }[]> =>
  connection.listed(
    waitingSchema,
    `select ${waiting.list} from outbox where date_published is null
     order by id limit $1 for update skip locked`,
    [limit],
  );

export const markPublished = async (connection: Connection, ids: readonly string[]): Promise<void> => {
  await connection.execute("update outbox set date_published = now() where id = any($1::bigint[])", [ids]);
};
