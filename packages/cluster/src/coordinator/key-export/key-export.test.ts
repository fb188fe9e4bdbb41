import { problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { type SessionKey, sessionKey } from "../../control/session-key.ts";
import { rosterOf, START_MS } from "../../testing/fixtures.ts";
import { authoriseExport, PASSING_KEY } from "../../testing/key-passage.ts";
import type { CoordinatorEffect, KeyExportResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { KEY_EXPORT_ATTEMPT_MS } from "../limits.ts";
import { openKeyExportCoordinator, stepKeyExportCoordinator } from "./key-export.ts";

type Effect = CoordinatorEffect<KeyExportResult>;
const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const PUBLIC_KEY = new Uint8Array(33).fill(2);

const sealed = (signer: number, change: Partial<Extract<SessionReport, { kind: "exported" }>> = {}) =>
  ({
    kind: "exported",
    keyId: PASSING_KEY,
    epoch: 1,
    envelope: Uint8Array.of(signer),
    publicKey: PUBLIC_KEY,
    ...change,
  }) as const;

const open = () => {
  const config = {
    roster: rosterOf(3),
    threshold: 2,
    keyId: PASSING_KEY,
    authorisation: authoriseExport(),
    entropy: seededEntropy("export"),
    attemptMs: KEY_EXPORT_ATTEMPT_MS,
    unixAheadMs: () => 0,
  };
  let step = openKeyExportCoordinator(config, { live: testParties(3) }, START_MS);
  let nowMs = START_MS;
  const call = step.effects.find((effect) => effect.kind === "call");
  const session: SessionKey | undefined = call?.kind === "call" ? sessionKey(call.session) : undefined;
  const handle = (event: CoordinatorEvent): readonly Effect[] => {
    step = stepKeyExportCoordinator(step.state, event, nowMs);
    return step.effects;
  };
  return {
    handle,
    say: (signer: PartyIndex, report: SessionReport): readonly Effect[] =>
      handle({ kind: "report", signer, session: session ?? expect.fail("nothing was asked"), report }),
    pass: (ms: number): readonly Effect[] => {
      nowMs += ms;
      return handle({ kind: "tick" });
    },
  };
};

const resultOf = (effects: readonly Effect[]) => {
  const done = effects.find((effect) => effect.kind === "done");
  return done?.kind === "done" ? [...done.result.envelopes.keys()] : undefined;
};
const problemOf = (effects: readonly Effect[]) => {
  const failed = effects.find((effect) => effect.kind === "failed");
  return failed?.kind === "failed" ? failed.problem : undefined;
};

test("waits for all live signers, and then passes on the envelope of each", () => {
  const { say } = open();
  expect(say(TWO, sealed(2))).toEqual([]);
  expect(say(ONE, sealed(1))).toEqual([]);
  expect(resultOf(say(THREE, sealed(3)))).toEqual([1, 2, 3]);
});

test("does not wait beyond its deadline for one that is not needed, and closes its stream", () => {
  const { say, pass } = open();
  say(ONE, sealed(1));
  say(THREE, sealed(3));
  const effects = pass(2 * KEY_EXPORT_ATTEMPT_MS);
  expect(resultOf(effects)).toEqual([1, 3]);
  expect(effects.map(({ kind }) => kind)).toEqual(["cancel", "done", "closed"]);
});

test("leaves out a share of another epoch: with the others it makes up no key", () => {
  const { say } = open();
  say(ONE, sealed(1));
  say(TWO, sealed(2, { epoch: 2 }));
  expect(resultOf(say(THREE, sealed(3)))).toEqual([1, 3]);
});

test("leaves out a share of another key", () => {
  const { say } = open();
  say(ONE, sealed(1, { publicKey: PUBLIC_KEY.with(4, 9) }));
  say(TWO, sealed(2));
  expect(resultOf(say(THREE, sealed(3)))).toEqual([2, 3]);
});

test.each<readonly [string, SessionReport]>([
  ["answers for another key", sealed(1, { keyId: "key-other" })],
  ["answers what was not asked", { kind: "presigned", id: "00", expiresAtMs: 1 }],
  ["fails", { kind: "failure", reason: "the deadline passed in export", silent: [] }],
])("goes on without a signer that %s, and names it when it was needed", (_, report) => {
  const fine = open();
  fine.say(ONE, report);
  fine.say(TWO, sealed(2));
  expect(resultOf(fine.say(THREE, sealed(3)))).toEqual([2, 3]);
  const short = open();
  short.say(ONE, report);
  short.say(TWO, sealed(2));
  const failed = problemOf(short.say(THREE, { kind: "refusal", problem: problem("KeyExportDisabled") }));
  expect(failed).toMatchObject({ code: "KeyExportFailed", details: { signer: "signer-1" } });
});

test("fails with what the first signer refused for, and by whom", () => {
  const { say } = open();
  say(ONE, sealed(1));
  say(TWO, { kind: "refusal", problem: problem("KeyExportDisabled") });
  const failed = problemOf(say(THREE, { kind: "refusal", problem: problem("KeyUnknown") }));
  expect(failed).toMatchObject({ code: "KeyExportDisabled", details: { signer: "signer-2" } });
});

test("closes its streams when it is asked to stop, and hears nothing more", () => {
  const { say, handle } = open();
  say(ONE, sealed(1));
  expect(handle({ kind: "stop" }).map(({ kind }) => kind)).toEqual(["cancel", "cancel", "closed"]);
  expect(say(TWO, sealed(2))).toEqual([]);
});
