import {
  CLOCK_SKEW_MS_MAX,
  REQUEST_AGE_MS_MAX,
  SESSION_LIFETIME_MS_MAX,
  SESSION_MEMORY_MS,
} from "../limits.ts";
import type { SignerState, SignerStep } from "../state.ts";
import { type Forgotten, markOf } from "./forgotten-mark.ts";

/**
 * Corrects the marks of forgetting, after a wrong clock set them far ahead. The operator vouches for a date: it is the
 * present date, and neither this signer nor the authority signed anything with a later one. Requests that are dated up
 * to then and may be forgotten are not signed any more, and no session begins that may have begun before. The same date
 * has an effect once.
 *
 * A signer cannot do this by itself: if its own clock has gone back, an orchestrator that shows it old authorisations
 * can make correct marks look as if they were ahead.
 *
 * @param state at its start, with the stored marks
 * @returns the state with corrected marks, and their synced write, if the operator named a date
 */
export const mendMarks = (state: SignerState): SignerStep => {
  const { forgotten, config } = state;
  const { mendedAtMs: nowMs } = config;
  if (nowMs === undefined || nowMs <= forgotten.mendedMs) return { state, effects: [] };
  const next = mendedAt(forgotten, nowMs);
  return {
    state: { ...state, forgotten: next },
    effects: [{ kind: "store", ...markOf(next) }],
  };
};

const mendedAt = (forgotten: Forgotten, nowMs: number): Forgotten => {
  const toMs = nowMs + SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS;
  const latestMs = nowMs + CLOCK_SKEW_MS_MAX;
  const requestedToMs = Math.min(forgotten.requestedToMs, latestMs);
  const olderMs = Math.min(forgotten.olderMs, latestMs);
  if (forgotten.toMs <= toMs) return { ...forgotten, requestedToMs, olderMs, mendedMs: nowMs };
  const goneToMs = Math.min(forgotten.toMs - REQUEST_AGE_MS_MAX, latestMs);
  return {
    ...forgotten,
    toMs,
    requestedToMs: Math.max(requestedToMs, goneToMs),
    olderMs,
    mendedMs: nowMs,
  };
};
