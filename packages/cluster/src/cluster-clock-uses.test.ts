// Uses of a signer's clock that cluster-signer-clocks.test.ts does not show, as SECURITY.md lists them: an hour and 100 days, ahead and back, at run time and
// over a restart.
import { AUTHORISATION_AGE_MS_MAX } from "@conclave/custody";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { SIGNING_ATTEMPT_MS } from "./coordinator/limits.ts";
import {
  ASK_SPENDING_MS,
  ASK_SPENDING_MS_MAX,
  CLOCK_SKEW_MS_MAX,
  CONFIRMING_MS_MAX,
  DEADLINE_AHEAD_MS_MAX,
  SESSION_LIFETIME_MS_MAX,
  SESSION_MEMORY_MS,
  SESSIONS_REMEMBERED_MAX,
  TICK_MS_MAX,
} from "./signer/limits.ts";
import { SPENDING_KIND } from "./signer/older-store/spending.ts";
import { hasNoRoom, type RememberedIds, withId } from "./signer/session/remembered-ids.ts";
import type { SignerState } from "./signer/state.ts";
import { askToSign } from "./testing/clocks/ask-to-sign.ts";
import { setAtRunTime, WAYS_TO_JUMP } from "./testing/clocks/jumps.ts";
import { CONFIRMED_MS, TestCluster } from "./testing/cluster.ts";
import { authoriseTransfer, KEY_ID, START_MS, transactionOf } from "./testing/fixtures.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60_000;
const DAYS_100_MS = 100 * 24 * HOUR_MS;
const QUORUM = [1, 2];
const AHEAD = [HOUR_MS, DAYS_100_MS];
const BACK = AHEAD.map((ms) => -ms);
const BY = [...AHEAD, ...BACK];

const open = (seed: string): TestCluster => new TestCluster({ seed, size: 3, threshold: 2, engine: "tiny" });
const stateOf = (cluster: TestCluster, signer: number): SignerState =>
  cluster.node(signer).state ?? expect.fail(`signer ${signer} is dead`);
const casesOf = (jumps: readonly number[]) =>
  WAYS_TO_JUMP.flatMap(([way, set]) =>
    jumps.map((jumpMs) => ({ way, set, jumpMs, hours: jumpMs / HOUR_MS })),
  );

describe("room for session ids under a clock that jumps", () => {
  const NO_IDS: RememberedIds = new Map();
  const ids = (count: number, forgetAtMs: number): RememberedIds =>
    new Map(withId(NO_IDS, forgetAtMs, START_MS)).set(
      [...withId(NO_IDS, forgetAtMs, START_MS).keys()][0] ?? 0,
      count,
    );
  /** as many ids as there is room for, all with the farthest deadline */
  const full = ids(SESSIONS_REMEMBERED_MAX, START_MS + SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS);

  test("by 100 days ahead, there is room for as many again, and no more once it is right", () => {
    expect(hasNoRoom(full, START_MS)).toBe(true);
    const aheadMs = START_MS + DAYS_100_MS;
    expect(hasNoRoom(full, aheadMs)).toBe(false);
    const meanwhile = withId(full, aheadMs + SESSION_MEMORY_MS, aheadMs);
    // the earlier ids are no longer counted, even once the clock is right again
    expect([...meanwhile.values()]).toEqual([1]);
    expect(hasNoRoom(meanwhile, START_MS)).toBe(false);
  });

  test("by an hour ahead, there is room again once the deadlines of before have passed, ten minutes at most", () => {
    expect(hasNoRoom(full, START_MS + HOUR_MS)).toBe(true);
    expect(hasNoRoom(full, START_MS + HOUR_MS + SESSION_LIFETIME_MS_MAX + 60_000)).toBe(false);
  });

  test.each(AHEAD)("by %i ms back, they are counted for longer, and as before once it is right", (backMs) => {
    expect(hasNoRoom(full, START_MS - backMs)).toBe(true);
    const rightAgainMs = START_MS + SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS + 60_000;
    expect(hasNoRoom(full, rightAgainMs - backMs)).toBe(true);
    expect(hasNoRoom(full, rightAgainMs)).toBe(false);
  });
});

