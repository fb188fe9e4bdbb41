import { problem } from "@conclave/custody";
import type { Entropy, PartyIndex } from "@conclave/threshold";
import { seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { emptyEvidence } from "../../testing/empty-evidence.ts";
import { START_MS } from "../../testing/fixtures.ts";
import { RIGHT_SIGNATURE, signingConfigOf } from "../../testing/signing-config.ts";
import type { CoordinatorEffect, SigningResult } from "../effect.ts";
import { PAIR_APART_MS, PAUSE_MS_MAX, SIGNING_ATTEMPT_MS } from "../limits.ts";
import { isApart, separate } from "../pairs.ts";
import { type Standings, standingOf } from "../standings.ts";
import { openSigningCoordinator, type SigningStep, stepSigningCoordinator } from "./signing.ts";

const SIGNED: SessionReport = { kind: "signed", signatures: [RIGHT_SIGNATURE] };

/** A coordinator of n signers with a threshold, and the time. */
const open = (
  [size, threshold]: readonly [number, number],
  { health = new Map(), seed = "pairs" }: { health?: Standings; seed?: string } = {},
) => {
  const config = signingConfigOf(seed, [size, threshold]);
  let nowMs = START_MS;
  let step: SigningStep = openSigningCoordinator(config, { live: testParties(size), health }, nowMs);
  const result = (): SigningResult | undefined => {
    const done = step.effects.find(
      (effect): effect is Extract<CoordinatorEffect<SigningResult>, { kind: "done" }> =>
        effect.kind === "done",
    );
    return done?.result;
  };
  return {
    /** delivers a signer's report in the running attempt, if it is still that one */
    say: (signer: PartyIndex, report: SessionReport, of = step.state.attempt?.key): void => {
      if (of === undefined || step.state.attempt?.key !== of) return;
      step = stepSigningCoordinator(step.state, { kind: "report", signer, session: of, report }, nowMs);
    },
    pass: (ms: number): void => {
      nowMs += ms;
      step = stepSigningCoordinator(step.state, { kind: "tick" }, nowMs);
    },
    later: (ms: number): void => {
      nowMs += ms;
    },
    session: () => step.state.attempt?.key,
    quorum: (): readonly PartyIndex[] => step.state.attempt?.quorum ?? [],
    health: () => step.state.health,
    attempts: () => step.state.attempts,
    now: () => nowMs,
    result,
  };
};

type Run = ReturnType<typeof open>;

/** An accusation that nobody else could check. */
const complaint = (accused: PartyIndex): SessionReport => ({
  kind: "fault",
  evidence: emptyEvidence(accused),
});
const waited = (phase: number, ...silent: readonly PartyIndex[]): SessionReport => ({
  kind: "failure",
  reason: "test",
  silent,
  phase,
});

const pick = <Value>(values: readonly Value[], chance: Entropy): Value => {
  const value = values[(chance(1)[0] ?? 0) % values.length];
  if (value === undefined) throw new Error("nothing to pick from");
  return value;
};

/** Deviations of a liar that cannot be proven to others. */
const DEVIATIONS = {
  "seals nonsense for one": (run: Run, _liar, victim) => run.say(victim, complaint(_liar)),
  "complains of an honest one": (run: Run, liar, victim) => run.say(liar, complaint(victim)),
  "refuses to work with an honest one": (run: Run, liar, victim) =>
    run.say(liar, { kind: "refusal", problem: problem("PeerFault", { culprit: victim }) }),
  "is silent towards one, and says that it waits for another": (run: Run, liar, victim, chance) => {
    const [session, quorum] = [run.session(), run.quorum()];
    run.later(SIGNING_ATTEMPT_MS);
    const claim = waited(
      pick([0, 1, 2, 3], chance),
      pick(
        quorum.filter((each) => each !== liar),
        chance,
      ),
    );
    const words = quorum.map((signer): readonly [PartyIndex, SessionReport] => {
      if (signer === liar) return [liar, claim];
      return [signer, signer === victim ? waited(2, liar) : waited(3, victim)];
    });
    for (const [signer, report] of words) run.say(signer, report, session);
  },
} as const satisfies Record<
  string,
  (run: Run, liar: PartyIndex, victim: PartyIndex, chance: Entropy) => void
>;

/** Lets the liars deviate in each of their attempts, until the honest signers have signed. */
const signAgainst = (
  run: Run,
  liars: readonly PartyIndex[],
  deviate: (run: Run, chance: Entropy) => void,
) => {
  const chance = seededEntropy(`liars/${run.session()}`);
  while (run.result() === undefined) {
    const quorum = run.quorum();
    if (quorum.length === 0) run.pass(PAUSE_MS_MAX);
    else if (quorum.some((signer) => liars.includes(signer))) deviate(run, chance);
    else for (const signer of quorum) run.say(signer, SIGNED);
    const honest = [...run.health().keys()].filter((signer) => !liars.includes(signer));
    for (const signer of honest) {
      expect(standingOf(run.health(), signer)).toMatchObject({ excludedUntilMs: 0, isBlamed: false });
    }
  }
};

const SIZES = [
  [5, 3, 1],
  [5, 3, 2],
  [7, 4, 3],
  [4, 2, 1],
  [9, 5, 4],
] as const;

describe("INV-7 signers that fail together, without proof of the culprit,", () => {
  test("are kept apart, and neither of them is left out", () => {
    const run = open([5, 3]);
    const [victim, liar] = run.quorum();
    if (victim === undefined || liar === undefined) throw new Error("no quorum");
    run.say(victim, complaint(liar));
    for (const signer of [victim, liar]) {
      expect(standingOf(run.health(), signer)).toMatchObject({ excludedUntilMs: 0, isBlamed: false });
    }
    expect(isApart(run.health(), [liar, victim], run.now())).toBe(true);
    expect([liar, victim].every((signer) => run.quorum().includes(signer))).toBe(false);
  });

  test.each(SIZES)(
    "stop no more than k (n - t + 1) attempts: n = %i, t = %i, k = %i liars who do as they please",
    (n, t, k) => {
      for (let seed = 0; seed < 40; seed++) {
        const liars = testParties(n).slice(0, k);
        const run = open([n, t], { seed: `${n}/${t}/${k}/${seed}` });
        signAgainst(run, liars, (attempt, chance) => {
          const quorum = attempt.quorum();
          const liar = pick(
            quorum.filter((each) => liars.includes(each)),
            chance,
          );
          const victim = pick(
            quorum.filter((each) => each !== liar),
            chance,
          );
          pick(Object.values(DEVIATIONS), chance)(attempt, liar, victim, chance);
        });
        expect(run.result()?.attempts).toBeLessThanOrEqual(1 + k * (n - t + 1));
      }
    },
  );

  test.each(Object.entries(DEVIATIONS))(
    "one of three of five %s: it is found out of the way within two attempts",
    (_, deviation) => {
      const run = open([5, 3]);
      const liar = run.quorum()[0] ?? testParty(1);
      signAgainst(run, [liar], (attempt, chance) => {
        const victim = pick(
          attempt.quorum().filter((each) => each !== liar),
          chance,
        );
        deviation(attempt, liar, victim, chance);
      });
      expect(run.result()?.attempts).toBeLessThanOrEqual(2);
    },
  );

  test("come together again after a while, and are kept apart for longer when they fail again", () => {
    const pair = [testParty(1), testParty(2)] as const;
    const once = separate(new Map(), [pair], START_MS);
    expect(isApart(once, pair, START_MS + PAIR_APART_MS - 1)).toBe(true);
    expect(isApart(once, pair, START_MS + PAIR_APART_MS)).toBe(false);
    const againMs = START_MS + PAIR_APART_MS;
    const twice = separate(once, [pair], againMs);
    expect(isApart(twice, pair, againMs + 2 * PAIR_APART_MS - 1)).toBe(true);
    expect(isApart(twice, pair, againMs + 2 * PAIR_APART_MS)).toBe(false);
    const farMs = againMs + 10 * PAIR_APART_MS;
    expect(isApart(separate(twice, [pair], farMs), pair, farMs + PAIR_APART_MS)).toBe(false);
  });

  test("are tried, the least bad pair first, when only such quorums are left", () => {
    const parties = testParties(3);
    const [one, two, three] = [testParty(1), testParty(2), testParty(3)];
    const bad = separate(separate(new Map(), [[one, two]], START_MS), [[one, two]], START_MS);
    const health = separate(separate(bad, [[two, three]], START_MS), [[one, three]], START_MS + 1);
    expect(open([3, 2], { health }).quorum()).toEqual([two, three]);
    expect(open([3, 3], { health }).quorum()).toEqual(parties);
  });

  test("an accusation of nobody in the session is its reporter's own failure", () => {
    const run = open([5, 3]);
    const [reporter = testParty(1)] = run.quorum();
    const stranger = testParties(5).find((signer) => !run.quorum().includes(signer)) ?? testParty(5);
    run.say(reporter, complaint(stranger));
    expect(standingOf(run.health(), reporter).failures).toBe(1);
    expect(standingOf(run.health(), stranger).pairs.size).toBe(0);
  });
});
