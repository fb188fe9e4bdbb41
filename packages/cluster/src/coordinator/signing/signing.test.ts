import { type ErrorCode, problem } from "@conclave/custody";
import { type Attempt, attemptSession, NO_MATERIAL, type PartyIndex } from "@conclave/threshold";
import { insecurePartySecrets, signEnvelope, testParties, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { emptyEvidence } from "../../testing/empty-evidence.ts";
import { KEY_ID, rosterOf, START_MS } from "../../testing/fixtures.ts";
import { RIGHT_SIGNATURE, signingConfigOf } from "../../testing/signing-config.ts";
import type { CoordinatorEffect, SigningResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import {
  ATTEMPTS_IN_ROW_MAX,
  COOL_DOWN_MS,
  FINAL_REPORTS_MS,
  PAUSE_MS,
  SIGNING_ATTEMPT_MS,
} from "../limits.ts";
import { type Standings, standingOf } from "../standings.ts";
import { openSigningCoordinator, type SigningStep, stepSigningCoordinator } from "./signing.ts";

type Effect = CoordinatorEffect<SigningResult>;

/** A coordinator of five signers with a threshold of three, and the time. */
const open = (
  known: { live?: readonly PartyIndex[]; health?: Standings; atMs?: number; seed?: string } = {},
) => {
  const { live = testParties(5), health = new Map(), atMs = START_MS, seed = "signing-coordinator" } = known;
  const config = signingConfigOf(seed);
  let step: SigningStep = openSigningCoordinator(config, { live, health }, atMs);
  let nowMs = atMs;
  const handle = (event: CoordinatorEvent): readonly Effect[] => {
    step = stepSigningCoordinator(step.state, event, nowMs);
    return step.effects;
  };
  return {
    first: step.effects,
    handle,
    say: (signer: PartyIndex, report: SessionReport): readonly Effect[] => {
      const session = step.state.attempt?.key;
      if (session === undefined) throw new Error("no session runs");
      return handle({ kind: "report", signer, session, report });
    },
    pass: (ms: number): readonly Effect[] => {
      nowMs += ms;
      return handle({ kind: "tick" });
    },
    quorum: (): readonly PartyIndex[] => step.state.attempt?.quorum ?? [],
    session: () => step.state.attempt?.key,
    attempt: () => step.state.attempt,
    health: () => step.state.health,
  };
};

const kinds = (effects: readonly Effect[]): readonly string[] => effects.map(({ kind }) => kind);
const refusal = (code: ErrorCode): SessionReport => ({ kind: "refusal", problem: problem(code) });
const failure = (...silent: readonly PartyIndex[]): SessionReport => ({
  kind: "failure",
  reason: "test",
  silent,
});

const member = (signers: readonly PartyIndex[], at: number): PartyIndex => {
  const signer = signers[at];
  if (signer === undefined) throw new Error("the quorum is smaller");
  return signer;
};

test("a quorum of exactly the threshold is called, with a deadline", () => {
  const { first, quorum } = open();
  expect(kinds(first)).toEqual(["call", "call", "call", "wake"]);
  expect(quorum()).toHaveLength(3);
});

test("a lost signer is left out at once, under a fresh session, and the survivors are cancelled", () => {
  const { handle, quorum, session } = open();
  const [before, lost] = [session(), member(quorum(), 0)];
  const effects = before === undefined ? [] : handle({ kind: "lost", signer: lost, session: before });
  expect(kinds(effects)).toEqual(["cancel", "cancel", "call", "call", "call", "wake"]);
  expect(quorum()).not.toContain(lost);
  expect(session()).not.toBe(before);
});

test("a signer of the quorum that hangs with its stream open is replaced as soon as it stops answering", () => {
  const { handle, quorum, session } = open();
  const [before, hung] = [session(), member(quorum(), 0)];
  const effects = handle({ kind: "live", signers: testParties(5).filter((signer) => signer !== hung) });
  expect(kinds(effects)).toEqual(["cancel", "cancel", "cancel", "call", "call", "call", "wake"]);
  expect(quorum()).not.toContain(hung);
  expect(session()).not.toBe(before);
});

test("INV-7 a signer of the quorum that answers, but is apart from the others for now, is not held against it", () => {
  const { handle, quorum, session } = open();
  const [before, apart] = [session(), member(quorum(), 0)];
  const signers = testParties(5).filter((signer) => signer !== apart);
  expect(handle({ kind: "live", signers, apart: [apart] })).toEqual([]);
  expect(session()).toBe(before);
});

test("a signer outside the quorum that goes away changes nothing", () => {
  const { handle, quorum, session } = open();
  const before = session();
  expect(handle({ kind: "live", signers: quorum() })).toEqual([]);
  expect(session()).toBe(before);
});

test("news of an earlier session has no effect", () => {
  const { handle, say, quorum, session } = open();
  const [before, signer] = [session(), member(quorum(), 1)];
  say(signer, refusal("TooManySessions"));
  const report: SessionReport = { kind: "signed", signatures: [RIGHT_SIGNATURE] };
  expect(before === undefined ? [] : handle({ kind: "report", signer, session: before, report })).toEqual([]);
});

test("a signature that does not verify is its reporter's failure; the next that does counts", () => {
  const { say, quorum, health } = open();
  const [liar, honest] = [member(quorum(), 0), member(quorum(), 1)];
  expect(say(liar, { kind: "signed", signatures: [{ ...RIGHT_SIGNATURE, r: 2n }] })).toEqual([]);
  expect(health().get(liar)?.failures).toBe(1);
  expect(kinds(say(honest, { kind: "signed", signatures: [RIGHT_SIGNATURE] }))).toEqual([
    "cancel",
    "done",
    "closed",
  ]);
});

test("one signer that refuses does not stop the others", () => {
  const { say, quorum } = open();
  const liar = member(quorum(), 0);
  expect(kinds(say(liar, refusal("TransactionMismatch")))).toContain("call");
  expect(quorum()).not.toContain(liar);
});

test("a refusal by more than may lie is the end, with its reason", () => {
  const { say, quorum } = open();
  say(member(quorum(), 0), refusal("TransactionMismatch"));
  say(member(quorum(), 0), refusal("TransactionMismatch"));
  const effects = say(member(quorum(), 0), refusal("TransactionMismatch"));
  expect(effects).toContainEqual({ kind: "failed", problem: problem("TransactionMismatch") });
  expect(kinds(effects).at(-1)).toBe("closed");
});

test("a signer that is full now may sign later", () => {
  const { say, quorum, handle, pass } = open({ live: testParties(3) });
  const full = member(quorum(), 0);
  expect(kinds(say(full, refusal("TooManySessions")))).toContain("waiting");
  expect(kinds(handle({ kind: "live", signers: testParties(3) }))).not.toContain("call");
  expect(kinds(pass(COOL_DOWN_MS))).toContain("call");
});

test("INV-7 an accusation without anything signed by the accused leaves out nobody, and is not recorded", () => {
  const { say, quorum, health } = open();
  const [reporter, accused] = [member(quorum(), 0), member(quorum(), 1)];
  const effects = say(reporter, {
    kind: "fault",
    evidence: emptyEvidence(accused),
  });
  expect(kinds(effects)).not.toContain("fault");
  for (const signer of [reporter, accused]) {
    expect(health().get(signer)).toMatchObject({ isBlamed: false, excludedUntilMs: 0 });
  }
  expect([reporter, accused].every((signer) => quorum().includes(signer))).toBe(false);
});

test("a signer that is cut off names all, and is the last to be chosen again, but not left out on the word of others", () => {
  const { say, quorum, health } = open();
  const [cut, one, two] = [member(quorum(), 0), member(quorum(), 1), member(quorum(), 2)];
  say(cut, failure(one, two));
  say(one, failure(cut));
  say(two, failure(cut));
  expect(health().get(cut)).toMatchObject({ failures: 0, excludedUntilMs: 0 });
  expect([...(health().get(cut)?.pairs.keys() ?? [])].sort()).toEqual([one, two].sort());
  expect(health().get(one)?.pairs.has(two)).toBe(false);
  expect(quorum()).not.toContain(cut);
});

test("signers for whom a deadline has not passed yet end the request with an outage, and stand as before", () => {
  const { say, quorum, health } = open();
  say(member(quorum(), 0), refusal("DeadlineNotPassed"));
  say(member(quorum(), 0), refusal("DeadlineNotPassed"));
  const effects = say(member(quorum(), 0), refusal("DeadlineNotPassed"));
  const failed = effects.find((effect) => effect.kind === "failed");
  expect(failed).toMatchObject({ problem: { code: "DeadlineNotPassed" } });
  expect([...health().values()].filter(({ failures }) => failures > 0)).toEqual([]);
});

test("one signer that lies cannot make final what passes later", () => {
  const { say, quorum } = open();
  say(member(quorum(), 0), refusal("DeadlineNotPassed"));
  say(member(quorum(), 0), refusal("DeadlineNotPassed"));
  const effects = say(member(quorum(), 0), refusal("TransactionNotExcluding"));
  expect(effects).toContainEqual(
    expect.objectContaining({
      kind: "failed",
      problem: expect.objectContaining({ code: "DeadlineNotPassed" }),
    }),
  );
});

test("signers that say nothing until the deadline are left out", () => {
  const { say, quorum, pass, health } = open();
  const [mute, one, two] = [member(quorum(), 0), member(quorum(), 1), member(quorum(), 2)];
  for (const signer of [one, two]) say(signer, { kind: "progress", stage: "presign/1" });
  pass(SIGNING_ATTEMPT_MS + 60_000);
  expect(health().get(mute)?.failures).toBe(1);
  expect(health().get(one)?.failures).toBe(0);
});

test("attempts that fail one after another are followed by a pause", () => {
  const { say, quorum, pass } = open();
  const refuse = () => {
    const details = { culprit: member(quorum(), 1) };
    return say(member(quorum(), 0), { kind: "refusal", problem: problem("PeerFault", details) });
  };
  for (let at = 1; at < ATTEMPTS_IN_ROW_MAX; at++) refuse();
  const effects = refuse();
  expect(effects).toContainEqual({ kind: "wake", atMs: START_MS + PAUSE_MS });
  expect(quorum()).toEqual([]);
  expect(kinds(pass(PAUSE_MS))).toContain("call");
});

test("a stop cancels what is open and closes", () => {
  const { handle } = open();
  expect(kinds(handle({ kind: "stop" }))).toEqual(["cancel", "cancel", "cancel", "closed"]);
  expect(handle({ kind: "tick" })).toEqual([]);
});

test("signers that failed are chosen last, and what is known of them outlives the coordinator", () => {
  const before = open();
  const failed = member(before.quorum(), 0);
  const session = before.session();
  if (session !== undefined) before.handle({ kind: "lost", signer: failed, session });
  expect(open({ health: before.health() }).quorum()).not.toContain(failed);
  expect(open({ live: [testParty(1), testParty(2)] }).quorum()).toEqual([]);
});

/** The number of attempts that liars stop by giving the same false refusal each time. */
const attemptsAgainst = (
  liars: readonly PartyIndex[],
  refuse: (liar: PartyIndex) => SessionReport,
): number => {
  const { say, pass, quorum } = open();
  for (let attempts = 1; attempts < 100; ) {
    const liar = quorum().find((signer) => liars.includes(signer));
    if (quorum().length === 0) {
      pass(COOL_DOWN_MS);
    } else if (liar === undefined) {
      return attempts;
    } else {
      attempts++;
      say(liar, refuse(liar));
    }
  }
  return Number.POSITIVE_INFINITY;
};

test.each<readonly [string, (liar: PartyIndex) => Record<string, number>]>([
  ["nobody", () => ({})],
  ["itself", (liar) => ({ culprit: liar })],
  ["a signer outside", () => ({ culprit: 9 })],
])("a liar that refuses for a fault of %s stops one attempt, and is left out for it alone", (_, details) => {
  const liar = testParty(1);
  const report = (of: PartyIndex): SessionReport => {
    return { kind: "refusal", problem: problem("PeerFault", details(of)) };
  };
  expect(attemptsAgainst([liar], report)).toBeLessThanOrEqual(2);
  const { say, quorum, health } = open();
  const sender = member(quorum(), 0);
  say(sender, report(sender));
  expect([...health().keys()]).toEqual([sender]);
  expect(health().get(sender)?.excludedUntilMs).toBe(START_MS + COOL_DOWN_MS);
});

test("liars that refuse a presignature where there is none stop one attempt each", () => {
  const liars = [testParty(1), testParty(2)];
  expect(attemptsAgainst(liars, () => refusal("PresignatureUnknown"))).toBeLessThanOrEqual(3);
});

test("a liar that only says that it failed stops a handful of attempts in an hour", () => {
  const liar = testParty(1);
  let health: Standings = new Map();
  let failed = 0;
  for (let request = 0; request < 60; request++) {
    const {
      quorum,
      say,
      pass,
      health: known,
    } = open({ health, atMs: START_MS + request * 61_000, seed: `${request}` });
    for (; quorum().includes(liar); failed++) {
      say(liar, failure());
      pass(FINAL_REPORTS_MS);
    }
    say(member(quorum(), 0), { kind: "signed", signatures: [RIGHT_SIGNATURE] });
    health = known();
  }
  expect(failed).toBeGreaterThan(0);
  expect(failed).toBeLessThanOrEqual(4);
});

test("a liar's early vote leaves no honest signer out, and who is mute until the deadline is left out", () => {
  const early = open();
  const [liar, one, two] = [member(early.quorum(), 0), member(early.quorum(), 1), member(early.quorum(), 2)];
  early.say(liar, failure(one));
  early.pass(FINAL_REPORTS_MS);
  for (const signer of [one, two]) expect(standingOf(early.health(), signer).excludedUntilMs).toBe(0);
  const late = open();
  late.pass(SIGNING_ATTEMPT_MS);
  late.say(liar, failure(one));
  late.pass(FINAL_REPORTS_MS);
  expect(standingOf(late.health(), two).failures).toBe(1);
});

test("a signer that says it failed by itself is avoided alone, once the others had the time to say what they know", () => {
  const { say, pass, quorum, session, health } = open();
  const [signers, before] = [quorum(), session()];
  const failed = member(signers, 0);
  expect(say(failed, failure())).toEqual([{ kind: "wake", atMs: START_MS + FINAL_REPORTS_MS }]);
  expect(session()).toBe(before);
  pass(FINAL_REPORTS_MS);
  expect(session()).not.toBe(before);
  expect(quorum()).not.toContain(failed);
  expect([...health().keys()]).toEqual([failed]);
});

test("a signer that still checks at the deadline is not left out: a peer may have sent late", () => {
  const { say, pass, quorum, session, health } = open();
  const [signers, before] = [quorum(), session()];
  pass(SIGNING_ATTEMPT_MS);
  for (const signer of signers) say(signer, failure());
  expect(session()).not.toBe(before);
  const all = signers.map((signer) => standingOf(health(), signer));
  expect(all.map(({ failures, excludedUntilMs }) => [failures, excludedUntilMs])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(new Set(all.map(({ lastFailedAtMs }) => lastFailedAtMs)).size).toBe(1);
});

test.each([
  ["in the midst of it", 0],
  ["at the deadline", SIGNING_ATTEMPT_MS],
])(
  "INV-7 a cheat that says first that it failed, %s, is convicted by the proof that comes after",
  (_, ms) => {
    const { attempt, say, pass, quorum, health } = open();
    const { id, quorum: parties, expiresAtMs } = attempt() ?? expect.fail("one runs");
    const [cheat, honest] = [member(parties, 0), member(parties, 1)];
    const of: Attempt = {
      given: id,
      expiresAtMs,
      protocol: "signing",
      level: "INSECURE-TEST",
      scheme: "CGGMP24",
      keyId: KEY_ID,
      epoch: 1,
      parties,
      threshold: 3,
      total: 5,
      agreed: [],
    };
    const session = attemptSession(of, rosterOf(5)) ?? expect.fail("all are in the roster");
    const { identity } = insecurePartySecrets(cheat);
    const messages = [1, 2].map((text) =>
      signEnvelope({ session, round: 1, kind: 1, from: cheat, to: 0 }, Uint8Array.of(text), identity),
    );
    const check = "round 1: two different messages for one place";
    const evidence = { attempt: of, accused: cheat, check, messages, material: NO_MATERIAL };
    pass(ms);
    say(cheat, failure());
    expect(kinds(say(honest, { kind: "fault", evidence }))).toEqual([
      "fault",
      "cancel",
      "call",
      "call",
      "call",
      "wake",
    ]);
    expect(health().get(cheat)?.isBlamed).toBe(true);
    expect(quorum()).not.toContain(cheat);
  },
);