/** The last report of each signer that is asked to sign a transfer whose bytes have a deadline. */
const signUntil = (
  cluster: TestCluster,
  name: string,
  deadlineMs: number,
): readonly (string | undefined)[] => {
  const authorisation = authoriseTransfer(1, KEY_ID, new Date(cluster.world.nowMs()).toISOString());
  const expiresAtMs = cluster.node(1).clockMs() + SIGNING_ATTEMPT_MS;
  const unsigned = transactionOf(7, "1000", deadlineMs);
  return askToSign(cluster, { name, quorum: QUORUM, keyId: KEY_ID, authorisation, unsigned, expiresAtMs });
};
const allSay = (word: string): readonly string[] => QUORUM.map(() => word);

describe("the longest deadline of a transfer under clocks that jump", () => {
  test.each(casesOf(BY))(
    "INV-5 by $hours h $way: signers refuse the authorisation, and sign no longer deadline than before",
    ({ way, set, jumpMs }) => {
      const cluster = open(`deadline/${way}/${jumpMs}`);
      set(cluster, QUORUM, jumpMs);
      cluster.rest(CONFIRMED_MS);
      const latest = () => cluster.world.nowMs() + DEADLINE_AHEAD_MS_MAX;
      // one deadline that the wrong clocks would allow, and a correct one
      expect(signUntil(cluster, "wrong", latest() + jumpMs)).toEqual(allSay("AuthorisationNotCurrent"));
      expect(signUntil(cluster, "early", latest())).toEqual(allSay("AuthorisationNotCurrent"));
      set(cluster, QUORUM, 0);
      cluster.rest(CONFIRMED_MS);
      expect(signUntil(cluster, "later", latest() + SECOND_MS)).toEqual(allSay("TransactionMismatch"));
      expect(signUntil(cluster, "latest", latest())).toEqual(allSay("signed"));
    },
  );

  test.each(WAYS_TO_JUMP)(
    "by up to 15 minutes ahead %s: signers take one that is as much further",
    (way, set) => {
      const cluster = open(`further/${way}`);
      const aheadMs = AUTHORISATION_AGE_MS_MAX - SECOND_MS;
      set(cluster, QUORUM, aheadMs);
      cluster.rest(CONFIRMED_MS);
      const furthest = cluster.world.nowMs() + aheadMs + DEADLINE_AHEAD_MS_MAX;
      expect(signUntil(cluster, "further", furthest + SECOND_MS)).toEqual(allSay("TransactionMismatch"));
      expect(signUntil(cluster, "furthest", furthest)).toEqual(allSay("signed"));
    },
  );

  test.each(WAYS_TO_JUMP)(
    "by up to a minute back %s: signers take none that is later than it",
    (way, set) => {
      const cluster = open(`nearer/${way}`);
      const backMs = CLOCK_SKEW_MS_MAX - SECOND_MS;
      set(cluster, QUORUM, -backMs);
      cluster.rest(CONFIRMED_MS);
      const latest = cluster.world.nowMs() - backMs + DEADLINE_AHEAD_MS_MAX;
      expect(signUntil(cluster, "later", latest + SECOND_MS)).toEqual(allSay("TransactionMismatch"));
      expect(signUntil(cluster, "latest", latest)).toEqual(allSay("signed"));
    },
  );
});

/** Asks signers to presign in one session. @returns the last report of each */
const presign = (cluster: TestCluster, signers: readonly number[], name: string, expiresAtMs: number) => {
  const calls = signers.map((signer) =>
    cluster.call(signer, (call) => ({
      kind: "presigning",
      call,
      session: testSessionId(name),
      quorum: QUORUM,
      keyId: KEY_ID,
      expiresAtMs,
    })),
  );
  cluster.rest(500);
  return calls.map(({ heard }) => heard.at(-1)?.kind);
};
const boxes = (cluster: TestCluster): number => stateOf(cluster, 1).mail.boxes.size;

