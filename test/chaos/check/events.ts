import { z } from "zod";
import { type EventFact, eventName } from "../facts/cluster-facts.ts";
import type { HeardDelivery } from "../load/history.ts";
import { type Check, type Finding, repeatedIn } from "./finding.ts";
import { type AcceptedRequest, acceptedOf } from "./requests.ts";

/** The allowed sequences of a transfer's event kinds, by its final status; the common prefix is left out. */
const LIVES: Readonly<Record<string, RegExp>> = {
  Confirmed: /^requested broadcasted confirmed$/,
  Failed: /^requested( broadcasted)? failed$/,
  Rejected: /^requested rejected$/,
};
/** A rebuilt request is broadcast again after its earlier transaction died: each time with another signed transaction. */
const REBUILT_LIVES: Readonly<Record<string, RegExp>> = {
  ...LIVES,
  Confirmed: /^requested( broadcasted)+ confirmed$/,
  Failed: /^requested( broadcasted)* failed$/,
};
/** On chains that took back blocks, a final status may repeat, or follow another. */
const REORGANISED_LIVES: Readonly<Record<string, RegExp>> = {
  ...LIVES,
  Confirmed: /^requested broadcasted( broadcasted| confirmed| failed)* confirmed$/,
  Failed: /^requested( broadcasted| confirmed| failed)* failed$/,
};
const PREFIX = "wallet.transfer.";
const APPROVAL = "policy.approval.";

/** Events grouped by their resource, in their order. */
const byResource = (events: readonly EventFact[]): ReadonlyMap<string, readonly EventFact[]> => {
  const groups = new Map<string, EventFact[]>();
  for (const event of events) {
    const group = groups.get(event.resourceId);
    if (group === undefined) groups.set(event.resourceId, [event]);
    else group.push(event);
  }
  return groups;
};

const kindsOf = (events: readonly EventFact[] | undefined, prefix: string): string =>
  (events ?? [])
    .filter(({ kind }) => kind.startsWith(prefix))
    .map(({ kind }) => kind.slice(prefix.length))
    .join(" ");

/** INV-6: each change of a request and of its approval has one event in the database, in the order of the changes. */
export const checkEvents: Check = (judged) => {
  const events = byResource(judged.facts.database.events);
  return acceptedOf(judged).flatMap(({ id, request, row }): readonly Finding[] => {
    const isReorganised = judged.expected.reorganised.includes(request.asked.network);
    const signed = row?.signed.length ?? 0;
    const lives = isReorganised ? REORGANISED_LIVES : signed > 1 ? REBUILT_LIVES : LIVES;
    const life = row && lives[row.status];
    const kinds = kindsOf(events.get(id), PREFIX);
    const isTooOften = !isReorganised && kinds.split("broadcasted").length - 1 > Math.max(1, signed);
    const wrong =
      life === undefined || (life.test(kinds) && !isTooOften)
        ? []
        : [`it is ${row?.status}, and its events are: ${kinds}`];
    const resolved =
      row?.approvalId === undefined ? undefined : kindsOf(events.get(row.approvalId), APPROVAL);
    const isResolved = resolved === undefined || resolved === "pending resolved";
    return [...wrong, ...(isResolved ? [] : [`the events of its approval are: ${resolved}`])].map((words) => {
      return { invariant: "INV-6", words, requestId: id };
    });
  });
};

/** The fields of a transfer's event that are judged. */
const contentSchema = z.object({
  transferRequest: z.object({
    walletId: z.string(),
    externalId: z.string().optional(),
    status: z.string(),
    txHash: z.string().optional(),
    requestBody: z.looseObject({ to: z.string(), amount: z.string() }),
  }),
});
/** The status that each kind of event must show. */
const SHOWN: Readonly<Record<string, string>> = {
  requested: "Pending",
  broadcasted: "Broadcasted",
  confirmed: "Confirmed",
  failed: "Failed",
  rejected: "Rejected",
};

