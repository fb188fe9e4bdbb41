import { SESSION_LIFETIME_MS_MAX, SESSION_MEMORY_MS, type SignerConfig } from "@conclave/cluster";
import type { Logger } from "@conclave/platform/logger";
import { marksAhead, mendingIgnored } from "./log-events.ts";

/** A date that an operator gave longer ago is of an earlier start: the variable was left where it was. */
const GIVEN_MS_MAX = 60 * 60_000;
/** Marks that are right, and those that were mended just now, are no further ahead. */
const AHEAD_MS_MAX = SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS;

/**
 * The state machine's configuration, which has marks mended by a date of just now alone.
 *
 * @param nowMs Unix milliseconds
 */
export const mendingNow = <Config extends Pick<SignerConfig, "mendedAtMs">>(
  config: Config,
  nowMs: number,
  log: Pick<Logger, "warn">,
): Config | Omit<Config, "mendedAtMs"> => {
  const { mendedAtMs, ...others } = config;
  if (mendedAtMs === undefined) return config;
  if (mendedAtMs <= nowMs && nowMs < mendedAtMs + GIVEN_MS_MAX) return config;
  mendingIgnored(log, { date: new Date(mendedAtMs).toISOString() });
  return others;
};

/**
 * Says so where the store is marked with a time that is far ahead of this clock: then nothing can be signed.
 *
 * @param markedToMs the furthest mark, Unix milliseconds
 */
export const warnOfMarks = (markedToMs: number, nowMs: number, log: Pick<Logger, "warn">): void => {
  if (markedToMs <= nowMs + AHEAD_MS_MAX) return;
  marksAhead(log, { markedTo: new Date(markedToMs).toISOString() });
};
