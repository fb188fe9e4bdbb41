import { type DestinationStream, type Logger, pino } from "pino";

/** Field names under which a secret might be logged by mistake; their values are never written (INV-10). */
const SECRET_NAMES = [
  "passphrase",
  "password",
  "token",
  "authorization",
  "privateKey",
  "secret",
  "share",
  "credential",
  "x-dfns-useraction",
];

const paths = SECRET_NAMES.flatMap((name) => {
  const key = name.includes("-") ? `["${name}"]` : name;
  const below = name.includes("-") ? key : `.${name}`;
  return [key, `*${below}`, `*.*${below}`];
});

export interface LoggerOptions {
  /** name of the process, such as "gateway" or "signer-1" */
  readonly name: string;
  readonly level: string;
  /** stdout by default */
  readonly destination?: DestinationStream;
}

/** Makes a logger that writes one JSON line per event to stdout; values of secret fields are redacted. */
export const makeLogger = (options: LoggerOptions): Logger => {
  const settings = {
    name: options.name,
    level: options.level,
    redact: { paths, censor: "[redacted]" },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
};

export type { Logger } from "pino";
export { type LevelLogger, logEvent, type WriteEvent } from "./log-event.ts";
export * from "./log-events.ts";
