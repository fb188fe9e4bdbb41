import { setTimeout as pause } from "node:timers/promises";
import {
  AckPolicy,
  type Consumer,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from "@nats-io/jetstream";

/** after this time without a heartbeat, the message of a dead process goes to another process (INV-5) */
const ACK_WAIT_MS = 10_000;
/** three heartbeats fit into the ack wait, so that a lost one does no harm */
const HEARTBEAT_MS = 3_000;
/** includes messages whose handlers wait for their turn: a long queue of one wallet must not block others */
const MOST_UNACKNOWLEDGED = 4_096;
const MOST_LANES = 64;
/** how long one pull waits at the server for a message; long, to keep the number of pulls small */
const PULL_MS = 20_000;
const RETRY_AFTER_THROW_MS = 1_000;
const PAUSE_AFTER_FAILED_PULL_MS = 500;
const NANOSECONDS_A_MILLISECOND = 1_000_000;

/** A message as a handler gets it. */
export interface BusMessage {
  readonly subject: string;
  /** the parsed JSON, which the handler validates */
  readonly data: unknown;
  /** 1 at the first delivery */
  readonly attempt: number;
}

/** What happens to a message after its handler has finished. */
export type Disposition =
  | { readonly kind: "Done" }
  /** deliver it again, not before the delay has passed */
  | { readonly kind: "Again"; readonly afterMs: number };

export interface WorkOptions {
  readonly stream: "REQUESTS" | "EVENTS";
  /** the durable consumer's name; all processes that give the same name share its messages */
  readonly durable: string;
  readonly subject: string;
  /** number of messages handled at the same time, 1 to 64 */
  readonly concurrency: number;
  /**
   * Handles one message. It may take any time, because heartbeats are sent meanwhile. It has to be idempotent, because a
   * message may come twice. If it throws, the error is reported and the message comes again after one second.
   */
  readonly handle: (message: BusMessage) => Promise<Disposition>;
  readonly onFailure: (error: unknown) => void;
}

export interface RunningConsumer {
  /** Takes no more messages and waits for the running handlers. */
  stop(): Promise<void>;
}

/** Processes the messages of a durable consumer, each at least once, until stopped. */
export const startWork = async (
  manager: JetStreamManager,
  client: JetStreamClient,
  options: WorkOptions,
): Promise<RunningConsumer> => {
  const ensure = () => ensureConsumer(manager, options);
  await ensure();
  const consumer = await client.consumers.get(options.stream, options.durable);
  const stopping = new AbortController();
  const handling = new Set<Promise<void>>();
  const lanes = Math.min(options.concurrency, MOST_LANES);
  for (let lane = 0; lane < lanes; lane += 1)
    void pullForEver({ consumer, ensure, options, handling }, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(handling);
    },
  };
};

/** Creates the durable consumer if it is missing: at the start, and after a server came back without its store. */
const ensureConsumer = async (manager: JetStreamManager, options: WorkOptions): Promise<void> => {
  await manager.consumers.add(options.stream, {
    durable_name: options.durable,
    filter_subject: options.subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ACK_WAIT_MS * NANOSECONDS_A_MILLISECOND,
    max_ack_pending: MOST_UNACKNOWLEDGED,
    max_deliver: -1,
  });
};

interface Lane {
  readonly consumer: Consumer;
  readonly ensure: () => Promise<void>;
  readonly options: WorkOptions;
  readonly handling: Set<Promise<void>>;
}

/** Processes one message at a time, so that no message waits in memory while its ack wait expires. */
const pullForEver = async (lane: Lane, stopping: AbortSignal): Promise<void> => {
  while (!stopping.aborted) {
    const message = await pull(lane, stopping);
    if (message === undefined) continue;
    if (stopping.aborted) {
      message.nak();
      return;
    }
    const work = settle(message, lane.options);
    lane.handling.add(work);
    await work;
    lane.handling.delete(work);
  }
};

const pull = async (lane: Lane, stopping: AbortSignal): Promise<JsMsg | undefined> => {
  try {
    return (await lane.consumer.next({ expires: PULL_MS })) ?? undefined;
  } catch (error) {
    if (stopping.aborted) return undefined;
    lane.options.onFailure(error);
    await pause(PAUSE_AFTER_FAILED_PULL_MS, undefined, { signal: stopping }).catch(() => undefined);
    await lane.ensure().catch(() => undefined);
    return undefined;
  }
};

const settle = async (message: JsMsg, options: WorkOptions): Promise<void> => {
  const heartbeat = setInterval(() => message.working(), HEARTBEAT_MS);
  try {
    const data: unknown = parseJson(message.string());
    const disposition = await options.handle({
      subject: message.subject,
      data,
      attempt: message.info.deliveryCount,
    });
    if (disposition.kind === "Done") message.ack();
    else message.nak(disposition.afterMs);
  } catch (error) {
    options.onFailure(error);
    message.nak(RETRY_AFTER_THROW_MS);
  } finally {
    clearInterval(heartbeat);
  }
};

/** Invalid JSON becomes undefined, which no schema accepts; the handler then rejects the message. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
