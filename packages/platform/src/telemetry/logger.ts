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

type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

/** The part of a logger that writes at one level. */
type LevelLogger<Level extends LogLevel> = {
  readonly [Each in Level]: (fields: object, sentence: string) => void;
};

/**
 * Declares an event of a service's log, once: its level, its name, its fields and its sentence for people.
 *
 * @param event the name, which the line bears in the field `event`
 * @param sentence the same for every line; a function where the sentence needs the fields
 * @returns writes one line about the event
 */
export const logEvent =
  <Fields extends object = Record<never, never>>() =>
  <Level extends LogLevel>(level: Level, event: string, sentence: string | ((fields: Fields) => string)) =>
  (log: LevelLogger<Level>, fields: Fields): void =>
    log[level]({ event, ...fields }, typeof sentence === "string" ? sentence : sentence(fields));

export type { Logger } from "pino";
