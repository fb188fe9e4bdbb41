import { type DestinationStream, type Logger, pino } from "pino";

/** Names under which a secret might be logged by mistake; their values never reach a line (INV-10). */
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
  /** the process, as in "gateway" or "signer-1" */
  readonly name: string;
  readonly level: string;
  /** stdout when it is left out */
  readonly destination?: DestinationStream;
}

/** JSON lines on stdout, one an event; values under a secret's name are redacted. */
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
