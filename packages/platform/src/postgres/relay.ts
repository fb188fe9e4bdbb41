import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "./database.ts";
import type { Subscription } from "./listener.ts";
import {
  markPublished,
  OUTBOX_CHANNEL,
  type OutgoingMessage,
  prunePublished,
  takeWaitingMessages,
} from "./outbox.ts";

const BATCH = 64;
/** A NOTIFY may be lost while a connection is away; the table is looked at this often anyway. */
const POLL_MS = 1_000;
const PRUNE_EVERY_MS = 3_600_000;
const KEEP_PUBLISHED_DAYS = 1;

export interface RelayOptions {
  readonly database: Database;
  /** resolves once JetStream has stored the message */
  readonly publish: (message: OutgoingMessage) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Carries the outbox to JetStream. Many may run: a row is locked while it is being published, and JetStream drops
 * what a relay that died between the publication and the mark sends a second time.
 */
export const startRelay = (options: RelayOptions): Subscription => {
  const stopping = new AbortController();
  const bell = makeBell();
  const ears = options.database.listen(OUTBOX_CHANNEL, bell.ring);
  const running = relayForEver(options, bell, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      bell.ring();
      await Promise.all([ears.stop(), running]);
    },
  };
};

const relayForEver = async (options: RelayOptions, bell: Bell, stopping: AbortSignal): Promise<void> => {
  let nextPrune = Date.now() + PRUNE_EVERY_MS;
  while (!stopping.aborted) {
    // asked for before the table is read, so that a message which comes in between is not missed
    const heard = bell.next();
    try {
      const carried = await relayOnce(options);
      if (carried > 0) continue;
      if (Date.now() >= nextPrune) {
        nextPrune = Date.now() + PRUNE_EVERY_MS;
        await prunePublished(options.database, KEEP_PUBLISHED_DAYS);
      }
      await Promise.race([heard, pause(POLL_MS, undefined, { signal: stopping, ref: false })]).catch(
        () => undefined,
      );
    } catch (error) {
      options.onFailure(error);
      await pause(POLL_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
};

/**
 * Publishes one batch and marks what was acknowledged.
 * @returns how many messages were published
 * @throws the first failure, after the others have been marked
 */
export const relayOnce = async (options: Pick<RelayOptions, "database" | "publish">): Promise<number> => {
  const outcomes = await options.database.transaction(async (connection) => {
    const waiting = await takeWaitingMessages(connection, BATCH);
    const settled = await Promise.allSettled(waiting.map(({ message }) => options.publish(message)));
    const published = waiting.filter((_, index) => settled[index]?.status === "fulfilled");
    if (published.length > 0) {
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

interface Bell {
  readonly ring: () => void;
  /** resolves at the next ring after this call */
  readonly next: () => Promise<void>;
}

const makeBell = (): Bell => {
  let listeners: (() => void)[] = [];
  return {
    ring: () => {
      const heard = listeners;
      listeners = [];
      for (const wake of heard) wake();
    },
    next: () =>
      new Promise((resolve) => {
        listeners.push(resolve);
      }),
  };
};
