import { z } from "zod";
import { printable } from "../printable.ts";
import type { StopRequest } from "../stop-request.ts";
import type { AskGateway } from "./gateway.ts";
import { readAll } from "./pages.ts";
import { note, printList, type Shown } from "./print.ts";
import { type DeliveredEvent, listenForEvents } from "./webhook-listener.ts";

/** Marks the webhooks of this command, so that the next run finds one that a killed listener left behind. */
const DESCRIPTION = "conclave events --follow";

const webhookSchema = z.looseObject({ id: z.string(), description: z.string().optional() });
const createdSchema = z.looseObject({ id: z.string(), secret: z.string() });
const recordedSchema = z.looseObject({
  id: z.string(),
  kind: z.string(),
  date: z.string(),
  data: z.record(z.string(), z.unknown()),
  status: z.string(),
});

export interface EventsAsked extends Shown {
  /** kinds of events; all of them when empty */
  readonly kinds: readonly string[];
}

const subjectSchema = z.looseObject({ id: z.string(), status: z.string().optional() });

/** The resource that an event is about: the first member of its data that has an id. */
const subjectOf = (data: Readonly<Record<string, unknown>>): string => {
  const [subject] = Object.values(data).flatMap((value) => {
    const parsed = subjectSchema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  return subject === undefined ? "" : `${subject.id} ${subject.status ?? ""}`.trim();
};

/**
 * `conclave events`: prints the events that the gateway sent to the organisation's webhooks in the last 31 days, oldest
 * first.
 */
export const printEvents = async (ask: AskGateway, { kinds, ...shown }: EventsAsked): Promise<void> => {
  const webhooks = await readAll(ask, webhookSchema, "/webhooks");
  const recorded = await Promise.all(
    webhooks.map(({ id }) => readAll(ask, recordedSchema, `/webhooks/${id}/events`)),
  );
  const events = recorded
    .flat()
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .sort((a, b) => a.date.localeCompare(b.date));
  printList(
    shown,
    events,
    ["date", "kind", "about", "answered"],
    ({ date, kind, data, status }) => [date, kind, subjectOf(data), status],
    "no webhook was sent anything: `conclave events --follow` shows events as they happen",
  );
};

/**
 * `conclave events --follow`: prints events as they happen, until SIGINT or SIGTERM. It creates a webhook to a port of
 * this machine, on which the gateway must run too, and deletes the webhook at the end.
 */
export const followEvents = async (
  ask: AskGateway,
  { kinds, json }: EventsAsked,
  stop: Pick<StopRequest, "requested">,
): Promise<void> => {
  await deleteLeftBehind(ask);
  let secret: string | undefined;
  const listener = await listenForEvents(
    () => secret,
    (event) => process.stdout.write(`${json ? JSON.stringify(event) : lineOf(event)}\n`),
  );
  try {
    const webhook = await ask(createdSchema, "POST", "/webhooks", {
      url: listener.url,
      events: kinds.length === 0 ? ["*"] : kinds,
      description: DESCRIPTION,
    });
    secret = webhook.secret;
    note("listens; Ctrl-C ends it");
    await stop.requested;
    await ask(z.unknown(), "DELETE", `/webhooks/${webhook.id}`);
  } finally {
    await listener.close();
  }
};

const lineOf = ({ date, kind, data }: DeliveredEvent): string =>
  printable(`${date}  ${kind}  ${subjectOf(data)}`);

/**
 * Deletes the webhooks of killed listeners. A webhook whose listener answers a ping stays: that listener runs beside this
 * one.
 */
const deleteLeftBehind = async (ask: AskGateway): Promise<void> => {
  const webhooks = await readAll(ask, webhookSchema, "/webhooks");
  for (const { id } of webhooks.filter(({ description }) => description === DESCRIPTION)) {
    const { status } = await ask(z.looseObject({ status: z.string() }), "POST", `/webhooks/${id}/ping`);
    if (status !== "200") await ask(z.unknown(), "DELETE", `/webhooks/${id}`);
  }
};
