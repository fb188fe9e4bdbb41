import { describe, expect, test } from "vitest";
import type { SigningResult } from "./coordinator/effect.ts";
import { COOL_DOWN_MS, FINAL_REPORTS_MS } from "./coordinator/limits.ts";
import { CONFIRMED_MS, type Outcome, TestCluster } from "./testing/cluster.ts";
import { KEY_ID, provisionedRecords } from "./testing/fixtures.ts";
import {
  agreedAmong,
  infoAmong,
  moveKeyOn,
  type RosterShape,
  signWithKey,
  takeRoster,
} from "./testing/roster/changed-roster.ts";

/**
 * The number of sessions. A session means that a whole quorum began the request, and worked on it until it was signed
 * or one of its signers switched to the key's next epoch. If a signer refused at once, because its key now has other
 * holders, there was no session: nothing was computed together, and the other signers were busy no longer than its
 * answer took.
 */
const sessionsOf = (outcomes: readonly Outcome<SigningResult>[]): number => {
  const taken = outcomes.flatMap(({ calls, refused }) =>
    calls.flatMap(({ session }) => (refused.has(session) ? [] : [session])),
  );
  return new Set(taken).size;
};

/** Limit for a session of the tiny engine among otherwise idle signers, in virtual time. */
const SESSION_MS_MAX = 40;
const STEPS_MAX = 2_000; // above the number of steps of virtual time in one move of a key
/** Only every third step is tried, so that the test takes seconds. */
const STRIDE = 3;
const MOVED_ON = "the key moved on to a new epoch";

interface Change extends RosterShape {
  readonly before: { readonly size: number; readonly threshold: number };
}

/** If earlier holders bound the request, new holders learn of it by handovers, and sign only the same transaction. */
const CHANGES: readonly (readonly [string, Change])[] = [
  [
    "of 3 of 3 to 2 of 3, where one leaves and one comes",
    {
      before: { size: 3, threshold: 3 },
      ...{ parties: [1, 2, 3, 4], leaving: [3], joined: [4], threshold: 2 },
    },
  ],
  [
    "of 2 of 3 to 3 of 4",
    { before: { size: 3, threshold: 2 }, parties: [1, 2, 3, 4], joined: [4], threshold: 3 },
  ],
  [
    "of 3 of 4 to 2 of 3, where one leaves",
    { before: { size: 4, threshold: 3 }, parties: [1, 2, 3, 4], leaving: [1], threshold: 2 },
  ],
  [
    "of 3 of 5 to 2 of 3, where two leave",
    { before: { size: 5, threshold: 3 }, parties: [1, 2, 3, 4, 5], leaving: [1, 2], threshold: 2 },
  ],
  [
    "from a signer that is put out to one that comes",
    {
      before: { size: 3, threshold: 2 },
      ...{ parties: [1, 3, 4], joined: [4], past: [[1, 2, 3]], threshold: 2 },
    },
  ],
];

/**
 * Asks for a signature as an orchestrator does that knew the earlier holders (orchestrator/coordinators.ts): if these
 * no longer sign, it asks the signers who holds the key now, and goes to those.
 */
const requestSigned = (cluster: TestCluster, change: Change, known = infoAmong(cluster, KEY_ID)) => {
  const askedAtMs = cluster.world.nowMs();
  const askOf = (info: typeof known): Outcome<SigningResult> => {
    const signed = signWithKey(cluster, change, KEY_ID, 1, askedAtMs, info);
    cluster.until(() => signed.isClosed);
    return signed;
  };
  const first = askOf(known);
  if (first.result !== undefined) return [first];
  expect(["QuorumInvalid", "KeyUnknown"]).toContain(first.problem?.code);
  cluster.until(() => agreedAmong(cluster, KEY_ID) !== undefined);
  return [first, askOf(infoAmong(cluster, KEY_ID))];
};

/** Moves the key, and asks for a signature after this many steps of the move. */
const askAfter = (steps: number, change: Change, records: ReturnType<typeof provisionedRecords>) => {
  const cluster = new TestCluster({ seed: "requests", ...change.before, engine: "tiny", records });
  takeRoster(cluster, change);
  cluster.rest(CONFIRMED_MS);
  const known = infoAmong(cluster, KEY_ID);
  const moved = moveKeyOn(cluster, change, KEY_ID);
  for (let step = 0; step < steps; step += 1) cluster.world.step(cluster.world.nowMs() + 1_000);
  const isMoved = moved.isClosed;
  const failures = new Set<string>();
  cluster.speak = (_, report) => {
    if (report.kind === "failure") failures.add(report.reason);
    return report;
  };
  const askedAtMs = cluster.world.nowMs();
  const outcomes = requestSigned(cluster, change, known);
  return { isMoved, failures, outcomes, tookMs: cluster.world.nowMs() - askedAtMs };
};

/** The holders to which this quorum may belong: the earlier ones, the later ones, or both. */
const holdersFor = (change: Change, quorum: readonly number[]): readonly ("before" | "after")[] => {
  const { before, leaving = [], joined = [], threshold } = change;
  const wereThere = quorum.length === before.threshold && !quorum.some((party) => joined.includes(party));
  const stay = quorum.length === threshold && !quorum.some((party) => leaving.includes(party));
  return [...(wereThere ? ["before" as const] : []), ...(stay ? ["after" as const] : [])];
};

describe("INV-5 a request that is asked for at any step of a move", () => {
  test.each(CHANGES)(
    "%s waits for one session at most: one that the switch ends is begun anew once",
    (_, change) => {
      const records = provisionedRecords(change.before.size, change.before.threshold);
      const sessions = new Set<number>();
      const signers = new Set<string>();
      for (let steps = 0; steps < STEPS_MAX; steps += STRIDE) {
        const { isMoved, failures, outcomes, tookMs } = askAfter(steps, change, records);
        const { quorum = [] } = outcomes.at(-1)?.result ?? expect.fail(`after ${steps} steps it is signed`);
        const count = sessionsOf(outcomes);
        expect(count, `after ${steps} steps`).toBeLessThanOrEqual(2);
        expect([[MOVED_ON], ...(count === 1 ? [[]] : [])]).toContainEqual([...failures]);
        // the coordinator waits for reports of a session that ended, and pauses for signers that gave it up
        const pausesMs = count === 1 ? 2 * COOL_DOWN_MS : FINAL_REPORTS_MS + 2 * COOL_DOWN_MS;
        expect(tookMs, `after ${steps} steps`).toBeLessThan(count * SESSION_MS_MAX + pausesMs);
        sessions.add(count);
        const its = holdersFor(change, quorum);
        expect(its, `after ${steps} steps: ${String(quorum)}`).not.toEqual([]);
        for (const holders of its) signers.add(holders);
        if (isMoved) break;
      }
      expect([...sessions].sort()).toEqual([1, 2]);
      expect([...signers].sort()).toEqual(["after", "before"]);
    },
  );
});
