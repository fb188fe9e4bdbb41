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
   * told the name of the store of requests at the start, and again whenever the server comes back with another one: what
   * the old one had acknowledged is then gone
   */
  readonly onStore?: (store: string) => void;
}

/** The message bus: JetStream for what must not be lost, plain subjects for hints that may be. */
export interface Bus {
  /** false while the server is away; the connection comes back by itself */
  connected(): boolean;
  /**
   * Stores a message in its stream; a second one with the same messageId inside two minutes is dropped.
   * @throws Outage when it is not stored
   */
  publish(message: OutgoingMessage): Promise<void>;
  /** Works through a durable consumer until it is stopped. */
  work(options: WorkOptions): Promise<RunningConsumer>;
  /** Tells whoever listens now; nobody may. */
  signal(subject: string): void;
  /**
   * Hears signals on a subject. It resolves once the server knows of the subscription, so that no later signal is missed.
   * @throws Outage when the server is away
   */
  hear(subject: string, onSignal: (subject: string) => void): Promise<Hearing>;
  close(): Promise<void>;
}

export interface Hearing {
  stop(): void;
}

/** The subject on which a waiting gateway hears that what it asked for is settled. */
export const doneSubject = (id: string): string => `conclave.done.${id}`;

/** Connects and makes the streams. It waits for a server that is not up yet, and reconnects for ever. */
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
      // a server that lost its store has lost the streams too; the outbox still holds what was not acknowledged
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
    // refused at once: the client would otherwise hold the message until it reconnects, perhaps after it has timed out
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
