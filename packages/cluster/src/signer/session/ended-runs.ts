import type { SessionKey } from "../../control/session-key.ts";
import { ENDED_RUN_MS, ENDED_RUNS_MAX } from "../limits.ts";
import { emptyMap, lookUp, type PersistentMap, put } from "../records/persistent-map.ts";

/**
 * Runs of sessions that ended here a short time ago. Peers that do not know of the end still send messages to them. As
 * no run begins twice, these messages are dropped, so that they use up no room of the sender in the mail.
 *
 * Runs are forgotten in groups, so that no tick has to search them: between one and two times ENDED_RUN_MS after they
 * ended, or earlier when they exceed ENDED_RUNS_MAX.
 */
export interface EndedRuns {
  readonly recent: PersistentMap<true>;
  readonly older: PersistentMap<true>;
  /** Unix milliseconds */
  readonly turnedAtMs: number;
}

export const NO_ENDED_RUNS: EndedRuns = { recent: emptyMap(), older: emptyMap(), turnedAtMs: 0 };

export const withEndedRun = (ended: EndedRuns, run: SessionKey): EndedRuns =>
  ended.recent.size < ENDED_RUNS_MAX / 2
    ? { ...ended, recent: put(ended.recent, run, true) }
    : { ...ended, recent: put(emptyMap(), run, true), older: ended.recent };

export const hasEnded = ({ recent, older }: EndedRuns, run: SessionKey): boolean =>
  lookUp(recent, run) !== undefined || lookUp(older, run) !== undefined;

/** Forgets the older group once the last turn is long enough ago, even if the clock went back. */
export const turnedEndedRuns = (ended: EndedRuns, nowMs: number): EndedRuns =>
  Math.abs(nowMs - ended.turnedAtMs) < ENDED_RUN_MS
    ? ended
    : { recent: emptyMap(), older: ended.recent, turnedAtMs: nowMs };
