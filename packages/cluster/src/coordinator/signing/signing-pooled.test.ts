import { type ErrorCode, problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { testParties, testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { KEY_ID, keyIdOf, START_MS } from "../../testing/fixtures.ts";
import { RIGHT_SIGNATURE, signingConfigOf } from "../../testing/signing-config.ts";
import type { CoordinatorEffect, SigningResult } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import {
  FINAL_REPORTS_MS,
  POOLED_ATTEMPT_MS,
  PRESIGNATURE_MARGIN_MS,
  SIGNING_ATTEMPT_MS,
} from "../limits.ts";
import type { ReadyPresignature } from "../presigning/inventory.ts";
import { blame, coolDown, type Standings } from "../standings.ts";
import { openSigningCoordinator, type SigningStep, stepSigningCoordinator } from "./signing.ts";

type Effect = CoordinatorEffect<SigningResult>;

const ready = (number: number, ...signers: readonly number[]): ReadyPresignature => ({
  id: String(number).padStart(64, "0"),
  keyId: KEY_ID,
  signers: signers.map(testParty),
  expiresAtMs: START_MS + 60 * PRESIGNATURE_MARGIN_MS,
});

const [a, b, c] = [ready(1, 1, 2, 3), ready(2, 3, 4, 5), ready(3, 1, 2, 5)];

const open = (
  presignatures: readonly ReadyPresignature[],
  { live = testParties(5), health = new Map() }: { live?: readonly PartyIndex[]; health?: Standings } = {},
) => {
  const config = signingConfigOf("pooled-coordinator");
  let step: SigningStep = openSigningCoordinator(config, { live, health, presignatures }, START_MS);
  const handle = (event: CoordinatorEvent, nowMs = START_MS): readonly Effect[] => {
    step = stepSigningCoordinator(step.state, event, nowMs);
    return step.effects;
  };
  const session = () => {
    const key = step.state.attempt?.key;
    if (key === undefined) throw new Error("no session runs");
    return key;
  };
  return {
    handle,
    refuse: (signer: number, code: ErrorCode) =>
      handle({
        kind: "report",
        signer: testParty(signer),
        session: session(),
        report: { kind: "refusal", problem: problem(code) },
      }),
    lose: (signer: number) => handle({ kind: "lost", signer: testParty(signer), session: session() }),
    sign: (signer: number) =>
      handle({
        kind: "report",
        signer: testParty(signer),
        session: session(),
        report: { kind: "signed", signatures: [RIGHT_SIGNATURE] },
      }),
    progress: (signer: number, nowMs: number) =>
      handle(
        {
          kind: "report",
          signer: testParty(signer),
          session: session(),
          report: { kind: "progress", stage: "sign/1" },
        },
        nowMs,
      ),
    path: () => step.state.attempt?.path,
    quorum: () => step.state.attempt?.quorum,
    left: () => step.state.presignatures.map(({ id }) => id),
    health: () => step.state.health,
    first: step.effects,
  };
};

const pooled = ({ id }: ReadyPresignature) => ({ kind: "pooled", presignatures: [id] });
const interactive = { kind: "interactive" };

test("a presignature of live signers comes first, its signers are the quorum, and the result says so", () => {
  const { first, path, quorum, sign, left } = open([a, b]);
  expect(first.filter(({ kind }) => kind === "call")).toMatchObject(
    [1, 2, 3].map((signer) => ({ signer, command: { presignatures: [a.id], quorum: [1, 2, 3] } })),
  );
  expect([path(), quorum()]).toEqual([pooled(a), a.signers]);
  expect(sign(1)).toContainEqual(
    expect.objectContaining({
      kind: "done",
      result: expect.objectContaining({ path: pooled(a), attempts: 1 }),
    }),
  );
  expect(left()).toEqual([b.id]);
});

test("without one the session is interactive, and its request names none", () => {
  const { first, path } = open([]);
  expect(path()).toEqual(interactive);
  const calls = first.filter((effect) => effect.kind === "call");
  expect(calls).toHaveLength(3);
  for (const { command } of calls) expect(command).toMatchObject({ kind: "signing", presignatures: [] });
});

test.each([
  ["dead", { live: [2, 3, 4, 5].map(testParty) }],
  ["cooling down", { health: coolDown(new Map(), testParty(1), START_MS) }],
  ["blamed", { health: blame(new Map(), testParty(1), START_MS) }],
])("one whose signer is %s is passed over", (_name, known) => {
  expect(open([a, b], known).path()).toEqual(pooled(b));
  expect(open([a, c], known).path()).toEqual(interactive);
});

test("one of another key, or too near its end, is passed over", () => {
  const others = [
    { ...a, keyId: keyIdOf(9) },
    { ...b, expiresAtMs: START_MS + PRESIGNATURE_MARGIN_MS },
  ];
  expect(open(others).path()).toEqual(interactive);
});

test("one whose signers never failed is preferred", () => {
  const health = coolDown(new Map(), testParty(1), START_MS - 60_000);
  expect(open([a, b], { health }).path()).toEqual(pooled(b));
});

test("INV-2 an id is never tried twice: after each failure the next one, then an interactive session, at once", () => {
  const { lose, path, left, refuse } = open([a, b, c]);
  lose(1);
  expect(path()).toEqual(pooled(b));
  refuse(4, "PresignatureSpent");
  expect(path()).toEqual(interactive);
  expect(left()).toEqual([c.id]); // signer 1 is away, so its presignature stays unused, for another request
});

test.each<ErrorCode>([
  "PresignatureUnknown",
  "PresignatureMismatch",
  "PresignatureSpent",
  "PresignatureReused",
  "PoolFull",
])("a refusal of the presignature (%s) leaves out nobody, and others are preferred to its sender", (code) => {
  const { refuse, path, health } = open([a, c]);
  refuse(1, code);
  expect(path()).toEqual(pooled(c));
  expect([...health().values()]).toMatchObject([
    { failures: 0, excludedUntilMs: 0, lastFailedAtMs: START_MS },
  ]);
});

test("a refusal of the request itself counts as ever", () => {
  const { refuse, path } = open([a, b, c]);
  refuse(1, "TransactionMismatch");
  expect(path()).toEqual(pooled(b));
  refuse(4, "TransactionMismatch");
  refuse(2, "TransactionMismatch");
  expect(path()).toBeUndefined();
});

test("a pooled attempt that stalls is given up long before an interactive one would be", () => {
  const { handle, path } = open([a]);
  expect(POOLED_ATTEMPT_MS).toBeLessThan(SIGNING_ATTEMPT_MS);
  const late = START_MS + POOLED_ATTEMPT_MS + FINAL_REPORTS_MS;
  handle({ kind: "tick" }, late - 1);
  expect(path()).toEqual(pooled(a));
  handle({ kind: "tick" }, late);
  expect(path()).not.toEqual(pooled(a));
});

test("a signer that answers late is measured, and the next signature takes a presignature without it", () => {
  const { progress, sign, health } = open([a]);
  for (const [signer, afterMs] of [
    [1, 10],
    [3, 12],
    [2, 900],
  ] as const) {
    progress(signer, START_MS + afterMs);
  }
  sign(1);
  expect(open([a, c, b], { health: health() }).path()).toEqual(pooled(b));
  expect(open([a], { health: health() }).path()).toEqual(pooled(a));
});
