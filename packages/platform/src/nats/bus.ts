import { type JetStreamClient, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, errors, type NatsConnection, type Subscription } from "@nats-io/transport-node";
import { ConfigurationError } from "../config/environment.ts";
import { Outage } from "../outage.ts";
import type { OutgoingMessage } from "../postgres/outbox.ts";
import { type EventStorage, ensureEvents } from "./streams.ts";

const RECONNECT_WAIT_MS = 250;
const RECONNECT_JITTER_MS = 100;
const PING_EVERY_MS = 5_000;
const PINGS_UNANSWERED = 2;
const PUBLISH_TIMEOUT_MS = 5_000;
const SETUP_TIMEOUT_MS = 10_000;

export interface BusOptions {
  /** nats://host:port */
  readonly url: string;
  readonly token: string;
  /** shown in the server's list of connections */
  readonly name: string;
  readonly onStatus?: (status: string) => void;
  /** settings of the event stream, for a process that publishes events; without them this process leaves the stream alone */
  readonly events?: EventStorage;
}

/**
 * The message bus: a stream of public events, and plain subjects for signals that may be lost. No request depends on
 * it: orchestrators read their work from the database.
 */
export interface Bus {
  /** Whether the server is connected. The client reconnects by itself. */
  connected(): boolean;
  /**
   * Stores a message in its stream. A second message with the same messageId within two minutes is dropped.
   * @throws Outage if the message is not stored
   */
  publish(message: OutgoingMessage): Promise<void>;
  /** Sends a signal to the current subscribers, if any. */
  signal(subject: string): void;
  /** Subscribes to the signals that are sent on a subject after this call. */
  hear(subject: string, onSignal: () => void): Hearing;
  /** As `hear`, and also calls back after each reconnection, because signals may have been missed. */
  listen(subject: string, onSignal: () => void): Hearing;
  close(): Promise<void>;
}

export interface Hearing {
  stop(): void;
}

/** The subject on which a waiting gateway learns that its request is settled. */
export const doneSubject = (id: string): string => `conclave.done.${id}`;

/** Turns a refused token into a configuration error; rethrows any other error. */
const refusedToken = (error: unknown): never => {
  if (!(error instanceof errors.AuthorizationError)) throw error;
  throw new ConfigurationError(
    "the bus refuses the token: check CONCLAVE_NATS_URL, and its token in CONCLAVE_NATS_TOKEN_FILE or CONCLAVE_NATS_TOKEN",
  );
};

/**
 * Connects and creates the stream. Waits for a server that is not running yet, and reconnects without limit.
 *
 * @throws ConfigurationError if the server refuses the token
 */
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
  }).catch(refusedToken);
  let up = true;
  const ensure = async (): Promise<void> => {
    if (options.events === undefined) return;
    const manager = await jetstreamManager(connection, { timeout: SETUP_TIMEOUT_MS });
    await ensureEvents(manager.streams, options.events);
  };
  await ensure().catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const ensureAgain = () => void ensure().catch(() => options.onStatus?.("no stream"));
  void followStatus(connection, (status) => {
    if (status === "disconnect" || status === "close") up = false;
    if (status === "reconnect") {
      up = true;
      // a server that lost its store lost the stream too; the outbox still has the unacknowledged messages
      ensureAgain();
    }
    options.onStatus?.(status);
  });
  return busOf(connection, jetstream(connection), ensureAgain, () => up && !connection.isClosed());
};

const busOf = (
  connection: NatsConnection,
  client: JetStreamClient,
  ensureAgain: () => void,
  connected: () => boolean,
): Bus => ({
  connected,
  publish: async (message) => {
    // fail at once: otherwise the client would hold the message until it reconnects, perhaps after the timeout
    if (!connected()) throw new Outage("message bus", undefined);
    await client
      .publish(message.subject, JSON.stringify(message.payload), {
        msgID: message.messageId,
        timeout: PUBLISH_TIMEOUT_MS,
      })
      .catch((error: unknown) => {
        ensureAgain();
        return away(error);
      });
  },
  signal: (subject) => {
    if (connected()) connection.publish(subject);
  },
  hear: (subject, onSignal) => {
    const subscription = connection.subscribe(subject, { callback: onSignal });
    return { stop: () => subscription.unsubscribe() };
  },
  listen: (subject, onSignal) => {
    const subscription = connection.subscribe(subject, { callback: onSignal });
    void callAfterReconnects(connection, subscription, onSignal);
    return { stop: () => subscription.unsubscribe() };
  },
  close: () => connection.close(),
});

/** Calls back after reconnections, because signals that were sent while the server was away are lost. */
const callAfterReconnects = async (
  connection: NatsConnection,
  subscription: Subscription,
  onSignal: () => void,
): Promise<void> => {
  for await (const status of connection.status()) {
    if (subscription.isClosed()) return;
    if (status.type === "reconnect") onSignal();
  }
};

const away = (error: unknown): never => {
  throw new Outage("message bus", error);
};

const followStatus = async (
  connection: NatsConnection,
  onStatus: (status: string) => void,
): Promise<void> => {
  // a ping brings no change of status
  for await (const { type } of connection.status()) if (type !== "ping") onStatus(type);
};
