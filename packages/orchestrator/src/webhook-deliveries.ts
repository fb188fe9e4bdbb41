import {
  attemptOf,
  isoNow,
  type Reception,
  receivedAttempt,
  type WebhookEvent,
  type WebhookId,
  type World,
  webhookEventIdSchema,
} from "@conclave/custody";
import {
  type Database,
  type DueDelivery,
  dropDisabledDeliveries,
  type Logger,
  type Loop,
  readSealedWebhook,
  recordAttempt,
  type Sender,
  type Stoppable,
  startLoop,
  takeDeliveries,
  type WebhookSecrets,
} from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";
import { deliveriesNotTaken, deliveryNotRecorded, missedNotDropped } from "./log/process-events.ts";

/** Limit on concurrent requests: many more than dead endpoints can hold up at a time. */
const IN_FLIGHT_MAX = 512;
/** limit on the deliveries that are taken for one endpoint at a time; more are taken when all of these are answered */
const PER_WEBHOOK_MAX = 4;
/**
 * How long a process holds its deliveries, longer than any request to an endpoint takes. After that other processes
 * take over.
 */
export const DELIVERY_LEASE_MS = 30_000;
const POLL_MS = 1_000;
const AFTER_FAILURE_MS = 1_000;
/** rows of a disabled webhook that one statement drops */
const DROP_ROWS = 500;

export interface DeliveriesOptions {
  readonly database: Database;
  readonly secrets: Pick<WebhookSecrets, "open">;
  readonly send: Sender;
  /** subscribes to DELIVERIES_SUBJECT */
  readonly hear?: (ring: () => void) => Stoppable;
  /** the database's clock, which all orchestrators share, decides when attempts are due */
  readonly world: World;
  readonly logger: Logger;
}

export interface Deliveries {
  /** Looks for due deliveries at once. */
  ring(): void;
  /** Takes no more deliveries, and waits for the attempts under way. */
  stop(): Promise<void>;
}

/**
 * Delivers events to webhooks (wire interface, section D.5), beside all other work: a dead or slow endpoint only delays
 * its own queue. At least one attempt is made of each delivery, and recorded before the next.
 */
export const startDeliveries = (options: DeliveriesOptions): Deliveries => {
  const underWay = new Map<WebhookId, number>();
  const attempts = new Set<Promise<void>>();

  const ended = (id: WebhookId): void => {
    const left = (underWay.get(id) ?? 1) - 1;
    if (left > 0) underWay.set(id, left);
    else underWay.delete(id);
    loop.ring();
  };
  const begin = (delivery: DueDelivery): void => {
    underWay.set(delivery.webhookId, (underWay.get(delivery.webhookId) ?? 0) + 1);
    const attempt = deliver(options, delivery)
      .catch((err: unknown) => deliveryNotRecorded(options.logger, { err }))
      .finally(() => {
        attempts.delete(attempt);
        ended(delivery.webhookId);
      });
    attempts.add(attempt);
  };
  const round = async (): Promise<number> => {
    const nowMs = options.world.nowMs();
    const now = new Date(nowMs).toISOString();
    const limit = IN_FLIGHT_MAX - attempts.size;
    if (limit <= 0) return POLL_MS;
    const due = await takeDeliveries(options.database, {
      now,
      leasedUntil: new Date(nowMs + DELIVERY_LEASE_MS).toISOString(),
      limit,
      perWebhook: PER_WEBHOOK_MAX,
      busy: [...underWay.keys()],
    });
    for (const delivery of due) begin(delivery);
    return POLL_MS;
  };

  const loop = keepDoing(options, round, deliveriesNotTaken, options.hear);
  const dropping = keepDoing(options, () => dropDisabled(options), missedNotDropped);
  return {
    ring: () => {
      loop.ring();
      dropping.ring();
    },
    stop: async () => {
      await Promise.all([loop.stop(), dropping.stop()]);
      await Promise.all(attempts);
    },
  };
};

const keepDoing = (
  { world, logger }: DeliveriesOptions,
  round: () => Promise<number>,
  failed: typeof deliveriesNotTaken,
  hear?: DeliveriesOptions["hear"],
): Loop =>
  startLoop({
    world,
    hear,
    round,
    onFailure: (err) => failed(logger, { err }),
    pauseAfterFailureMs: AFTER_FAILURE_MS,
  });

/** Drops deliveries of disabled webhooks, independently of other deliveries. @returns the pause until the next call */
const dropDisabled = async ({ database, world }: DeliveriesOptions): Promise<number> => {
  const dropped = await dropDisabledDeliveries(database, isoNow(world), DROP_ROWS);
  return dropped < DROP_ROWS ? POLL_MS : 0;
};

const deliver = async (options: DeliveriesOptions, delivery: DueDelivery): Promise<void> => {
  const { database, world } = options;
  const known = await readSealedWebhook(database, delivery.webhookId);
  // the webhook was deleted since, with its deliveries
  if (known === undefined) return;
  const sentMs = world.nowMs();
  const sent = attemptOf(delivery, world.freshId(webhookEventIdSchema, "wh"), sentMs);
  const reception = await attempt(options, known, sent);
  FAULT: reach("webhook.sent");
  const recorded = receivedAttempt(sent, reception, delivery.firstSentMs ?? sentMs);
  const sentAt = new Date(sentMs).toISOString();
  await database.transaction((connection) => recordAttempt(connection, delivery, recorded, sentAt));
};

const attempt = async (
  { secrets, send }: DeliveriesOptions,
  { webhook, sealedSecret }: NonNullable<Awaited<ReturnType<typeof readSealedWebhook>>>,
  event: WebhookEvent,
): Promise<Reception> => {
  const secret = secrets.open(webhook.id, sealedSecret);
  // the encryption key of secrets was changed: a delivery that cannot be signed is not sent, and is recorded so
  return secret === undefined
    ? { kind: "unreached", code: "SECRET_UNREADABLE", error: "the webhook's secret cannot be opened" }
    : send(webhook.url, secret.reveal(), event);
};
