import { problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { hexToBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { AUXILIARY_SUBJECT } from "../../control/epoch-certificate.ts";
import { authoriseAuxiliary, rosterOf, START_MS } from "../../testing/fixtures.ts";
import { certificateBy, receiptBy } from "../../testing/receipts.ts";
import type { AuxiliaryResult, CoordinatorEffect } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { ASK_AGAIN_MS, AUXILIARY_ATTEMPT_MS, PAUSE_MS, SWITCH_MS_MAX } from "../limits.ts";
import {
  type AuxiliaryStep,
  type HeldAuxiliary,
  openAuxiliaryCoordinator,
  stepAuxiliaryCoordinator,
} from "./auxiliary.ts";

type Effect = CoordinatorEffect<AuxiliaryResult>;

const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const DIGEST = new Uint8Array(32).fill(4);
const NOTHING: HeldAuxiliary = { epoch: 0, digest: new Uint8Array(0), pending: [] };
const EARLIER = "ab".repeat(32);
const transitionOf = (to: number, session: string, digest = DIGEST, from = 0) => ({
  subject: AUXILIARY_SUBJECT,
  from,
  to,
  digest,
  session: hexToBytes(session),
});

/** A signer's pending epoch of an earlier attempt, with its receipt. */
const waiting = (signer: PartyIndex, epoch: number): HeldAuxiliary => {
  const receipt = receiptBy(signer, transitionOf(epoch, EARLIER), 3);
  return { ...NOTHING, pending: [{ from: 0, epoch, session: EARLIER, digest: DIGEST, receipt }] };
};

const open = (
  held: readonly HeldAuxiliary[],
  live = testParties(3),
  {
    from = 0,
    certificates = [],
  }: { readonly from?: number; readonly certificates?: readonly Uint8Array[] } = {},
) => {
  const config = {
    roster: rosterOf(3),
    entropy: seededEntropy("auxiliary-coordinator"),
    attemptMs: AUXILIARY_ATTEMPT_MS,
    unixAheadMs: () => 0,
    from,
    ...(from === 0 ? {} : { authorise: (old: number, to: number) => authoriseAuxiliary(old, to, [1, 2, 3]) }),
  };
  const known = new Map(held.map((each, at) => [testParty(at + 1), each]));
  let step: AuxiliaryStep = openAuxiliaryCoordinator(config, { live, held: known, certificates }, START_MS);
  let nowMs = START_MS;
  const handle = (event: CoordinatorEvent): readonly Effect[] => {
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
    handle,
    lose: (signer: PartyIndex): readonly Effect[] => handle({ kind: "lost", signer, session: session() }),
    /** a signer reports its receipt for the run's result */
    finish: (signer: PartyIndex, epoch: number, digest = DIGEST, signed = signer): readonly Effect[] => {
      const key = session();
      const receipt = receiptBy(signed, transitionOf(epoch, key, digest, from), 3);
      const report = { kind: "auxiliary", from, epoch, digest, receipt } as const;
      return handle({ kind: "report", signer, session: key, report });
    },
    answer: (signer: PartyIndex, epoch: number): readonly Effect[] =>
      handle({ kind: "switched", signer, keyId: AUXILIARY_SUBJECT, epoch }),
    pass: (ms: number): readonly Effect[] => {
      nowMs += ms;
      return handle({ kind: "tick" });
    },
  };
};

const kinds = (effects: readonly Effect[]): readonly string[] => effects.map(({ kind }) => kind);
const epochOf = (effects: readonly Effect[]): number | undefined => {
  const call = effects.find((effect) => effect.kind === "call");
  return call?.kind === "call" && call.command.kind === "auxiliary" ? call.command.epoch : undefined;
};
const SHOWS = ["switch", "switch", "switch", "wake"];

test("a renewal that keeps failing ends after three attempts with its reason: each leaves an epoch that waits", () => {
  const held = { epoch: 4, digest: DIGEST, pending: [] };
  const { first, lose, pass } = open([held, held, held], testParties(3), { from: 4 });
  expect(epochOf(first)).toBe(5);
  lose(TWO);
  expect(epochOf(pass(PAUSE_MS))).toBe(6);
  lose(TWO);
  expect(epochOf(pass(2 * PAUSE_MS))).toBe(7);
  const last = lose(TWO);
  expect(kinds(last)).toEqual(["cancel", "cancel", "failed", "closed"]);
  const details = { reason: "signer-2 was lost" };
  expect(last[2]).toMatchObject({ problem: { code: "AuxiliaryFailed", details } });
});

test("information that all signers use alike needs no session", () => {
  const held = { epoch: 4, digest: DIGEST, pending: [] };
  const result = { epoch: 4, digest: DIGEST };
  expect(open([held, held, held]).first).toEqual([{ kind: "done", result }, { kind: "closed" }]);
});

test("a run has a number above all that any signer holds, as far as it can be true", () => {
  expect(epochOf(open([NOTHING, waiting(TWO, 6), NOTHING]).first)).toBe(7);
  const wild = { ...waiting(TWO, 6), epoch: 2 ** 32 - 2 };
  expect(epochOf(open([NOTHING, wild, NOTHING]).first)).toBe(7);
});

test("the certificate is shown once every signer gave its receipt, and done once every signer is in the epoch", () => {
  const { finish, answer } = open([NOTHING, NOTHING, NOTHING]);
  expect([...finish(ONE, 1), ...finish(TWO, 1)]).toEqual([]);
  expect(kinds(finish(THREE, 1))).toEqual(SHOWS);
  expect([...answer(ONE, 1), ...answer(TWO, 1)]).toEqual([]);
  expect(answer(THREE, 1)).toEqual([
    { kind: "done", result: { epoch: 1, digest: DIGEST } },
    { kind: "closed" },
  ]);
});

const refusal = (signer: PartyIndex): CoordinatorEvent => ({
  kind: "refused",
  signer,
  keyId: AUXILIARY_SUBJECT,
  problem: problem("EpochCertificateInvalid"),
});

test("a renewal whose certificate every signer refuses has failed, and is not done", () => {
  const held = { epoch: 4, digest: DIGEST, pending: [] };
  const { finish, handle } = open([held, held, held], testParties(3), { from: 4 });
  for (const signer of testParties(3)) finish(signer, 5);
  expect([...handle(refusal(ONE)), ...handle(refusal(TWO))]).toEqual([]);
  expect(handle(refusal(THREE))).toMatchObject([
    {
      kind: "failed",
      problem: { code: "AuxiliaryFailed", details: { reason: "no signer took the certificate of epoch 5" } },
    },
    { kind: "closed" },
  ]);
});

test("a first certificate that every signer refuses is shown again", () => {
  const { finish, answer, handle, pass } = open([NOTHING, NOTHING, NOTHING]);
  for (const signer of testParties(3)) finish(signer, 1);
  for (const signer of testParties(3)) expect(handle(refusal(signer))).toEqual([]);
  expect(kinds(pass(ASK_AGAIN_MS))).toEqual(SHOWS);
  expect([...answer(ONE, 1), ...answer(TWO, 1)]).toEqual([]);
  expect(kinds(answer(THREE, 1))).toEqual(["done", "closed"]);
});

test("a signer that does not answer a certificate is waited for a while, and gets it later", () => {
  const { finish, answer, pass } = open([NOTHING, NOTHING, NOTHING]);
  for (const signer of [ONE, TWO, THREE]) finish(signer, 1);
  answer(ONE, 1);
  answer(THREE, 1);
  expect(kinds(pass(1_000))).toEqual(["switch", "wake"]);
  expect(kinds(pass(SWITCH_MS_MAX))).toEqual(["done", "closed"]);
});

test("an epoch that all hold already, or that has a certificate, is shown and not made again", () => {
  const all = [ONE, TWO, THREE].map((signer) => waiting(signer, 3));
  expect(kinds(open(all).first)).toEqual(SHOWS);
  const certificates = [certificateBy(3, transitionOf(3, EARLIER))];
  expect(kinds(open([NOTHING, NOTHING, waiting(THREE, 3)], testParties(3), { certificates }).first)).toEqual(
    SHOWS,
  );
});

test("to replace what is there, the authority signs each attempt", () => {
  const held = { epoch: 4, digest: DIGEST, pending: [] };
  const { first } = open([held, held, held], testParties(3), { from: 4 });
  const call = first.find((effect) => effect.kind === "call");
  expect(call).toMatchObject({
    command: { kind: "auxiliary", epoch: 5, authorisation: authoriseAuxiliary(4, 5, [1, 2, 3]) },
  });
});

test("a receipt that another signed fails the attempt, and names who showed it", () => {
  const { finish } = open([NOTHING, NOTHING, NOTHING]);
  expect(finish(TWO, 1, DIGEST, ONE)).toContainEqual({
    kind: "waiting",
    reason: "trying again: signer-2 did not sign its receipt",
    unavailable: [],
  });
});

test("nothing begins while a signer is down, and the reason names it", () => {
  const { first, handle } = open([NOTHING, NOTHING, NOTHING], [ONE, THREE]);
  expect(first).toEqual([
    {
      kind: "waiting",
      reason: "auxiliary generation needs every signer; signer-2 does not answer",
      unavailable: [TWO],
    },
  ]);
  expect(kinds(handle({ kind: "live", signers: testParties(3) }))).toContain("call");
});

test("digests that differ lead to another run under a higher epoch", () => {
  const { finish, pass } = open([NOTHING, NOTHING, NOTHING]);
  finish(ONE, 1);
  finish(TWO, 1);
  expect(kinds(finish(THREE, 1, DIGEST.with(0, 9)))).toEqual(["waiting", "wake"]);
  expect(epochOf(pass(PAUSE_MS))).toBe(2);
});

test("a lost signer ends the run for all, and the epoch is not used again", () => {
  const { lose, pass } = open([NOTHING, NOTHING, NOTHING]);
  expect(kinds(lose(TWO))).toEqual(["cancel", "cancel", "waiting", "wake"]);
  expect(epochOf(pass(PAUSE_MS))).toBe(2);
});

test("the deadline ends a run that stalls", () => {
  const { pass, finish } = open([NOTHING, NOTHING, NOTHING]);
  finish(ONE, 1);
  const effects = pass(2 * AUXILIARY_ATTEMPT_MS);
  expect(kinds(effects)).toEqual(["cancel", "cancel", "waiting", "wake"]);
  expect(effects).toContainEqual({
    kind: "waiting",
    reason: "trying again: the deadline passed; signer-2, signer-3 did not finish",
    unavailable: [],
  });
});
