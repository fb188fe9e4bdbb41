import { problem } from "@conclave/custody";
import { seededEntropy, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { emptyEvidence } from "../../testing/empty-evidence.ts";
import { KEY_ID, rosterOf, START_MS } from "../../testing/fixtures.ts";
import type { CoordinatorEffect, PresigningResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { FINAL_REPORTS_MS, PRESIGNING_ATTEMPT_MS } from "../limits.ts";
import { isApart } from "../pairs.ts";
import { standingOf } from "../standings.ts";
import { openPresigningCoordinator, type PresigningStep, stepPresigningCoordinator } from "./presigning.ts";

type Effect = CoordinatorEffect<PresigningResult>;

const [one, two, three] = [testParty(1), testParty(2), testParty(3)];
const quorum = [one, two, three];
const id = "ab".repeat(32);

const open = () => {
  const config = {
    roster: rosterOf(5),
    keyId: KEY_ID,
    quorum,
    entropy: seededEntropy("presigning"),
    attemptMs: PRESIGNING_ATTEMPT_MS,
    unixAheadMs: () => 0,
  };
  let step: PresigningStep = openPresigningCoordinator(config, { health: new Map() }, START_MS);
  const handle = (event: CoordinatorEvent, nowMs = START_MS): readonly Effect[] => {
    step = stepPresigningCoordinator(step.state, event, nowMs);
    return step.effects;
  };
  return {
    first: step.effects,
    handle,
    say: (signer: typeof one, report: SessionReport) =>
      handle({ kind: "report", signer, session: step.state.session, report }),
    lose: (signer: typeof one) => handle({ kind: "lost", signer, session: step.state.session }),
    state: () => step.state,
  };
};

const presigned = (name = id, expiresAtMs = START_MS + 5): SessionReport => ({
  kind: "presigned",
  id: name,
  expiresAtMs,
});
const kinds = (effects: readonly Effect[]): readonly string[] => effects.map(({ kind }) => kind);
const discardsOf = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "discard-presignatures" ? [[effect.signer, effect.ids]] : []));

test("every signer of the quorum is called, with a deadline", () => {
  const { first } = open();
  expect(kinds(first)).toEqual(["call", "call", "call", "wake"]);
});

test("it is done when all have stored the same, and lives as long as the first of them keeps it", () => {
  const { say } = open();
  expect(say(one, { kind: "progress", stage: "presign/1" })).toEqual([
    { kind: "progress", signer: one, stage: "presign/1" },
  ]);
  expect(say(one, presigned(id, START_MS + 9))).toEqual([]);
  expect(say(two, presigned(id, START_MS + 5))).toEqual([]);
  expect(say(three, presigned(id, START_MS + 7))).toEqual([
    { kind: "done", result: { id, keyId: KEY_ID, signers: quorum, expiresAtMs: START_MS + 5 } },
    { kind: "closed" },
  ]);
});

test("a signer that is lost ends it, and all are asked to burn what the others stored", () => {
  const { say, lose, state } = open();
  say(one, presigned());
  const effects = lose(two);
  expect(kinds(effects)).toEqual([
    "cancel",
    "discard-presignatures",
    "discard-presignatures",
    "discard-presignatures",
    "failed",
    "closed",
  ]);
  expect(discardsOf(effects)).toEqual(quorum.map((signer) => [signer, [id]]));
  expect(standingOf(state().health, two).failures).toBe(1);
  expect(say(three, presigned())).toEqual([]);
});

test("nothing is discarded when nobody stored anything", () => {
  expect(kinds(open().lose(two))).toEqual(["cancel", "cancel", "failed", "closed"]);
});

test("signers that name it differently burn both", () => {
  const { say } = open();
  say(one, presigned());
  expect(discardsOf(say(two, presigned("cd".repeat(32))))[0]).toEqual([one, [id, "cd".repeat(32)]]);
});