/** @param isLast whether it is the transfer's last event */
const misinformation = (
  { kind, content }: EventFact,
  { request, row }: AcceptedRequest,
  isLast: boolean,
): readonly string[] => {
  const read = contentSchema.safeParse(JSON.parse(content));
  if (!read.success) return ["it shows no transfer"];
  const { walletId, externalId, status, txHash, requestBody } = read.data.transferRequest;
  const { to, amount } = request.asked;
  const isAsked =
    walletId === request.walletId &&
    externalId === request.externalId &&
    requestBody.to.toLowerCase() === to.toLowerCase() &&
    requestBody.amount === String(amount);
  return [
    ...(status === SHOWN[kind.slice(PREFIX.length)] ? [] : [`it shows ${status}`]),
    ...(isAsked ? [] : ["it shows another transfer than was asked for"]),
    // if its block was taken back, the request may be built again under another hash
    ...(isLast && status === "Confirmed" && txHash !== row?.txHash
      ? [`it shows the transaction ${txHash}`]
      : []),
  ];
};

/** INV-6: each transaction is reported as broadcast once; more often only on chains that took back blocks. */
export const checkBroadcasts: Check = ({ facts, history, expected }) => {
  const events = byResource(facts.database.events);
  return acceptedOf({ facts, history, expected }).flatMap(({ id, request }): readonly Finding[] => {
    if (expected.reorganised.includes(request.asked.network)) return [];
    const hashes = (events.get(id) ?? [])
      .filter(({ kind }) => kind === `${PREFIX}broadcasted`)
      .flatMap((event) => {
        const read = contentSchema.safeParse(JSON.parse(event.content));
        return read.success ? [read.data.transferRequest.txHash ?? ""] : [];
      });
    return repeatedIn(hashes).map((hash): Finding => {
      return { invariant: "INV-6", words: `two events tell that ${hash} is broadcast`, requestId: id };
    });
  });
};

/** INV-6: an event shows the requested transfer, in the status of its kind; the last one shows the hash on record. */
export const checkShownTransfers: Check = (judged) => {
  const events = byResource(judged.facts.database.events);
  return acceptedOf(judged).flatMap((accepted) => {
    const own = (events.get(accepted.id) ?? []).filter(({ kind }) => kind.startsWith(PREFIX));
    return own.flatMap((event) =>
      misinformation(event, accepted, event === own.at(-1)).map((problem): Finding => {
        const words = `${event.kind} (${event.id}) is wrong: ${problem}`;
        return { invariant: "INV-6", words, requestId: accepted.id };
      }),
    );
  });
};

const ofKinds = (events: readonly EventFact[]): readonly EventFact[] =>
  events.filter(({ kind }) => kind.startsWith(PREFIX) || kind.startsWith(APPROVAL));

/** Whether two copies of an event agree; their dates may have different forms. */
const isSameEvent = (one: EventFact, other: EventFact): boolean =>
  one.kind === other.kind &&
  one.orgId === other.orgId &&
  one.resourceId === other.resourceId &&
  one.content === other.content &&
  Date.parse(one.date) === Date.parse(other.date);

/** INV-6: each event is on the bus exactly once, unless the bus lost it; the bus has no other events. */
export const checkPublished: Check = ({ facts, expected }) => {
  const stored = facts.database.events;
  const known = new Map(stored.map((event) => [event.id, event]));
  const published = new Set(facts.published.map(({ id }) => id));
  const waiting = facts.database.unpublished.map((id): Finding => {
    return { invariant: "INV-6", words: `event ${id} waits to be published` };
  });
  const strange = facts.published.filter(({ id }) => !known.has(id));
  const changed = facts.published.filter((event) => {
    const original = known.get(event.id);
    return original !== undefined && !isSameEvent(event, original);
  });
  const { publishing } = facts.database;
  const isForgotten = (id: string): boolean =>
    expected.busLost.some(({ fromMs, untilMs }) => {
      const publishedMs = publishing.get(id) ?? 0;
      return fromMs <= publishedMs && publishedMs <= untilMs;
    });
  const missing = stored.filter(({ id }) => !published.has(id) && !isForgotten(id));
  const found =
    (words: string) =>
    (event: EventFact): Finding => ({
      invariant: "INV-6",
      words: `${event.kind} of ${event.resourceId} (${event.id}) ${words}`,
    });
  return [
    ...waiting,
    ...repeatedIn(facts.published.map(({ id }) => id)).map((id): Finding => {
      return { invariant: "INV-6", words: `event ${id} is on the bus more than once` };
    }),
    ...strange.map(found("is on the bus, and the database does not have it")),
    ...changed.map(found("is on the bus with other words than the database has")),
    ...missing.map(found("is not on the bus")),
  ];
};

