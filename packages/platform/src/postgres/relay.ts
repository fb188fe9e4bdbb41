import type { World } from "@conclave/custody";
import { reach } from "../fault-points/index.ts";
import type { LoopOptions } from "../loop.ts";
import { attend } from "./attend.ts";
import type { Database } from "./database.ts";
import type { Subscription } from "./listener.ts";
import { markPublished, type OutgoingMessage, takeWaitingMessages } from "./outbox.ts";

const BATCH = 64;

export interface RelayOptions {
  readonly world: World;
  readonly database: Database;
  /** resolves once JetStream has stored the message */
  readonly publish: (message: OutgoingMessage) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  /** subscribes to OUTBOX_SUBJECT */
  readonly hear?: LoopOptions["hear"];
}

/**
 * Publishes the outbox to JetStream. Many relays may run, because a row is locked while it is published. If a relay dies after
 * publishing and before marking the row, the message is published again, and JetStream drops the duplicate.
 */
export const startRelay = (options: RelayOptions): Subscription =>
  attend({ ...options, round: () => relayOnce(options) });

/**
 * Publishes one batch and marks the acknowledged messages.
 *
 * @returns how many messages were published
 * @throws the first failure, after the other messages have been marked
 */
export const relayOnce = async (options: Pick<RelayOptions, "database" | "publish">): Promise<number> => {
  const outcomes = await options.database.transaction(async (connection) => {
    const waiting = await takeWaitingMessages(connection, BATCH);
    const settled = await Promise.allSettled(waiting.map(({ message }) => options.publish(message)));
    const published = waiting.filter((_, index) => settled[index]?.status === "fulfilled");
    if (published.length > 0) {
      FAULT: reach("event.published");
      await markPublished(
        connection,
        published.map(({ id }) => id),
      );
    }
    return settled;
  });
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return outcomes.length;
};
