import type { World } from "@conclave/custody";
import type { Bus, Hearing } from "../nats/index.ts";
import { Outage } from "../outage.ts";
import type { OutgoingMessage } from "../postgres/index.ts";

/** A message server in memory. Signals arrive a moment later, by the clock of its World. */
export interface MemoryBroker {
  connect(): Bus;
  /** messages of the stream, oldest first */
  readonly stored: readonly OutgoingMessage[];
  /** Disconnects all clients. Stored messages stay. */
  kill(): void;
  /** Brings the server back; clients reconnect by themselves. */
  start(): void;
  /** Puts these messages in the place of all that it has stored, with a restart; none where it forgets everything. */
  restore(messages: readonly OutgoingMessage[]): void;
  /** Delivers each signal twice, or ends that. */
  repeat(isRepeating: boolean): void;
}

interface Subscription {
  readonly subject: string;
  readonly heard: () => void;
  /** whether it is also called after a reconnection */
  readonly missesNothing: boolean;
}

export const openMemoryBroker = (world: Pick<World, "after">): MemoryBroker => {
  const stored = new Map<string, OutgoingMessage>();
  const subscriptions = new Set<Subscription>();
  let isUp = true;
  let isRepeating = false;

  const deliver = (those: (subscription: Subscription) => boolean): void => {
    for (const subscription of subscriptions) {
      if (!those(subscription)) continue;
      world.after(0, () => {
        if (isUp && subscriptions.has(subscription)) subscription.heard();
      });
    }
  };
  const kill = (): void => {
    isUp = false;
  };
  const start = (): void => {
    if (isUp) return;
    isUp = true;
    deliver(({ missesNothing }) => missesNothing);
  };
  const parts: BrokerParts = {
    stored,
    subscriptions,
    isUp: () => isUp,
    signal: (subject) => {
      for (let times = isRepeating ? 2 : 1; times > 0; times -= 1)
        deliver((subscription) => subscription.subject === subject);
    },
  };
  return {
    connect: () => connectTo(parts),
    get stored() {
      return [...stored.values()];
    },
    kill,
    start,
    restore: (messages) => {
      const wasUp = isUp;
      kill();
      stored.clear();
      for (const message of messages) stored.set(message.messageId, message);
      if (wasUp) start();
    },
    repeat: (repeats) => {
      isRepeating = repeats;
    },
  };
};

/** The state of a broker that its connections share. */
interface BrokerParts {
  readonly stored: Map<string, OutgoingMessage>;
  readonly subscriptions: Set<Subscription>;
  readonly isUp: () => boolean;
  readonly signal: (subject: string) => void;
}

const connectTo = ({ stored, subscriptions, isUp, signal }: BrokerParts): Bus => {
  const own = new Set<Subscription>();
  let isOpen = true;
  const connected = (): boolean => isUp() && isOpen;
  const subscribe = (subject: string, heard: () => void, missesNothing: boolean): Hearing => {
    const subscription = { subject, heard, missesNothing };
    own.add(subscription);
    subscriptions.add(subscription);
    return { stop: () => void subscriptions.delete(subscription) };
  };
  return {
    connected,
    publish: async (message) => {
      if (!connected()) throw new Outage("message bus", undefined);
      if (!stored.has(message.messageId)) stored.set(message.messageId, message);
    },
    signal: (subject) => {
      if (connected()) signal(subject);
    },
    hear: (subject, heard) => subscribe(subject, heard, false),
    listen: (subject, heard) => subscribe(subject, heard, true),
    close: async () => {
      isOpen = false;
      for (const subscription of own) subscriptions.delete(subscription);
    },
  };
};
