import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { type WebhookEventId, type WebhookId, webhookEventIdSchema } from "../identifiers.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The times of the second to the fifth attempt, counted from the first one (wire interface, section D.5). */
export const RETRY_AFTER_MS = [MINUTE_MS, 12 * MINUTE_MS, 2 * HOUR_MS, DAY_MS] as const;

/** For this long the record of an attempt can be listed and fetched. */
export const WEBHOOK_EVENT_AGE_MS: number = 31 * DAY_MS;

/** Only this status counts as delivered, no other 2xx. */
const DELIVERED_STATUS = "200";

/** The header of the signature. */
export const WEBHOOK_SIGNATURE_HEADER = "x-dfns-webhook-signature";

/** One event on its way to one webhook. */
export interface Delivery {
  readonly webhookId: WebhookId;
  readonly kind: string;
  /** ISO 8601 UTC: when it happened */
  readonly date: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Unix milliseconds of the first attempt; undefined before it */
  readonly firstSentMs: number | undefined;
  /** the number of attempts made */
  readonly attempts: number;
  /** the last failed attempt */
  readonly retryOf: WebhookEventId | undefined;
}

/** One attempt, as it is sent, recorded and listed: it has an id of its own (wire interface, section D.2). */
export const webhookAttemptSchema = z.object({
  id: webhookEventIdSchema,
  kind: z.string(),
  date: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** the HTTP status of the response as text, or an error code */
  status: z.string(),
  error: z.string().optional(),
  /** Unix seconds */
  timestampSent: z.int(),
  deliveryFailed: z.boolean(),
  /** counts from 1 */
  deliveryAttempt: z.int(),
  retryOf: z.string().optional(),
  /** ISO 8601 UTC; absent when no further attempt follows */
  nextAttemptDate: z.string().optional(),
});
export type WebhookEvent = Readonly<z.infer<typeof webhookAttemptSchema>>;

/** An endpoint's response to an attempt. */
export type Reception =
  | { readonly kind: "answered"; readonly status: number }
  /** not reached, or too late: a code for the record, and an explanation */
  | { readonly kind: "unreached"; readonly code: string; readonly error: string };

/**
 * The attempt as it is sent: the receiver sees the record of a successful delivery.
 *
 * @param id fresh for each attempt
 * @param nowMs Unix milliseconds
 */
export const attemptOf = (delivery: Delivery, id: WebhookEventId, nowMs: number): WebhookEvent => ({
  id,
  kind: delivery.kind,
  date: delivery.date,
  data: delivery.data,
  status: DELIVERED_STATUS,
  timestampSent: Math.floor(nowMs / SECOND_MS),
  deliveryFailed: false,
  deliveryAttempt: delivery.attempts + 1,
  ...(delivery.retryOf === undefined ? {} : { retryOf: delivery.retryOf }),
});

/** When another attempt follows a failed one, in Unix milliseconds; undefined after the last. */
export const nextAttemptMs = (attempt: number, firstSentMs: number): number | undefined => {
  const after = RETRY_AFTER_MS[attempt - 1];
  return after === undefined ? undefined : firstSentMs + after;
};

/** The attempt as it is recorded, once its outcome is known. */
export const receivedAttempt = (
  sent: WebhookEvent,
  reception: Reception,
  firstSentMs: number,
): WebhookEvent => {
  const status = reception.kind === "answered" ? String(reception.status) : reception.code;
  if (status === DELIVERED_STATUS) return { ...sent, status };
  const next = nextAttemptMs(sent.deliveryAttempt, firstSentMs);
  const error = reception.kind === "answered" ? `the endpoint answered ${status}` : reception.error;
  return {
    ...sent,
    status,
    error,
    deliveryFailed: true,
    ...(next === undefined ? {} : { nextAttemptDate: new Date(next).toISOString() }),
  };
};

/**
 * The body of a delivery: compact, in insertion order, so that a receiver that parses it and serialises it
 * again gets the signed bytes.
 */
export const deliveryBody = (event: WebhookEvent): string =>
  JSON.stringify(JSON.parse(JSON.stringify(event)));

/** HMAC-SHA-256 of the body, keyed with the webhook's secret as text (wire interface, section D.5). */
export const deliverySignature = (secret: string, body: string): string =>
  `sha256=${bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(body)))}`;
