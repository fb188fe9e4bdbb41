const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const MS_OF: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** The maximum duration of a plan: a day, in milliseconds. */
export const LONGEST_PLAN_MS = 24 * 60 * 60_000;

/**
 * Reads 250ms, 1.5s, 10m, 1h or 100d.
 * @returns milliseconds; undefined for anything else, and for more than `mostMs`
 */
export const readDuration = (text: string, mostMs = LONGEST_PLAN_MS): number | undefined => {
  const [, number, unit = ""] = DURATION.exec(text) ?? [];
  const ms = Math.round(Number(number) * (MS_OF[unit] ?? Number.NaN));
  return Number.isNaN(ms) || ms > mostMs ? undefined : ms;
};

const LONG_UNITS = ["d", "h", "m"] as const;

/** The shortest text that `readDuration` reads as this many milliseconds. */
export const durationText = (ms: number): string => {
  for (const unit of LONG_UNITS) {
    const one = MS_OF[unit] ?? Number.NaN;
    if (ms >= one && ms % one === 0) return `${ms / one}${unit}`;
  }
  return ms >= 1_000 && ms % 100 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
};
