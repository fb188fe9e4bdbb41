import { type PartyIndex, signEd25519 } from "@conclave/threshold";
import { insecurePartySecrets, seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { readCertificate } from "../../control/epoch-certificate.ts";
import { handoverBytes, writeHandover } from "../../control/epoch-handover.ts";
import { keyIdOf, rosterOf, START_MS, sign } from "../../testing/fixtures.ts";
import { certificateBy } from "../../testing/receipts.ts";
import type { CoordinatorEffect, KeyChangeResult } from "../effect.ts";
import { ASK_AGAIN_MS, KEY_CHANGE_ATTEMPT_MS } from "../limits.ts";
import { type KeyChangeStep, openKeyChangeCoordinator, stepKeyChangeCoordinator } from "./key-change.ts";

const KEY = keyIdOf(1);
const ROSTER = rosterOf(3);
const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const SESSION = new Uint8Array(32).fill(0xab);
const DIGEST = new Uint8Array(32).fill(7);
const CERTIFICATE = certificateBy(3, { subject: KEY, from: 3, to: 4, digest: DIGEST, session: SESSION });

const handover = (signer: PartyIndex, by = signer, sinceMs = 1): Uint8Array => {
  const known = { sinceMs, latestMs: 2, requests: [] };
  const bytes = handoverBytes(ROSTER, signer, { subject: KEY, to: 4, session: SESSION }, known);
  return writeHandover({
    signer,
    ...known,
    signature: signEd25519(bytes, insecurePartySecrets(by).identity),
  });
};

/** A coordinator that shows the certificate of an earlier one, for a key that two of the three signers held before. */
const open = () => {
  const receipt = readCertificate(ROSTER, CERTIFICATE)?.receipts[2]?.signature ?? expect.fail("all signed");
  const pending = [{ from: 3, epoch: 4, session: "ab".repeat(32), digest: DIGEST, receipt }];
  const held = new Map(testParties(3).map((party) => [party, { epoch: 3, pending }] as const));
  const config = {
    roster: ROSTER,
    keyId: KEY,
    epoch: 3,
    change: () => ({ kind: "key-refresh", authorisation: sign(new Uint8Array(0)) }) as const,
    entropy: seededEntropy("wanted handovers"),
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
    unixAheadMs: () => 0,
  } as const;
  const known = { live: testParties(3), held, certificates: [CERTIFICATE] };
  let step: KeyChangeStep = openKeyChangeCoordinator(config, known, START_MS);
  const handle = (event: Parameters<typeof stepKeyChangeCoordinator>[1], nowMs = START_MS) => {
    step = stepKeyChangeCoordinator(step.state, event, nowMs);
    return step.effects;
  };
  return {
    first: step.effects,
    wait: (signer: PartyIndex, given?: Uint8Array) =>
      handle({
        kind: "switched",
        signer,
        keyId: KEY,
        epoch: 3,
        isWaiting: true,
        ...(given && { handover: given }),
      }),
    go: (signer: PartyIndex) => handle({ kind: "switched", signer, keyId: KEY, epoch: 4 }),
    away: (signer: PartyIndex) => handle({ kind: "unanswered", signer, keyId: KEY }),
    tick: () => handle({ kind: "tick" }, START_MS + ASK_AGAIN_MS),
  };
};

const kinds = (effects: readonly { readonly kind: string }[]) => effects.map(({ kind }) => kind);

/** The signers that are shown a certificate, and whose handovers it has. */
const shown = (effects: readonly CoordinatorEffect<KeyChangeResult>[]) =>
  effects.flatMap((effect) =>
    effect.kind === "switch"
      ? [
          [
            effect.signer,
            readCertificate(ROSTER, effect.certificate)?.handovers.map(({ signer }) => signer),
          ] as const,
        ]
      : [],
  );

describe("INV-4 a coordinator of a key that gets other holders", () => {
  test("shows the certificate again, with all handovers, to those that wait, once everybody has answered", () => {
    const { first, wait, go } = open();
    expect(shown(first)).toEqual([
      [ONE, []],
      [TWO, []],
      [THREE, []],
    ]);
    expect(shown(wait(THREE))).toEqual([]);
    expect(shown(wait(ONE, handover(ONE)))).toEqual([]);
    expect(shown(wait(TWO, handover(TWO)))).toEqual([
      [THREE, [ONE, TWO]],
      [ONE, [ONE, TWO]],
      [TWO, [ONE, TWO]],
    ]);
    expect([go(ONE), go(TWO)]).toEqual([[], []]);
    expect(go(THREE)[0]).toEqual({ kind: "done", result: { keyId: KEY, epoch: 4, lacking: [] } });
  });

  test("waits no longer for a signer that does not answer", () => {
    const { wait, away } = open();
    wait(ONE, handover(ONE));
    wait(THREE);
    expect(shown(away(TWO))).toEqual([
      [ONE, [ONE]],
      [THREE, [ONE]],
    ]);
  });

  test("shows no handover that is not the signer's own, or not signed by it", () => {
    const { wait, tick } = open();
    wait(ONE, handover(ONE));
    wait(THREE, new Uint8Array(3));
    expect(shown(wait(TWO, handover(ONE))).map(([, by]) => by)).toEqual([[ONE], [ONE], [ONE]]);
    expect(shown(wait(TWO, handover(TWO, THREE)))).toEqual([]);
    expect(shown(tick()).map(([, by]) => by)).toEqual([[ONE], [ONE], [ONE]]);
  });

  test("keeps the first handover of a signer: one that gave its share up afterwards knows less", () => {
    const { wait, tick } = open();
    wait(ONE, handover(ONE));
    wait(TWO, handover(TWO));
    wait(ONE, handover(ONE, ONE, 9));
    const [effect] = tick();
    const handovers =
      effect?.kind === "switch" ? readCertificate(ROSTER, effect.certificate)?.handovers : undefined;
    expect(handovers?.map(({ sinceMs }) => sinceMs)).toEqual([1, 1]);
  });

  test("counts a signer that waits neither as gone over nor as lacking", () => {
    const { wait, go } = open();
    wait(ONE, handover(ONE));
    wait(TWO, handover(TWO));
    go(ONE);
    go(TWO);
    expect(kinds(wait(THREE))).not.toContain("done");
    expect(go(THREE)[0]).toMatchObject({ kind: "done", result: { lacking: [] } });
  });
});
