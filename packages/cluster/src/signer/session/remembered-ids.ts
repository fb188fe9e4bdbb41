import { SESSIONS_REMEMBERED_MAX } from "../limits.ts";

const MINUTE_MS = 60_000;

/**
 * How many session ids this signer wrote in this life, by the minute in which it forgets them: some seventy
 * numbers. The ids themselves are in the store alone.
 */
export type RememberedIds = ReadonlyMap<number, number>;

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);

/** Counts one more id, and drops the counts of past minutes. */
export const withId = (ids: RememberedIds, forgetAtMs: number, nowMs: number): RememberedIds => {
  const left = [...ids].filter(([minute]) => minute >= minuteOf(nowMs));
  const minute = minuteOf(forgetAtMs);
  return new Map(left).set(minute, (ids.get(minute) ?? 0) + 1);
};

/** Whether the limit of ids is reached. */
export const hasNoRoom = (ids: RememberedIds, nowMs: number): boolean => {
  let count = 0;
  for (const [minute, written] of ids) if (minute >= minuteOf(nowMs)) count += written;
  return count >= SESSIONS_REMEMBERED_MAX;
};
