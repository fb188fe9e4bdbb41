import { performance } from "node:perf_hooks";
import { UsageError } from "../../failure/usage-error.ts";
import { printable } from "../../printable.ts";
import type { StopRequest } from "../../stop-request.ts";
import type { AskGateway } from "../gateway.ts";
import { note, printOne, type Shown } from "../print.ts";
import { refuseUnknownKinds } from "./event-kinds.ts";
import { subjectOf } from "./event-subject.ts";
import { forwardDelivery } from "./forward-delivery.ts";
import type { HeardDelivery } from "./webhook-listener.ts";
import { whileListening } from "./while-listening.ts";

const NOT_FORWARDED = { answer: "", status: 200 };

export interface ListenAsked extends Shown {
  /** where deliveries are sent on to; without it they are only printed */
  readonly forwardTo?: string;
  /** kinds of events; all of them when empty */
  readonly events: readonly string[];
}

const targetOf = (text: string | undefined): URL | undefined => {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ["http:", "https:"].includes(url.protocol)) return url;
  throw new UsageError(`"${printable(text)}" is no http or https URL`);
};

/**
 * `conclave webhooks listen`: creates a webhook of the organisation for as long as the command runs, prints its secret and each delivery,
 * sends deliveries on to a target, and answers as the target does.
 * @throws UsageError for a target that is no URL and for an unknown kind of event, before anything is created
 */
export const listenToWebhook = async (
  gateway: () => Promise<AskGateway>,
  { forwardTo, events, json }: ListenAsked,
  stop: Pick<StopRequest, "requested">,
): Promise<void> => {
  const target = targetOf(forwardTo);
  refuseUnknownKinds(events);
  const ask = await gateway();
  const heard = async (delivery: HeardDelivery): Promise<number> => {
    const begun = performance.now();
    const time = new Date().toISOString();
    const { answer, status } = target === undefined ? NOT_FORWARDED : await forwardDelivery(target, delivery);
    const { id, kind, data } = delivery.event;
    const ms = Math.round(performance.now() - begun);
    const answered = target === undefined ? [] : [answer, `${ms} ms`];
    const line = json
      ? JSON.stringify({
          time,
          kind,
          id,
          ...(target === undefined ? {} : { answer, ms }),
          event: delivery.event,
        })
      : printable([time, kind, id, ...answered, subjectOf(data)].join("  ").trimEnd());
    process.stdout.write(`${line}\n`);
    return status;
  };
  const kinds = [...new Set(events)];
  await whileListening(
    ask,
    {
      description: "conclave webhooks listen",
      kinds,
      began: ({ id, secret }) => {
        if (json) process.stdout.write(`${JSON.stringify({ webhook: id, secret })}\n`);
        else
          printOne({ json }, undefined, {
            webhook: id,
            secret,
            events: kinds.length === 0 ? "all" : kinds.join(", "),
            "forwards to": target?.href,
          });
        note("listens; Ctrl-C ends it and deletes the webhook");
      },
      heard,
    },
    stop,
  );
};
