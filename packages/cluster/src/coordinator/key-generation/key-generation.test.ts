import { problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { type SessionKey, sessionKey } from "../../control/session-key.ts";
import { authoriseKey, keyIdOf, rosterOf, START_MS } from "../../testing/fixtures.ts";
import type { CoordinatorEffect, KeyGenerationResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { DISCARD_MS_MAX, KEY_ATTEMPT_MS } from "../limits.ts";
import {
  type BroughtKey,
  type HeldKey,
  type KeyStep,
  openKeyCoordinator,
  stepKeyCoordinator,
} from "./key-generation.ts";

type Effect = CoordinatorEffect<KeyGenerationResult>;

const KEY = keyIdOf(1);
const PUBLIC_KEY = new Uint8Array(33).fill(2);
const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];

const PENDING = { state: "pending", publicKey: PUBLIC_KEY } as const;

const made = (publicKey = PUBLIC_KEY): SessionReport => ({
  kind: "key",
  keyId: KEY,
  publicKey,
  chainCode: new Uint8Array(32),
});

const open = (
  held: ReadonlyMap<PartyIndex, HeldKey> = new Map(),
  live = testParties(3),
  brought?: BroughtKey,
  yields = true,
) => {
  const config = {
    ...(brought === undefined ? {} : { brought }),
    roster: rosterOf(3),
    keyId: KEY,
    authorisation: authoriseKey(KEY),
    entropy: seededEntropy("key-coordinator"),
    attemptMs: KEY_ATTEMPT_MS,
    unixAheadMs: () => 0,
    yields,
  };
  let step: KeyStep = openKeyCoordinator(config, { live, held }, START_MS);
  let nowMs = START_MS;
  const first = step.effects;
  const session = (): SessionKey => {
    const call = first.find((effect) => effect.kind === "call");
    const key = call?.kind === "call" ? sessionKey(call.session) : undefined;
    if (key === undefined) throw new Error("no session was begun");
    return key;
  };
  const handle = (event: CoordinatorEvent): readonly Effect[] => {
    step = stepKeyCoordinator(step.state, event, nowMs);
    return step.effects;
  };
  return {
    first,
    handle,
    say: (signer: PartyIndex, report: SessionReport): readonly Effect[] =>
      handle({ kind: "report", signer, session: session(), report }),
    answer: (signer: PartyIndex, state: "absent" | "pending" | "active"): readonly Effect[] =>
      handle({ kind: "key-state", signer, keyId: KEY, state, epoch: state === "absent" ? 0 : 1 }),
    pass: (ms: number): readonly Effect[] => {
      nowMs += ms;
      return handle({ kind: "tick" });
    },
  };
};

const kinds = (effects: readonly Effect[]): readonly string[] => effects.map(({ kind }) => kind);
const failureOf = (effects: readonly Effect[]) => effects.find((effect) => effect.kind === "failed");

test("a key is activated once every signer holds it, and done once every signer says active", () => {
  const { say, answer } = open();
  expect(say(ONE, made())).toEqual([]);
  expect(say(TWO, made())).toEqual([]);
  expect(kinds(say(THREE, made()))).toEqual(["activate", "activate", "activate", "wake"]);
  expect(answer(ONE, "active")).toEqual([]);
  expect(answer(TWO, "active")).toEqual([]);
  expect(answer(THREE, "active")).toEqual([
    { kind: "done", result: { keyId: KEY, publicKey: PUBLIC_KEY } },
    { kind: "closed" },
  ]);
});

test("signers that made different keys all discard them", () => {
  const { say } = open();
  say(ONE, made());
  say(TWO, made());
  const effects = say(THREE, made(PUBLIC_KEY.with(5, 9)));
  expect(kinds(effects)).toEqual(["failed", "discard", "discard", "discard", "wake"]);
  expect(failureOf(effects)).toMatchObject({ problem: { code: "KeyGenerationFailed" } });
});

test("the deadline names the signers that did not finish", () => {
  const { say, pass } = open();
  say(ONE, made());
  expect(failureOf(pass(2 * KEY_ATTEMPT_MS))).toMatchObject({
    problem: { code: "SignersUnavailable", details: { unavailable: ["signer-2", "signer-3"] } },
  });
});

test("a refusal that passes is reported as one", () => {
  const { say } = open();
  const full = problem("TooManySessions");
  expect(failureOf(say(ONE, { kind: "refusal", problem: full }))).toMatchObject({
    problem: { code: "TooManySessions", details: { signer: "signer-1" } },
  });
});

test("a coordinator yields to another one for which a signer is making the key, as long as there may be one", () => {
  const busy = { kind: "refusal", problem: problem("KeyExists") } as const;
  expect(kinds(open().say(ONE, busy))).toEqual(["cancel", "cancel", "closed"]);
  const last = open(new Map(), testParties(3), undefined, false);
  expect(failureOf(last.say(ONE, busy))).toMatchObject({
    problem: { code: "KeyGenerationFailed", details: { reason: "KeyExists", signer: "signer-1" } },
  });
});

test("a signer that lost its share before the key was active fails the key", () => {
  const { say, answer } = open();
  for (const signer of [ONE, TWO, THREE]) say(signer, made());
  const effects = answer(TWO, "absent");
  expect(failureOf(effects)).toMatchObject({ problem: { details: { signer: "signer-2" } } });
  expect(kinds(effects)).toContain("discard");
});

test("a discard is asked again until it is answered, and not for ever", () => {
  const { say, answer, pass } = open();
  say(ONE, { kind: "failure", reason: "test", silent: [] });
  answer(ONE, "absent");
  expect(kinds(pass(2_000))).toEqual(["discard", "discard", "wake"]);
  expect(kinds(pass(DISCARD_MS_MAX))).toEqual(["closed"]);
});

test.each([
  ["by an earlier coordinator", () => open(new Map([[ONE, PENDING]]))],
  [
    "before a clock was reported",
    () => {
      const run = open();
      run.say(ONE, { kind: "refusal", problem: problem("SessionExpired", { clockMs: START_MS + 60_000 }) });
      for (const signer of [TWO, THREE]) run.answer(signer, "absent");
      return run;
    },
  ],
] as const)("a signer that hangs does not keep what was left %s from being given up", (_, begin) => {
  const { pass } = begin();
  expect(kinds(pass(KEY_ATTEMPT_MS - 1))).toEqual(["discard", "wake"]);
  expect(failureOf(pass(1))).toMatchObject({
    problem: { code: "SignersUnavailable", details: { unavailable: ["signer-1"] } },
  });
  expect(kinds(pass(DISCARD_MS_MAX))).toEqual(["closed"]);
});

test.each(["TooManySessions", "ServiceUnavailable"] as const)(
  "a signer that cannot activate its share yet, or discard it, is asked again: %s",
  (code) => {
    const { say, answer, handle, pass } = open();
    const busy = () => handle({ kind: "refused", signer: ONE, keyId: KEY, problem: problem(code) });
    for (const signer of [ONE, TWO, THREE]) say(signer, made());
    answer(TWO, "active");
    expect(kinds(busy())).toEqual(["wake"]);
    expect(kinds(pass(1_000))).toEqual(["activate", "activate", "wake"]);
    expect(failureOf(answer(THREE, "absent"))).toBeDefined();
    expect(kinds(busy())).toEqual(["wake"]);
    expect(kinds(pass(1_000))).toEqual(["discard", "discard", "discard", "wake"]);
  },
);

test("a key that is active anywhere is activated even while a signer is down", () => {
  const held = new Map([[ONE, { state: "active", publicKey: PUBLIC_KEY } as const]]);
  expect(kinds(open(held, [ONE, TWO]).first)).toEqual(["activate", "activate", "activate", "wake"]);
});

test("a share that was left pending is cleared before a new session begins", () => {
  const { first, answer } = open(new Map([[ONE, PENDING]]));
  expect(kinds(first)).toEqual(["discard", "wake"]);
  expect(kinds(answer(ONE, "absent"))).toEqual(["call", "call", "call", "wake"]);
});

/** A client's key that its organisation already has under another id. */
const again: BroughtKey = {
  envelopes: new Map(),
  threshold: 2,
  taken: new Map([["02".repeat(33), "key-of-before"]]),
};
const duplicate = {
  problem: { code: "KeyImportDuplicate", details: { duplicate: { id: "key-of-before" } } },
};

test("a key that is brought again is discarded by all before anybody activates it", () => {
  const { say } = open(new Map(), testParties(3), again);
  say(ONE, made());
  say(TWO, made());
  const effects = say(THREE, made());
  expect(kinds(effects)).toEqual(["failed", "discard", "discard", "discard", "wake"]);
  expect(failureOf(effects)).toMatchObject(duplicate);
});

test("a key that is brought again is found out by the next coordinator, too; one that is active anywhere stays", () => {
  const held = (state: "pending" | "active") =>
    new Map([ONE, TWO, THREE].map((signer) => [signer, { state, publicKey: PUBLIC_KEY } as const]));
  expect(failureOf(open(held("pending"), testParties(3), again).first)).toMatchObject(duplicate);
  expect(kinds(open(held("active"), testParties(3), again).first)).toContain("activate");
});
