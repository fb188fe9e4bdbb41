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
    // a ring while the table is being read is remembered, so that a message which comes in between is not missed
    bell.reset();
    try {
      const carried = await relayOnce(options);
      if (carried > 0) continue;
      if (Date.now() >= nextPrune) {
        nextPrune = Date.now() + PRUNE_EVERY_MS;
        await prunePublished(options.database, KEEP_PUBLISHED_DAYS);
      }
      await bell.rungWithin(POLL_MS);
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
  /** Forgets an earlier ring. */
  readonly reset: () => void;
  /** Resolves at the next ring, at once if it has rung since the reset, and after `ms` at the latest. */
  readonly rungWithin: (ms: number) => Promise<void>;
}

const makeBell = (): Bell => {
  let rung = false;
  let wake = () => {};
  return {
    ring: () => {
      rung = true;
      wake();
    },
    reset: () => {
      rung = false;
    },
    rungWithin: (ms) =>
      new Promise((resolve) => {
        if (rung) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};
