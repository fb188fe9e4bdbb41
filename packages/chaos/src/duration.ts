const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m)$/;
const MS_OF: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };
/** No plan lasts longer: a day, in milliseconds. */
export const LONGEST_PLAN_MS = 24 * 60 * 60_000;

/** Reads 250ms, 1.5s or 10m. @returns milliseconds; undefined for anything else, and for more than a day */
export const readDuration = (text: string): number | undefined => {
  const [, number, unit = ""] = DURATION.exec(text) ?? [];
  const ms = Math.round(Number(number) * (MS_OF[unit] ?? Number.NaN));
  return Number.isNaN(ms) || ms > LONGEST_PLAN_MS ? undefined : ms;
};

/** The shortest text that `readDuration` reads as so many milliseconds. */
export const durationText = (ms: number): string => {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms >= 1_000 && ms % 100 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
};
