import { printable } from "../printable.ts";
import type { StopRequest } from "../stop-request.ts";
import type { AskGateway } from "./gateway.ts";
import { note, type Shown } from "./print.ts";
import { subjectOf } from "./webhooks/event-subject.ts";
import type { DeliveredEvent } from "./webhooks/webhook-listener.ts";
import { whileListening } from "./webhooks/while-listening.ts";

export interface EventsAsked extends Shown {
  /** kinds of events; all of them when empty */
  readonly kinds: readonly string[];
}

/** `conclave events --follow`: prints events as they happen, until SIGINT or SIGTERM. */
export const followEvents = (
  ask: AskGateway,
  { kinds, json }: EventsAsked,
  stop: Pick<StopRequest, "requested">,
): Promise<void> =>
  whileListening(
    ask,
    {
      description: "conclave events --follow",
      kinds,
      began: () => note("listens; Ctrl-C ends it"),
      heard: ({ event }) => {
        process.stdout.write(`${json ? JSON.stringify(event) : lineOf(event)}\n`);
        return undefined;
      },
    },
    stop,
  );

const lineOf = ({ date, kind, data }: DeliveredEvent): string =>
  printable(`${date}  ${kind}  ${subjectOf(data)}`);