test.each<SessionReport>([
  { kind: "refusal", problem: problem("PoolFull") },
  { kind: "key-state", keyId: KEY_ID, state: "active", epoch: 1 },
])("a $kind of one signer ends it for all", (report) => {
  const { say } = open();
  expect(kinds(say(one, report))).toEqual(["cancel", "cancel", "failed", "closed"]);
});

test("a signer that failed by itself is avoided alone, once the others had the time to say what they know", () => {
  const { say, handle, state } = open();
  const atMs = START_MS + FINAL_REPORTS_MS;
  expect(say(one, { kind: "failure", reason: "test", silent: [] })).toEqual([{ kind: "wake", atMs }]);
  expect(kinds(handle({ kind: "tick" }, atMs))).toEqual(["cancel", "cancel", "failed", "closed"]);
  expect([...state().health.keys()]).toEqual([one]);
});

test("signers that still check at the deadline are not left out: a peer may have sent late", () => {
  const { handle, state } = open();
  const atMs = START_MS + PRESIGNING_ATTEMPT_MS;
  const { session } = state();
  for (const signer of quorum) {
    handle(
      { kind: "report", signer, session, report: { kind: "failure", reason: "test", silent: [] } },
      atMs,
    );
  }
  expect(state().isClosed).toBe(true);
  for (const signer of quorum)
    expect(standingOf(state().health, signer)).toMatchObject({ failures: 0, excludedUntilMs: 0 });
});

test("a signer that signs nothing with another of them is kept apart from that one; one that names nobody of them, from none", () => {
  const refusing = (culprit: number) => {
    const { say, state } = open();
    const said = say(one, { kind: "refusal", problem: problem("PeerFault", { culprit }) });
    expect(kinds(said)).toEqual(["cancel", "cancel", "failed", "closed"]);
    return state().health;
  };
  expect(isApart(refusing(2), [one, two], START_MS)).toBe(true);
  expect(isApart(refusing(2), [one, three], START_MS)).toBe(false);
  for (const other of [1, 4]) {
    const health = refusing(other);
    expect([two, three].filter((signer) => isApart(health, [one, signer], START_MS))).toEqual([]);
    expect(standingOf(health, one).lapses).toMatchObject({ failures: 1 });
  }
});

test("INV-7 an accusation that shows nothing leaves out nobody, and keeps the two apart", () => {
  const { say, state } = open();
  expect(kinds(say(one, { kind: "fault", evidence: emptyEvidence(two) }))).not.toContain("fault");
  for (const signer of [one, two]) {
    expect(standingOf(state().health, signer)).toMatchObject({ excludedUntilMs: 0, isBlamed: false });
  }
  expect(isApart(state().health, [one, two], START_MS)).toBe(true);
  expect(isApart(state().health, [one, three], START_MS)).toBe(false);
});

test("INV-7 a signer that is silent towards one is kept apart from that one, and from no other that it kept waiting", () => {
  const { say, state } = open();
  say(two, { kind: "failure", reason: "test", silent: [one], phase: 3 });
  say(three, { kind: "failure", reason: "test", silent: [one], phase: 3 });
  expect(kinds(say(one, { kind: "failure", reason: "test", silent: [three], phase: 2 }))).toEqual([
    "failed",
    "closed",
  ]);
  expect(isApart(state().health, [one, three], START_MS)).toBe(true);
  expect(isApart(state().health, [one, two], START_MS)).toBe(false);
});

test("a signer that no longer answers, the deadline, and the end of the process each end it", () => {
  const late = START_MS + PRESIGNING_ATTEMPT_MS + FINAL_REPORTS_MS;
  expect(kinds(open().handle({ kind: "live", signers: [one, two] }))).toContain("failed");
  expect(kinds(open().handle({ kind: "live", signers: quorum }))).toEqual([]);
  expect(kinds(open().handle({ kind: "tick" }, late - 1))).toEqual(["wake"]);
  expect(kinds(open().handle({ kind: "tick" }, late))).toContain("failed");
  expect(kinds(open().handle({ kind: "stop" }))).toContain("closed");
});
