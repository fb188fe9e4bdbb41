import { problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { type SessionKey, sessionKey } from "../../control/session-key.ts";
import { authoriseKeyDiscard, keyIdOf, rosterOf, START_MS, sign } from "../../testing/fixtures.ts";
import type { CoordinatorEffect, KeyChangeResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { DISCARD_MS_MAX, KEY_CHANGE_ATTEMPT_MS } from "../limits.ts";
import {
  type HeldEpoch,
  type KeyChangeStep,
  openKeyChangeCoordinator,
  stepKeyChangeCoordinator,
} from "./key-change.ts";

type Effect = CoordinatorEffect<KeyChangeResult>;

const KEY = keyIdOf(1);
const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const EARLIER = "ab".repeat(32);

const changed = (digest = 7, epoch = 4): SessionReport => ({
  kind: "key-changed",
  keyId: KEY,
  epoch,
  digest: new Uint8Array(32).fill(digest),
});

const waiting = (digest = 7): HeldEpoch => ({
  epoch: 3,
  next: { epoch: 4, session: EARLIER, digest: new Uint8Array(32).fill(digest) },
});

const held = (...each: readonly HeldEpoch[]): ReadonlyMap<PartyIndex, HeldEpoch> =>
  new Map(
    testParties(3).flatMap((party, at) => {
      const epoch = each[at];
      return epoch === undefined ? [] : [[party, epoch] as const];
    }),
  );

const OLD: HeldEpoch = { epoch: 3 };
const NEW: HeldEpoch = { epoch: 4 };

/** From epoch 3 to 4. */
const open = (known = held(OLD, OLD, OLD), live = testParties(3)) => {
  const config = {
    roster: rosterOf(3),
    keyId: KEY,
    epoch: 3,
    change: { kind: "key-refresh", authorisation: sign(new Uint8Array(0)) },
    authoriseDiscard: (session: string) => authoriseKeyDiscard(session, KEY),
    entropy: seededEntropy("key-change-coordinator"),
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
  } as const;
  let step: KeyChangeStep = openKeyChangeCoordinator(config, { live, held: known }, START_MS);
  let nowMs = START_MS;
  const first = step.effects;
  const session = (): SessionKey => {
    const call = first.find((effect) => effect.kind === "call");
    const key = call?.kind === "call" ? sessionKey(call.session) : undefined;
    if (key === undefined) throw new Error("no session was begun");
    return key;
  };
  const tell = (event: CoordinatorEvent): readonly Effect[] => {
    step = stepKeyChangeCoordinator(step.state, event, nowMs);
    return step.effects;
  };
  return {
    first,
    tell,
    say: (signer: PartyIndex, report: SessionReport): readonly Effect[] =>
      tell({ kind: "report", signer, session: session(), report }),
    answer: (signer: PartyIndex, epoch: number): readonly Effect[] => {
      const state = epoch === 0 ? "absent" : "active";
      return tell({ kind: "key-state", signer, keyId: KEY, state, epoch });
    },
    pass: (ms: number): readonly Effect[] => {
      nowMs += ms;
      return tell({ kind: "tick" });
    },
  };
};

const kinds = (effects: readonly Effect[]): readonly string[] => effects.map(({ kind }) => kind);
const failureOf = (effects: readonly Effect[]) => effects.find((effect) => effect.kind === "failed");
const DISCARDS = ["discard", "discard", "discard", "wake"];
const ACTIVATES = ["activate", "activate", "activate", "wake"];

test("a new epoch is activated once every signer holds its share, and done once every signer is in it", () => {
  const { say, answer } = open();
  expect(say(ONE, changed())).toEqual([]);
  expect(say(TWO, changed())).toEqual([]);
  const effects = say(THREE, changed());
  expect(kinds(effects)).toEqual(ACTIVATES);
  expect(effects[0]).toEqual({ kind: "activate", signer: ONE, keyId: KEY, epoch: 4 });
  answer(ONE, 4);
  answer(TWO, 4);
  expect(answer(THREE, 4)).toEqual([
    { kind: "done", result: { keyId: KEY, epoch: 4, lacking: [] } },
    { kind: "closed" },
  ]);
});

test("signers that say different things of the new epoch all discard it", () => {
  const { say } = open();
  say(ONE, changed());
  say(TWO, changed());
  const effects = say(THREE, changed(8));
  expect(kinds(effects)).toEqual(["failed", ...DISCARDS]);
  expect(failureOf(effects)).toMatchObject({ problem: { code: "KeyChangeFailed" } });
});

test.each<[string, SessionReport]>([
  ["changed another epoch", changed(7, 5)],
  ["answers what was not asked", { kind: "presigned", id: "", expiresAtMs: 0 }],
  ["fails", { kind: "failure", reason: "test", silent: [] }],
  ["refuses", { kind: "refusal", problem: problem("KeyEpochMismatch") }],
])("a signer that %s fails the change, and all discard what they may hold", (_, report) => {
  const effects = open().say(ONE, report);
  expect(kinds(effects)).toEqual(["cancel", "cancel", "failed", ...DISCARDS]);
});

test("the deadline names the signers that did not finish", () => {
  const { say, pass } = open();
  say(ONE, changed());
  expect(failureOf(pass(2 * KEY_CHANGE_ATTEMPT_MS))).toMatchObject({
    problem: { code: "SignersUnavailable", details: { unavailable: ["signer-2", "signer-3"] } },
  });
});

test("a discard is asked again until it is answered, and not for ever", () => {
  const { say, answer, pass } = open();
  say(ONE, { kind: "failure", reason: "test", silent: [] });
  answer(ONE, 3);
  expect(kinds(pass(2_000))).toEqual(["discard", "discard", "wake"]);
  expect(kinds(pass(DISCARD_MS_MAX))).toEqual(["closed"]);
});

test("a signer that lost its new share after all had it is named, and the others go on to the new epoch", () => {
  const { say, answer } = open();
  for (const signer of [ONE, TWO, THREE]) say(signer, changed());
  answer(ONE, 4);
  answer(TWO, 0);
  expect(answer(THREE, 4)[0]).toEqual({ kind: "done", result: { keyId: KEY, epoch: 4, lacking: [TWO] } });
});

test("an activation that is refused for a moment is asked again", () => {
  const { say, tell, pass } = open();
  for (const signer of [ONE, TWO, THREE]) say(signer, changed());
  const busy = problem("TooManySessions");
  expect(kinds(tell({ kind: "refused", signer: ONE, keyId: KEY, problem: busy }))).toEqual(["wake"]);
  expect(kinds(pass(1_000))).toEqual(ACTIVATES);
});

test("what is active anywhere is activated everywhere, even while a signer is away", () => {
  expect(kinds(open(held(NEW, waiting()), [ONE, TWO]).first)).toEqual(["waiting", ...ACTIVATES]);
});

test("what all hold alike is activated", () => {
  expect(kinds(open(held(waiting(), waiting(), waiting())).first)).toEqual(ACTIVATES);
});

test("nothing is discarded while a signer is away: it may be in the new epoch already", () => {
  const { first } = open(held(waiting(), waiting()), [ONE, TWO]);
  expect(kinds(first)).toEqual(["failed", "closed"]);
  expect(failureOf(first)).toMatchObject({ problem: { details: { unavailable: ["signer-3"] } } });
});

test("what some hold of a change that never finished is discarded by name, and then all begin afresh", () => {
  const { first, answer } = open(held(waiting(), OLD, OLD));
  expect(first[0]).toEqual({
    kind: "discard",
    signer: ONE,
    keyId: KEY,
    authorisation: authoriseKeyDiscard(EARLIER, KEY),
  });
  expect(kinds(first)).toEqual(["discard", "wake"]);
  expect(kinds(answer(ONE, 3))).toEqual(["call", "call", "call", "wake"]);
});

test("a key that has moved on further is left alone", () => {
  const { first } = open(held({ epoch: 5 }, OLD, OLD));
  expect(kinds(first)).toEqual(["failed", "closed"]);
  expect(failureOf(first)).toMatchObject({ problem: { code: "KeyEpochMismatch" } });
});
