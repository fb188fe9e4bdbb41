import { logEvent } from "./log-event.ts";

/** The log events that several services share. None contains a payload, a secret or an address. */

/** @param service the name of the process, such as "ledger" */
interface OfService {
  readonly service: string;
}

/** Each service chooses the fields: where it listens, and what it uses. */
export const serviceReady = logEvent<Readonly<Record<string, unknown>>>()("info", "service-ready", "ready");

export const serviceStopping = logEvent<{ readonly signal: string }>()(
  "info",
  "service-stopping",
  "stopping",
);

export const serviceNotStarted = logEvent<OfService & { readonly err: unknown }>()(
  "fatal",
  "service-not-started",
  ({ service }) => `the ${service} cannot start`,
);

export const databaseConnectionBroke = logEvent<{ readonly err: unknown }>()(
  "warn",
  "database-connection-broke",
  "a database connection broke",
);

/** @param setByMs how far the clock is from where it would be if it had not been set */
export const databaseClockSet = logEvent<{ readonly setByMs: number }>()(
  "warn",
  "database-clock-set",
  "the database's clock was set",
);

export const nodeSilent = logEvent<{ readonly network: string }>()(
  "warn",
  "node-silent",
  "a chain node does not answer, and is left alone for some seconds",
);

export const nodeAnswers = logEvent<{ readonly network: string }>()(
  "info",
  "node-answers",
  "a chain node answers again",
);

/** @param certificateEnds ISO 8601 */
export const certificateEndsSoon = logEvent<{ readonly certificateEnds: string }>()(
  "warn",
  "certificate-ends-soon",
  ({ certificateEnds }) =>
    `the TLS certificate ends on ${certificateEnds.slice(0, 10)}: from then on no link opens. \`conclave renew-certificates\` renews those of all (deploy/day-to-day.md)`,
);