describe("envelopes that wait at a signer whose clock jumps", () => {
  /** Envelopes of a session that signer 2 has begun and signer 1 has not. */
  const waiting = (name: string) => {
    const cluster = open(name);
    const expiresAtMs = cluster.world.nowMs() + SIGNING_ATTEMPT_MS;
    presign(cluster, [2], "early", expiresAtMs);
    expect(boxes(cluster)).toBe(1);
    return { cluster, expiresAtMs };
  };
  const beginAgain = (cluster: TestCluster): void => {
    const expiresAtMs = cluster.world.nowMs() + SIGNING_ATTEMPT_MS;
    expect(presign(cluster, [1, 2], "again", expiresAtMs)).toEqual(["presigned", "presigned"]);
  };

  test("serve the session once it is asked for, where no clock jumps", () => {
    const { cluster, expiresAtMs } = waiting("right clock");
    expect(presign(cluster, [1], "early", expiresAtMs)).toEqual(["presigned"]);
    expect(boxes(cluster)).toBe(0);
  });

  test.each(BY)("INV-5 by %i ms at run time, are dropped, and their sessions begin again", (jumpMs) => {
    const { cluster, expiresAtMs } = waiting(`at run time/${jumpMs}`);
    setAtRunTime(cluster, [1], jumpMs);
    expect(boxes(cluster)).toBe(0);
    setAtRunTime(cluster, [1], 0);
    cluster.rest(CONFIRMED_MS);
    expect(presign(cluster, [1], "early", expiresAtMs)).not.toEqual(["presigned"]);
    beginAgain(cluster);
  });

  test.each(BY)(
    "INV-5 by %i ms over a restart, are gone with the life before, and their sessions begin again",
    (jumpMs) => {
      const { cluster } = waiting(`restart/${jumpMs}`);
      for (const [, set] of WAYS_TO_JUMP.slice(1)) set(cluster, [1], jumpMs);
      expect(boxes(cluster)).toBe(0);
      setAtRunTime(cluster, [1], 0);
      cluster.rest(CONFIRMED_MS);
      beginAgain(cluster);
    },
  );
});

describe("asking peers for counts under a clock that jumps", () => {
  /** Five signers; the first asks the others, which answer only when the test allows it. */
  const asking = (seed: string) => {
    const cluster = new TestCluster({ seed, size: 5, threshold: 3, engine: "tiny" });
    const answering = new Set<number>();
    const heard = { questions: 0 };
    cluster.wire = (transit) => {
      const { envelope, from, to } = transit;
      if (envelope.kind !== SPENDING_KIND) return [transit];
      if (from === 1 && to === 2 && envelope.payload[0] === 2) heard.questions += 1;
      return to === 1 && !answering.has(from) ? [] : [transit];
    };
    return { cluster, answering, heard };
  };
  const spending = (cluster: TestCluster) => stateOf(cluster, 1).spending;

  test.each(casesOf(BY))(
    "INV-4 by $hours h $way: it asks at once, and waits anew for the answers of all",
    ({ way, set, jumpMs }) => {
      const { cluster, answering, heard } = asking(`counts/${way}/${jumpMs}`);
      cluster.kill(1);
      cluster.restart(1);
      // no peer answers, so signer 1 asks less and less often
      cluster.rest(20 * ASK_SPENDING_MS);
      for (const aheadMs of [jumpMs, 0]) {
        const before = heard.questions;
        set(cluster, [1], aheadMs);
        cluster.rest(CONFIRMED_MS);
        expect(heard.questions).toBe(before + 1);
        expect(spending(cluster).hasWaited).toBe(false);
        // about as often as after a start
        cluster.rest(2 * ASK_SPENDING_MS);
        expect(heard.questions - before).toBeLessThanOrEqual(3);
      }
      for (const peer of [2, 3, 4]) answering.add(peer);
      set(cluster, [1], jumpMs);
      cluster.rest(CONFIRMING_MS_MAX - 2 * TICK_MS_MAX);
      // three confirmations suffice only once all peers had time to answer
      expect([...spending(cluster).confirmedBy].sort()).toEqual([2, 3, 4].map(testParty));
      expect(spending(cluster).hasWaited).toBe(false);
      cluster.rest(2 * TICK_MS_MAX + CONFIRMED_MS);
      expect(spending(cluster).hasWaited).toBe(true);
      const settled = heard.questions;
      cluster.rest(2 * ASK_SPENDING_MS_MAX);
      expect(heard.questions).toBe(settled);
      // confirmations from before the jump do not count: the signer asks again
      set(cluster, [1], 0);
      expect(spending(cluster).confirmedBy.size).toBe(0);
      cluster.rest(CONFIRMED_MS);
      expect(heard.questions).toBe(settled + 1);
    },
  );
});
