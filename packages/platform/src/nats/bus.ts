import { setTimeout as pause } from "node:timers/promises";
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { Outage } from "../outage.ts";
import type { OutgoingMessage } from "../postgres/outbox.ts";
import { type RunningConsumer, startWork, type WorkOptions } from "./consumer.ts";
import { ensureStreams } from "./streams.ts";

const RECONNECT_WAIT_MS = 250;
const RECONNECT_JITTER_MS = 100;
const PING_EVERY_MS = 5_000;
const PINGS_UNANSWERED = 2;
const PUBLISH_TIMEOUT_MS = 5_000;
const SETUP_TIMEOUT_MS = 10_000;
const FLUSH_TIMEOUT_MS = 2_000;

export interface BusOptions {
  /** nats://host:port */
  readonly url: string;
  readonly token: string;
  /** shown in the server's list of connections */
  readonly name: string;
  readonly onStatus?: (status: string) => void;
  /**
   * Called with the name of the request store at the start, and again whenever the server comes back with another store.
   * Everything that the old store had acknowledged is then lost.
   */
  readonly onStore?: (store: string) => void;
}

/** The message bus: JetStream for messages that must not be lost, plain subjects for signals that may be lost. */
export interface Bus {
  /** Whether the server is connected. The client reconnects by itself. */
  connected(): boolean;
  /**
   * Stores a message in its stream. A second message with the same messageId within two minutes is dropped.
   * @throws Outage if the message is not stored
   */
  publish(message: OutgoingMessage): Promise<void>;
  /** Processes the messages of a durable consumer until it is stopped. */
  work(options: WorkOptions): Promise<RunningConsumer>;
  /** Sends a signal to the current subscribers, if there are any. */
  signal(subject: string): void;
  /**
   * Subscribes to signals on a subject. It resolves once the server has the subscription, so that no later signal is missed.
   * @throws Outage if the server is unreachable
   */
  hear(subject: string, onSignal: (subject: string) => void): Promise<Hearing>;
  close(): Promise<void>;
}

export interface Hearing {
  stop(): void;
}

/** The subject on which a waiting gateway is signalled that its request is settled. */
export const doneSubject = (id: string): string => `conclave.done.${id}`;

/** Connects and creates the streams. It waits for a server that is not running yet, and reconnects without limit. */
export const connectBus = async (options: BusOptions): Promise<Bus> => {
  const connection = await connect({
    servers: options.url,
    token: options.token,
    name: options.name,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: PINGS_UNANSWERED,
  });
  let up = true;
  const manager = await jetstreamManager(connection, { timeout: SETUP_TIMEOUT_MS });
  let store = "";
  const findStore = async (): Promise<void> => {
    const found = await ensureStreams(manager.streams);
    if (found === store) return;
    store = found;
    options.onStore?.(store);
  };
  await findStore().catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  void followStatus(connection, (status) => {
    if (status === "disconnect" || status === "close") up = false;
    if (status === "reconnect") {
      up = true;
      // a server that lost its store lost the streams too; the outbox still has the unacknowledged messages
      findStore().catch(() => options.onStatus?.("no streams"));
    }
    options.onStatus?.(status);
  });
  return busOf(connection, manager, jetstream(connection), () => up && !connection.isClosed());
};

const busOf = (
  connection: NatsConnection,
  manager: JetStreamManager,
  client: JetStreamClient,
  connected: () => boolean,
): Bus => ({
  connected,
  publish: async (message) => {
    // fail at once: otherwise the client would keep the message until it reconnects, perhaps after the timeout
    if (!connected()) throw new Outage("message bus", undefined);
    await client
      .publish(message.subject, JSON.stringify(message.payload), {
        msgID: message.messageId,
        timeout: PUBLISH_TIMEOUT_MS,
      })
      .catch(away);
  },
  work: (options) => startWork(manager, client, options),
  signal: (subject) => {
    if (connected()) connection.publish(subject);
  },
  hear: async (subject, onSignal) => {
    if (!connected()) throw new Outage("message bus", undefined);
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) onSignal(message.subject);
      },
    });
    await Promise.race([connection.flush(), tooLate(FLUSH_TIMEOUT_MS)]).catch((error) => {
      subscription.unsubscribe();
      return away(error);
    });
    return { stop: () => subscription.unsubscribe() };
  },
  close: () => connection.close(),
});

const tooLate = async (ms: number): Promise<never> => {
  await pause(ms, undefined, { ref: false });
  throw new Error(`no answer in ${ms} ms`);
};

const away = (error: unknown): never => {
  throw new Outage("message bus", error);
};

const followStatus = async (
  connection: NatsConnection,
  onStatus: (status: string) => void,
): Promise<void> => {
  for await (const status of connection.status()) onStatus(status.type);
};
