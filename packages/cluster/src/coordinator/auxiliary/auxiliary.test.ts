import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { rosterOf, START_MS } from "../../testing/fixtures.ts";
import type { AuxiliaryResult, CoordinatorEffect } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { AUXILIARY_ATTEMPT_MS, PAUSE_MS } from "../limits.ts";
import { type AuxiliaryStep, openAuxiliaryCoordinator, stepAuxiliaryCoordinator } from "./auxiliary.ts";

type Effect = CoordinatorEffect<AuxiliaryResult>;

const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const DIGEST = new Uint8Array(32).fill(4);
const NOTHING: AuxiliaryResult = { epoch: 0, digest: new Uint8Array(0) };

const open = (held: readonly AuxiliaryResult[], live = testParties(3)) => {
  const config = {
    roster: rosterOf(3),
    entropy: seededEntropy("auxiliary-coordinator"),
    attemptMs: AUXILIARY_ATTEMPT_MS,
  };
  const known = new Map(held.map((each, at) => [testParty(at + 1), each]));
  let step: AuxiliaryStep = openAuxiliaryCoordinator(config, { live, held: known }, START_MS);
  let nowMs = START_MS;
  const tell = (event: CoordinatorEvent): readonly Effect[] => {
    step = stepAuxiliaryCoordinator(step.state, event, nowMs);
    return step.effects;
  };
  const session = () => {
    const key = step.state.generation?.key;
    if (key === undefined) throw new Error("no session runs");
    return key;
  };
  return {
    first: step.effects,
    tell,
    lose: (signer: PartyIndex): readonly Effect[] => tell({ kind: "lost", signer, session: session() }),
    say: (signer: PartyIndex, report: SessionReport): readonly Effect[] =>
      tell({ kind: "report", signer, session: session(), report }),
    pass: (ms: number): readonly Effect[] => {
      nowMs += ms;
      return tell({ kind: "tick" });
    },
  };
};

const kinds = (effects: readonly Effect[]): readonly string[] => effects.map(({ kind }) => kind);
const epochOf = (effects: readonly Effect[]): number | undefined => {
  const call = effects.find((effect) => effect.kind === "call");
  return call?.kind === "call" && call.command.kind === "auxiliary" ? call.command.epoch : undefined;
};
const auxiliary = (epoch: number, digest = DIGEST): SessionReport => ({ kind: "auxiliary", epoch, digest });

test("what all signers hold alike needs no session", () => {
  const held = { epoch: 4, digest: DIGEST };
  expect(open([held, held, held]).first).toEqual([{ kind: "done", result: held }, { kind: "closed" }]);
});

test("a run has an epoch above all that any signer holds", () => {
  expect(epochOf(open([NOTHING, { epoch: 6, digest: DIGEST }, NOTHING]).first)).toBe(7);
});

test("nothing begins while a signer is down, and the reason names it", () => {
  const { first, tell } = open([NOTHING, NOTHING, NOTHING], [ONE, THREE]);
  expect(first).toEqual([
    {
      kind: "waiting",
      reason: "auxiliary generation needs every signer; signer-2 does not answer",
      unavailable: [TWO],
    },
  ]);
  expect(kinds(tell({ kind: "live", signers: testParties(3) }))).toContain("call");
});

test("digests that differ lead to another run under a higher epoch", () => {
  const { say, pass } = open([NOTHING, NOTHING, NOTHING]);
  say(ONE, auxiliary(1));
  say(TWO, auxiliary(1));
  expect(kinds(say(THREE, auxiliary(1, DIGEST.with(0, 9))))).toEqual(["waiting", "wake"]);
  expect(epochOf(pass(PAUSE_MS))).toBe(2);
});

test("a lost signer ends the run for all, and the epoch is not used again", () => {
  const { lose, pass } = open([NOTHING, NOTHING, NOTHING]);
  expect(kinds(lose(TWO))).toEqual(["cancel", "cancel", "waiting", "wake"]);
  expect(epochOf(pass(PAUSE_MS))).toBe(2);
});

test("the deadline ends a run that stalls", () => {
  const { pass, say } = open([NOTHING, NOTHING, NOTHING]);
  say(ONE, auxiliary(1));
  const effects = pass(2 * AUXILIARY_ATTEMPT_MS);
  expect(kinds(effects)).toEqual(["cancel", "cancel", "waiting", "wake"]);
  expect(effects).toContainEqual({
    kind: "waiting",
    reason: "trying again: the deadline passed; signer-2, signer-3 did not finish",
    unavailable: [],
  });
});
