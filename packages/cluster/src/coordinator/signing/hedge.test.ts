import { problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { testParties, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import type { SessionKey } from "../../control/session-key.ts";
import { KEY_ID, START_MS } from "../../testing/fixtures.ts";
import { RIGHT_SIGNATURE, signingConfigOf } from "../../testing/signing-config.ts";
import type { CoordinatorEffect, SigningResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { HEDGE_AFTER_MS, POOLED_ATTEMPT_MS, PRESIGNATURE_MARGIN_MS } from "../limits.ts";
import type { ReadyPresignature } from "../presigning/inventory.ts";
import { openSigningCoordinator, type SigningStep, stepSigningCoordinator } from "./signing.ts";

const WRONG = { ...RIGHT_SIGNATURE, r: 2n };
const PROGRESS: SessionReport = { kind: "progress", stage: "sign/1" };
const LATE_MS = START_MS + HEDGE_AFTER_MS;

const ready = (number: number, ...signers: readonly number[]): ReadyPresignature => ({
  id: String(number).padStart(64, "0"),
  keyId: KEY_ID,
  signers: signers.map(testParty),
  expiresAtMs: START_MS + 60 * PRESIGNATURE_MARGIN_MS,
});
const FIRST = ready(1, 1, 2, 3);
const BESIDE = ready(2, 1, 4, 5);

/** A request that begins with the first of these presignatures; records all effects of its coordinator. */
const request = (presignatures: readonly ReadyPresignature[]) => {
  const config = signingConfigOf("hedge");
  const known = { live: testParties(5), health: new Map(), presignatures };
  let step: SigningStep = openSigningCoordinator(config, known, START_MS);
  const effects: CoordinatorEffect<SigningResult>[] = [...step.effects];
  const handle = (event: CoordinatorEvent, nowMs: number): void => {
    step = stepSigningCoordinator(step.state, event, nowMs);
    effects.push(...step.effects);
  };
  const keyOf = (): SessionKey => step.state.attempt?.key ?? expect.fail("no session runs");
  const first = keyOf();
  return {
    first,
    keyOf,
    handle,
    say: (signer: number, report: SessionReport, session = keyOf(), nowMs = LATE_MS) =>
      handle({ kind: "report", signer: testParty(signer), session, report }, nowMs),
    look: (nowMs = LATE_MS) => handle({ kind: "tick" }, nowMs),
    state: () => step.state,
    result: () => effects.flatMap((effect) => (effect.kind === "done" ? [effect.result] : []))[0],
    /** signers with open sessions */
    open: (): readonly (readonly [PartyIndex, SessionKey])[] => {
      const { attempt, slow } = step.state;
      return [attempt, slow].flatMap((each) =>
        each === undefined ? [] : [...each.open].map((signer) => [signer, each.key] as const),
      );
    },
    closed: () => effects.flatMap((effect) => (effect.kind === "cancel" ? [effect.signer] : [])).sort(),
    called: () => effects.flatMap((effect) => (effect.kind === "call" ? [effect.signer] : [])),
  };
};

/** A request in which two of three signers wait for the third. */
const heldUp = (presignatures = [FIRST, BESIDE]) => {
  const asked = request(presignatures);
  for (const signer of [1, 2]) asked.say(signer, PROGRESS, asked.first, START_MS + 10);
  asked.look();
  return asked;
};

describe("a signer that holds an online round up", () => {
  test("has another quorum asked beside it, with a presignature of its own, and the first signature counts", () => {
    const asked = heldUp();
    expect(asked.called()).toEqual([1, 2, 3, 1, 4, 5]);
    expect(asked.state().presignatures).toEqual([]);
    asked.say(5, { kind: "signed", signatures: [RIGHT_SIGNATURE] });
    expect(asked.result()).toMatchObject({ quorum: [1, 4, 5], path: { presignatures: [BESIDE.id] } });
    expect(asked.closed()).toEqual([1, 1, 2, 3, 4]);
  });

  test("may still be the one that ends it", () => {
    const asked = heldUp();
    asked.say(3, { kind: "signed", signatures: [RIGHT_SIGNATURE] }, asked.first);
    expect(asked.result()).toMatchObject({ quorum: [1, 2, 3], path: { presignatures: [FIRST.id] } });
    expect(asked.closed()).toEqual([1, 1, 2, 4, 5]);
  });

  test("is avoided by the next requests, and left out of none", () => {
    const { health } = heldUp().state();
    expect(health.get(testParty(3))?.lag?.ms).toBeGreaterThan(400);
    expect(health.get(testParty(3))?.excludedUntilMs ?? 0).toBe(0);
  });

  test("costs one request one presignature more, and no third", () => {
    const asked = heldUp([FIRST, BESIDE, ready(3, 2, 4, 5)]);
    for (const signer of [1, 4]) asked.say(signer, PROGRESS, asked.keyOf(), LATE_MS + 10);
    asked.look(LATE_MS + HEDGE_AFTER_MS);
    expect(asked.called()).toHaveLength(6);
    expect(asked.state().presignatures).toHaveLength(1);
  });

  test("is waited for where every presignature needs it", () => {
    const asked = heldUp([FIRST, ready(2, 3, 4, 5)]);
    expect(asked.called()).toEqual([1, 2, 3]);
    expect(asked.state().presignatures).toHaveLength(1);
  });

  test("P6 cannot change the other session by its reports in the slow one", () => {
    for (const report of [
      { kind: "signed", signatures: [WRONG] },
      { kind: "refusal", problem: problem("PresignatureSpent") },
      { kind: "failure", reason: "the deadline passed", silent: [testParty(1)], phase: 0 },
    ] as const satisfies readonly SessionReport[]) {
      const asked = heldUp();
      asked.say(3, report, asked.first);
      expect(asked.result()).toBeUndefined();
      expect(asked.open().filter(([, session]) => session === asked.first)).toHaveLength(2);
      asked.say(4, { kind: "signed", signatures: [RIGHT_SIGNATURE] });
      expect(asked.result()?.quorum).toEqual([1, 4, 5]);
    }
  });

  test("leaves the slow session alone when the other fails over, and closes it when the request is stopped", () => {
    const asked = heldUp([FIRST, BESIDE, ready(3, 1, 2, 5)]);
    asked.handle({ kind: "lost", signer: testParty(4), session: asked.keyOf() }, LATE_MS + 10);
    expect(asked.open().filter(([, session]) => session === asked.first)).toHaveLength(3);
    asked.handle({ kind: "stop" }, LATE_MS + 20);
    expect(asked.open()).toEqual([]);
    expect(asked.closed().filter((signer) => signer === 3)).toEqual([3]);
  });
});

describe("an online round", () => {
  test("is not begun a second time while nobody or hardly anybody has answered: all are slow", () => {
    const nobody = request([FIRST, BESIDE]);
    nobody.look();
    expect(nobody.called()).toHaveLength(3);
    const one = request([FIRST, BESIDE]);
    one.say(1, PROGRESS, one.first, START_MS + 10);
    one.look();
    expect(one.called()).toHaveLength(3);
  });

  test("that is not begun twice is given up at its deadline as ever", () => {
    const asked = request([FIRST, BESIDE]);
    asked.look();
    asked.look(START_MS + POOLED_ATTEMPT_MS);
    expect(asked.closed()).toEqual([]);
    asked.look(START_MS + 2 * POOLED_ATTEMPT_MS);
    expect(asked.closed()).toEqual([1, 2, 3]);
    expect(asked.called()).toHaveLength(3);
  });
});
