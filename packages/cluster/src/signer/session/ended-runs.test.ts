import { testSessionId } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { sessionKey } from "../../control/session-key.ts";
import { ENDED_RUN_MS, ENDED_RUNS_MAX } from "../limits.ts";
import { hasEnded, NO_ENDED_RUNS, turnedEndedRuns, withEndedRun } from "./ended-runs.ts";

const NOW_MS = 1_795_000_000_000;
const runOf = (at: number) => sessionKey(testSessionId(`run ${at}`)) ?? expect.fail("32 bytes");
const FIRST = runOf(0);
const fresh = turnedEndedRuns(NO_ENDED_RUNS, NOW_MS);
const one = withEndedRun(fresh, FIRST);

test("a run that ended is known for as long as its envelopes would wait, and for twice as long at most", () => {
  expect([hasEnded(fresh, FIRST), hasEnded(one, FIRST), hasEnded(one, runOf(1))]).toEqual([
    false,
    true,
    false,
  ]);
  const soon = turnedEndedRuns(one, NOW_MS + ENDED_RUN_MS - 1);
  expect(soon).toBe(one);
  const later = turnedEndedRuns(one, NOW_MS + ENDED_RUN_MS);
  expect(hasEnded(later, FIRST)).toBe(true);
  expect(hasEnded(turnedEndedRuns(later, NOW_MS + 2 * ENDED_RUN_MS - 1), FIRST)).toBe(true);
  expect(hasEnded(turnedEndedRuns(later, NOW_MS + 2 * ENDED_RUN_MS), FIRST)).toBe(false);
});

test("a clock that went back forgets runs as well", () => {
  const back = turnedEndedRuns(turnedEndedRuns(one, NOW_MS - ENDED_RUN_MS), NOW_MS - 2 * ENDED_RUN_MS);
  expect(hasEnded(back, FIRST)).toBe(false);
});

test("the runs that ended last are known, and no more than there is room for", () => {
  const runs = Array.from({ length: 2 * ENDED_RUNS_MAX + 1 }, (_, at) => runOf(at));
  const ended = runs.reduce(withEndedRun, fresh);
  const known = runs.filter((run) => hasEnded(ended, run));
  expect(known.length).toBeGreaterThanOrEqual(ENDED_RUNS_MAX / 2);
  expect(known.length).toBeLessThanOrEqual(ENDED_RUNS_MAX);
  expect(known).toEqual(runs.slice(-known.length));
});
