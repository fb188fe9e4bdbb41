import { InvalidArgumentError } from "commander";

const DURATION = /^(\d{1,9})([smhdw])$/;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };
/** Ten years: simulated ledgers take no longer shift of their clocks. */
const SECONDS_MAX = 10 * 365 * DAY;

/** Reads a duration such as 90s, 15m, 1h, 2d or 1w. @returns whole seconds, one at least */
export const durationSeconds = (text: string): number => {
  const [, count = "", unit = ""] = DURATION.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS_OF[unit] ?? 0);
  if (seconds > 0 && seconds <= SECONDS_MAX) return seconds;
  throw new InvalidArgumentError("not a duration such as 90s, 15m, 1h or 2d, up to ten years");
};
