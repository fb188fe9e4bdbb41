import { isDeepStrictEqual } from "node:util";
import { deliverySignature } from "@conclave/custody";
import { z } from "zod";
import type { HeardAttempt } from "../webhook/simulated-endpoints.ts";
import type { Violation } from "./violation.ts";

/** An event, as its record and each delivery of it say it. */
export interface Happening {
  readonly kind: string;
  /** ISO 8601 UTC */
  readonly date: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A webhook of a run: what its endpoint heard, and the records that it is judged by. */
export interface WebhookFacts {
  readonly secret: string;
  /** the kinds of event that it is subscribed to */
  readonly kinds: readonly string[];
  readonly heard: readonly HeardAttempt[];
  /** all events of its organisation */
  readonly events: readonly Happening[];
  /** deliveries that are to be tried again */
  readonly due: readonly Happening[];
}

const bodySchema = z.object({ kind: z.string(), date: z.string(), data: z.record(z.string(), z.unknown()) });

/** Judges the deliveries of a webhook (INV-6). */
export const checkDeliveries = (facts: WebhookFacts): readonly Violation[] => {
  const heard = facts.heard.map((attempt) => ({
    attempt,
    content: bodySchema.parse(JSON.parse(attempt.body)),
  }));
  return [
    ...heard.flatMap(({ attempt, content }) => [
      ...invented(facts, content),
      ...forged(facts, attempt, content),
    ]),
    ...facts.events
      .filter(({ kind }) => facts.kinds.includes(kind))
      .flatMap((event) => {
        const attempts = heard.filter(({ content }) => isSame(content, event)).map(({ attempt }) => attempt);
        return undelivered(facts, event, attempts);
      }),
  ];
};

const isSame = (one: Happening, other: Happening): boolean =>
  one.kind === other.kind && one.date === other.date && isDeepStrictEqual(one.data, other.data);

/** An event is accepted by the endpoint; one that the endpoint refused so far is to be tried again. */
const undelivered = (
  { due }: WebhookFacts,
  event: Happening,
  attempts: readonly HeardAttempt[],
): readonly Violation[] => {
  if (attempts.some(({ isAccepted }) => isAccepted)) return [];
  if (attempts.length > 0 && due.some((delivery) => isSame(delivery, event))) return [];
  return [
    {
      invariant: "INV-6",
      words: `no webhook heard of ${event.kind} of ${event.date} in ${attempts.length} attempts that it accepted`,
    },
  ];
};

/** Each delivery says an event of the organisation, of a kind that the webhook is subscribed to. */
const invented = ({ events, kinds }: WebhookFacts, content: Happening): readonly Violation[] =>
  kinds.includes(content.kind) && events.some((event) => isSame(event, content))
    ? []
    : [
        {
          invariant: "INV-6",
          words: `a webhook heard of ${content.kind} of ${content.date}, which did not happen so`,
        },
      ];

const forged = (
  { secret }: WebhookFacts,
  { signature, body }: HeardAttempt,
  { kind, date }: Happening,
): readonly Violation[] =>
  signature === deliverySignature(secret, body)
    ? []
    : [
        {
          invariant: "INV-6",
          words: `the delivery of ${kind} of ${date} is not signed by the webhook's secret`,
        },
      ];