/**
 * INV-6: the bus has the events of one resource in the order of its changes, provided that one orchestrator publishes and
 * nothing fails.
 */
export const checkPublishedOrder: Check = ({ facts, expected }) => {
  if (!expected.isBusInOrder || expected.busLost.length > 0) return [];
  const stored = byResource(ofKinds(facts.database.events));
  const known = new Set(facts.database.events.map(({ id }) => id));
  return [...byResource(ofKinds(facts.published))].flatMap(([resourceId, events]): readonly Finding[] => {
    const heard = [...new Set(events.map(({ id }) => id))].filter((id) => known.has(id));
    const wanted = (stored.get(resourceId) ?? []).map(({ id }) => id).filter((id) => heard.includes(id));
    if (wanted.join() === heard.join()) return [];
    const words = `the bus has the events of ${resourceId} in another order: ${events.map(({ kind }) => kind).join(", ")}`;
    return [{ invariant: "INV-6", words }];
  });
};

/** An event's name with its content. */
const nameWithContent = ({ kind, resourceId, date, content }: HeardDelivery | EventFact): string =>
  `${eventName(kind, resourceId, date)}: ${content}`;

/** INV-6, docs/webhooks.md: each event was delivered, correctly signed, and accepted; or its next attempt is still pending. */
export const checkDeliveries: Check = (judged) => {
  const { facts, history } = judged;
  const own = new Set(
    acceptedOf(judged).flatMap(({ id, row }) =>
      row?.approvalId === undefined ? [id] : [id, row.approvalId],
    ),
  );
  const heard = new Map<string, boolean>();
  for (const { kind, resourceId, date, answered } of history.deliveries) {
    const name = eventName(kind, resourceId, date);
    heard.set(name, heard.get(name) === true || answered === 200);
  }
  const waiting = new Set(facts.database.waitingDeliveries);
  const events = facts.database.events.filter(({ resourceId }) => own.has(resourceId));
  const names = new Set(
    facts.database.events.map(({ kind, resourceId, date }) => eventName(kind, resourceId, date)),
  );
  const problems = events.flatMap(({ kind, resourceId, date }): readonly string[] => {
    const name = eventName(kind, resourceId, date);
    if (!heard.has(name)) return [`${name} was never delivered`];
    if (heard.get(name) === true || waiting.has(name)) return [];
    return [`${name} was delivered and refused, and is not tried again`];
  });
  const forged = history.deliveries.filter(({ isSignedRight }) => !isSignedRight);
  const known = new Set(facts.database.events.map(nameWithContent));
  const changed = history.deliveries.filter(
    (delivery) =>
      names.has(eventName(delivery.kind, delivery.resourceId, delivery.date)) &&
      !known.has(nameWithContent(delivery)),
  );
  const invented = [...heard.keys()].filter((name) => !names.has(name));
  return [
    ...problems,
    ...forged.map(({ kind, resourceId }) => `${kind} of ${resourceId} was delivered with a wrong signature`),
    ...changed.map(
      ({ kind, resourceId, date }) =>
        `${eventName(kind, resourceId, date)} was delivered with other words than the database has`,
    ),
    ...invented.map((name) => `${name} was delivered, and the database does not have it`),
  ].map((words): Finding => ({ invariant: "INV-6", words }));
};
