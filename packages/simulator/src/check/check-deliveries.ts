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
  readonly orgId: string;
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
  const heard = facts.heard.map((attempt) => {
    const content = bodySchema.parse(JSON.parse(attempt.body));
    return { attempt, content, name: nameOf(content) };
  });
  const accepted = new Set(heard.filter(({ attempt }) => attempt.isAccepted).map(({ name }) => name));
  const tried = new Set(heard.map(({ name }) => name));
  const due = new Set(facts.due.map(nameOf));
  const wanted = facts.events.filter(({ kind }) => facts.kinds.includes(kind));
  const happened = new Set(wanted.map(nameOf));
  return [
    ...heard.filter(({ name }) => !happened.has(name)).flatMap(({ content }) => invented(content)),
    ...heard.flatMap(({ attempt, content }) => forged(facts, attempt, content)),
    ...wanted.flatMap((event) => {
      const name = nameOf(event);
      // an event that the endpoint refused so far is to be tried again
      return accepted.has(name) || (tried.has(name) && due.has(name)) ? [] : undelivered(event);
    }),
  ];
};

/** A text that two happenings share if they are the same, whatever the order of their properties is. */
const nameOf = ({ kind, date, data }: Happening): string => JSON.stringify([kind, date, inOrder(data)]);

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(parts.map(([key, part]) => [key, inOrder(part)]));
};

const undelivered = ({ kind, date }: Happening): readonly Violation[] => [
  { invariant: "INV-6", words: `no webhook accepted ${kind} of ${date}, and it is not to be tried again` },
];

/** Each delivery says an event of the organisation, of a kind that the webhook is subscribed to. */
const invented = ({ kind, date }: Happening): readonly Violation[] => [
  { invariant: "INV-6", words: `a webhook heard of ${kind} of ${date}, which did not happen so` },
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
