import { z } from "zod";
import type { AskGateway } from "../gateway.ts";
import { readAll } from "../pages.ts";
import { printList, type Shown } from "../print.ts";
import { subjectOf } from "./event-subject.ts";

const webhookSchema = z.looseObject({
  id: z.string(),
  url: z.string(),
  status: z.string(),
  events: z.array(z.string()),
  description: z.string().optional(),
});

const recordedSchema = z.looseObject({
  id: z.string(),
  kind: z.string(),
  date: z.string(),
  data: z.record(z.string(), z.unknown()),
  status: z.string(),
  deliveryAttempt: z.int().optional(),
});

/** `conclave webhooks list` */
export const printWebhooks = async (ask: AskGateway, shown: Shown): Promise<void> =>
  printList(
    shown,
    await readAll(ask, webhookSchema, "/webhooks"),
    ["id", "status", "url", "events", "description"],
    ({ id, status, url, events, description }) => [id, status, url, events.join(","), description ?? ""],
    "no webhook yet: `conclave webhooks listen` makes one for as long as it runs, POST /webhooks one that stays",
  );

/** The attempts to deliver of these webhooks in the last 31 days, oldest first. @param webhooks all when empty */
const recordedEvents = async (ask: AskGateway, webhooks: readonly string[]) => {
  const ids =
    webhooks.length > 0
      ? webhooks
      : (await readAll(ask, z.looseObject({ id: z.string() }), "/webhooks")).map(({ id }) => id);
  const recorded = await Promise.all(
    ids.map(async (webhookId) => {
      const events = await readAll(ask, recordedSchema, `/webhooks/${webhookId}/events`);
      return events.map((event) => ({ webhookId, ...event }));
    }),
  );
  return recorded.flat().sort((a, b) => a.date.localeCompare(b.date));
};

/**
 * `conclave webhooks events`: prints the attempts to deliver, with the ids by which they are sent again.
 * @param webhook the id of one; all of the organisation when undefined
 */
export const printWebhookEvents = async (
  ask: AskGateway,
  webhook: string | undefined,
  shown: Shown,
): Promise<void> => {
  const recorded = await recordedEvents(ask, webhook === undefined ? [] : [webhook]);
  printList(
    shown,
    recorded,
    ["date", "id", "kind", "about", "attempt", "answered"],
    ({ date, id, kind, data, deliveryAttempt, status }) => [
      date,
      id,
      kind,
      subjectOf(data),
      String(deliveryAttempt ?? ""),
      status,
    ],
    "nothing was sent yet: `conclave webhooks listen` shows deliveries as they come",
  );
};

/**
 * `conclave events`: prints the events that the gateway sent to the organisation's webhooks in the last 31 days, oldest
 * first.
 * @param kinds all of them when empty
 */
export const printEvents = async (
  ask: AskGateway,
  { kinds, ...shown }: Shown & { readonly kinds: readonly string[] },
): Promise<void> => {
  const recorded = await recordedEvents(ask, []);
  const events = recorded.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  printList(
    shown,
    events,
    ["date", "kind", "about", "answered"],
    ({ date, kind, data, status }) => [date, kind, subjectOf(data), status],
    "no webhook was sent anything: `conclave events --follow` shows events as they happen",
  );
};
