import { problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { hexToBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import type { KeyChange } from "../../control/command.ts";
import { readCertificate } from "../../control/epoch-certificate.ts";
import type { PendingEpoch } from "../../control/pending-epoch.ts";
import type { SessionReport } from "../../control/report.ts";
import { type SessionKey, sessionKey } from "../../control/session-key.ts";
import { flipLastBit } from "../../testing/cheats.ts";
import { keyIdOf, rosterOf, START_MS, sign } from "../../testing/fixtures.ts";
import { certificateBy, receiptBy } from "../../testing/receipts.ts";
import type { HeldEpoch } from "../certified.ts";
import type { CoordinatorEffect, KeyChangeResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { KEY_CHANGE_ATTEMPT_MS } from "../limits.ts";
import { type KeyChangeStep, openKeyChangeCoordinator, stepKeyChangeCoordinator } from "./key-change.ts";

type Effect = CoordinatorEffect<KeyChangeResult>;

const KEY = keyIdOf(1);
const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const EARLIER = "ab".repeat(32);

const SESSION = hexToBytes(EARLIER);
const digestOf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

/** A signer's pending epoch of an earlier attempt, with its receipt. */
const waiting = (signer: PartyIndex, fill = 7): HeldEpoch => {
  const digest = digestOf(fill);
  const receipt = receiptBy(signer, { subject: KEY, from: 3, to: 4, digest, session: SESSION }, 3);
  return { epoch: 3, pending: [{ from: 3, epoch: 4, session: EARLIER, digest, receipt }] };
};

const held = (...each: readonly HeldEpoch[]): ReadonlyMap<PartyIndex, HeldEpoch> =>
  new Map(
    testParties(3).flatMap((party, at) => {
      const epoch = each[at];
      return epoch === undefined ? [] : [[party, epoch] as const];
    }),
  );

const OLD: HeldEpoch = { epoch: 3, pending: [] };
const NEW: HeldEpoch = { epoch: 4, pending: [] };
const CERTIFICATE = certificateBy(3, { subject: KEY, from: 3, to: 4, digest: digestOf(7), session: SESSION });

/** A change from epoch 3 to 4 by default. */
const open = (
  known = held(OLD, OLD, OLD),
  live = testParties(3),
  certificates: readonly Uint8Array[] = [],
  epoch = 3,
) => {
  const asked: number[] = [];
  const config = {
    roster: rosterOf(3),
    keyId: KEY,
    epoch,
    change: (nextEpoch: number): KeyChange => {
      asked.push(nextEpoch);
      return { kind: "key-refresh", authorisation: sign(new Uint8Array(0)) };
    },
    entropy: seededEntropy("key-change-coordinator"),
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
    unixAheadMs: () => 0,
  } as const;
  let step: KeyChangeStep = openKeyChangeCoordinator(config, { live, held: known, certificates }, START_MS);
  let nowMs = START_MS;
  const first = step.effects;
  const session = (): SessionKey => {
    const call = first.find((effect) => effect.kind === "call");
    const key = call?.kind === "call" ? sessionKey(call.session) : undefined;
    if (key === undefined) throw new Error("no session was begun");
    return key;
  };
  const handle = (event: CoordinatorEvent): readonly Effect[] => {
    step = stepKeyChangeCoordinator(step.state, event, nowMs);
    return step.effects;
  };
  const say = (signer: PartyIndex, report: SessionReport): readonly Effect[] =>
    handle({ kind: "report", signer, session: session(), report });
  return {
    first,
    asked,
    handle,
    say,
    /** a signer reports its receipt for the run's result */
    finish: (signer: PartyIndex, fill = 7, signed = signer): readonly Effect[] => {
      const digest = digestOf(fill);
      const said = { subject: KEY, from: 3, to: 4, digest, session: hexToBytes(session()) };
      const receipt = receiptBy(signed, said, 3);
      return say(signer, { kind: "key-changed", keyId: KEY, from: 3, epoch: 4, digest, receipt });
    },
    answer: (signer: PartyIndex, epoch: number): readonly Effect[] =>
      handle({ kind: "switched", signer, keyId: KEY, epoch }),
    pass: (ms: number): readonly Effect[] => {
      nowMs += ms;
      return handle({ kind: "tick" });
    },
  };
};

const kinds = (effects: readonly Effect[]): readonly string[] => effects.map(({ kind }) => kind);
const failureOf = (effects: readonly Effect[]) => effects.find((effect) => effect.kind === "failed");
const SHOWS = ["switch", "switch", "switch", "wake"];

const NOT_SIGNED: SessionReport = {
  kind: "key-changed",
  keyId: KEY,
  from: 3,
  epoch: 4,
  digest: digestOf(7),
  receipt: new Uint8Array(64),
};

test("the certificate of a new epoch is shown once every signer gave its receipt, and done once every signer is in it", () => {
  const { finish, answer } = open();
  expect(finish(ONE)).toEqual([]);
  expect(finish(TWO)).toEqual([]);
  const effects = finish(THREE);
  expect(kinds(effects)).toEqual(SHOWS);
  const [shown] = effects;
  if (shown?.kind !== "switch") throw new Error("the certificate is shown");
  expect(readCertificate(rosterOf(3), shown.certificate)).toMatchObject({ subject: KEY, from: 3, to: 4 });
  answer(ONE, 4);
  answer(TWO, 4);
  expect(answer(THREE, 4)).toEqual([
    { kind: "done", result: { keyId: KEY, epoch: 4, lacking: [] } },
    { kind: "closed" },
  ]);
});

test("signers that say different things of the new epoch fail the change", () => {
  const { finish } = open();
  finish(ONE);
  finish(TWO);
  const effects = finish(THREE, 8);
  expect(kinds(effects)).toEqual(["failed", "closed"]);
  expect(failureOf(effects)).toMatchObject({ problem: { code: "KeyChangeFailed" } });
});

test("a signer's receipt that another signed fails the change, and names who showed it", () => {
  const { finish } = open();
  const effects = finish(TWO, 7, ONE);
  expect(failureOf(effects)).toMatchObject({ problem: { details: { signer: "signer-2" } } });
});

test.each<[string, SessionReport]>([
  ["changed another epoch", { ...NOT_SIGNED, epoch: 5 }],
  ["changed from another epoch", { ...NOT_SIGNED, from: 2 }],
  ["signs no receipt", NOT_SIGNED],
  ["answers what was not asked", { kind: "presigned", id: "", expiresAtMs: 0 }],
  ["fails", { kind: "failure", reason: "test", silent: [] }],
  ["refuses", { kind: "refusal", problem: problem("KeyEpochMismatch") }],
])("a signer that %s fails the change, and nothing else is asked of anybody", (_, report) => {
  const effects = open().say(ONE, report);
  expect(kinds(effects)).toEqual(["cancel", "cancel", "failed", "closed"]);
});

test("the deadline names the signers that did not finish", () => {
  const { finish, pass } = open();
  finish(ONE);
  expect(failureOf(pass(2 * KEY_CHANGE_ATTEMPT_MS))).toMatchObject({
    problem: { code: "SignersUnavailable", details: { unavailable: ["signer-2", "signer-3"] } },
  });
});

test("a signer that lost its new share after all had it is named, and the others go on to the new epoch", () => {
  const { finish, answer, handle } = open();
  for (const signer of [ONE, TWO, THREE]) finish(signer);
  answer(ONE, 4);
  handle({ kind: "refused", signer: TWO, keyId: KEY, problem: problem("EpochLacking") });
  expect(answer(THREE, 4)[0]).toEqual({ kind: "done", result: { keyId: KEY, epoch: 4, lacking: [TWO] } });
});

test("a certificate that is refused for a moment is shown again", () => {
  const { finish, handle, pass } = open();
  for (const signer of [ONE, TWO, THREE]) finish(signer);
  const busy = problem("TooManySessions");
  expect(kinds(handle({ kind: "refused", signer: ONE, keyId: KEY, problem: busy }))).toEqual(["wake"]);
  expect(kinds(pass(1_000))).toEqual(SHOWS);
});

test("an epoch with a certificate is brought to all, even while a signer is away", () => {
  const { first } = open(held(NEW, waiting(TWO)), [ONE, TWO], [CERTIFICATE]);
  expect(kinds(first)).toEqual(["waiting", ...SHOWS]);
});

test("an epoch that all hold alike is brought to all, by the receipts that they show", () => {
  expect(kinds(open(held(waiting(ONE), waiting(TWO), waiting(THREE))).first)).toEqual(SHOWS);
});

test.each<[string, ReadonlyMap<PartyIndex, HeldEpoch>]>([
  ["two hold alike", held(waiting(ONE), waiting(TWO), OLD)],
  ["one holds differently", held(waiting(ONE), waiting(TWO), waiting(THREE, 8))],
  ["one shows another's receipt of", held(waiting(ONE), waiting(TWO), waiting(TWO))],
])("an epoch that %s is left where it is, and the next attempt has a higher number", (_, known) => {
  const { first, asked } = open(known);
  expect(kinds(first)).toEqual(["call", "call", "call", "wake"]);
  expect(asked).toEqual([5]);
});

test("a certificate of another key, or one that not all signed, brings nobody anywhere", () => {
  const other = certificateBy(3, { subject: "key-b", from: 3, to: 4, digest: digestOf(7), session: SESSION });
  const { first } = open(held(OLD, OLD, OLD), testParties(3), [other, flipLastBit(CERTIFICATE)]);
  expect(kinds(first)).toEqual(["call", "call", "call", "wake"]);
});

test("nothing begins while a signer is away, and the reason names it", () => {
  const { first } = open(held(waiting(ONE), waiting(TWO)), [ONE, TWO]);
  expect(kinds(first)).toEqual(["failed", "closed"]);
  expect(failureOf(first)).toMatchObject({ problem: { details: { unavailable: ["signer-3"] } } });
});

test("a number that no honest signer can hold does not count", () => {
  const wild = {
    from: 3,
    epoch: 2 ** 32 - 2,
    session: EARLIER,
    digest: digestOf(7),
    receipt: new Uint8Array(64),
  };
  expect(open(held({ epoch: 3, pending: [wild] }, OLD, OLD)).asked).toEqual([4]);
  expect(open(held({ epoch: 2 ** 32 - 2, pending: [] }, OLD, OLD)).asked).toEqual([4]);
});

test("a signer that lost its disk after the certificate is not shown it again: all make another epoch", () => {
  const lost: HeldEpoch = { epoch: 0, pending: [] };
  const { first, asked } = open(held(NEW, NEW, lost), testParties(3), [CERTIFICATE]);
  expect(kinds(first)).toEqual(["call", "call", "call", "wake"]);
  expect(asked).toEqual([5]);
});

/** Signer 1 claims to lag behind, with a pending entry of the others' epoch. */
const lagging = (entry: Partial<PendingEpoch>): HeldEpoch => ({
  epoch: 3,
  pending: waiting(ONE).pending.map((pending) => ({ ...pending, ...entry })),
});

test.each<[string, Partial<PendingEpoch>]>([
  ["another session", { session: "00".repeat(32) }],
  ["no receipt of its own", { receipt: new Uint8Array(64) }],
  ["the receipt of another signer", { receipt: waiting(TWO).pending[0]?.receipt ?? new Uint8Array(0) }],
  ["another digest", { digest: digestOf(8) }],
])("a signer that claims with %s to lag is shown nothing, and the others hear of no end", (_, entry) => {
  const { first, asked } = open(held(lagging(entry), NEW, NEW), testParties(3), [CERTIFICATE]);
  expect(kinds(first)).toEqual(["call", "call", "call", "wake"]);
  expect(asked).toEqual([5]);
});

test("one signer that lags behind the epoch that is to change does not make the change a no-op", () => {
  const { first, asked } = open(held(waiting(ONE), NEW, NEW), testParties(3), [CERTIFICATE], 4);
  expect(kinds(first)).toEqual(["call", "call", "call", "wake"]);
  expect(asked).toEqual([5]);
});

test("a key that all signers have already brought to the next epoch needs nothing", () => {
  expect(open(held(NEW, NEW, NEW)).first).toEqual([
    { kind: "done", result: { keyId: KEY, epoch: 4, lacking: [] } },
    { kind: "closed" },
  ]);
});
