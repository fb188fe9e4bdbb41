import { ENVELOPE_KIND, type Envelope, signEd25519 } from "@conclave/threshold";
import {
  insecurePartySecrets,
  insecurePeerKeys,
  testParty,
  testSessionId,
} from "@conclave/threshold/testing";
import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { type EpochTransition, receiptBytes } from "./control/epoch-certificate.ts";
import { agreementOf } from "./coordinator/auxiliary/agreement.ts";
import { certificateOf, switchEpoch } from "./signer/epoch/switch-epoch.ts";
import { signerStatus } from "./signer/signer.ts";
import { cheating } from "./testing/cheats.ts";
import { CONFIRMED_MS, TestCluster } from "./testing/cluster.ts";
import { generateAuxiliaryOn, listingsOf, signOn, stockOn } from "./testing/drive.ts";
import { heldEpochs, refreshOn } from "./testing/drive-key-change.ts";
import { authoriseKeyDiscard, KEY_ID, rosterOf } from "./testing/fixtures.ts";
import { certificateBy } from "./testing/receipts.ts";

const HONEST = [2, 3, 4, 5];

const epochsOf = (cluster: TestCluster) => [...heldEpochs(cluster).values()].map(({ epoch }) => epoch);
const auxiliaryOf = (cluster: TestCluster) =>
  new Map(
    [...cluster.nodes].flatMap(([self, { state }]) =>
      state === undefined ? [] : [[self, signerStatus(state).auxiliary] as const],
    ),
  );

const PEER_FAULT = { kind: "refusal", problem: { code: "PeerFault", details: { culprit: 1 } } };

/** The first report of the second of these signers on a presigning with them. */
const begins = (cluster: TestCluster, quorum: readonly number[]) => {
  const nowMs = cluster.world.nowMs();
  const { heard } = cluster.call(quorum[1] ?? 0, (call) => ({
    kind: "presigning",
    call,
    session: testSessionId(`${quorum.join("-")} at ${nowMs}`),
    quorum,
    keyId: KEY_ID,
    expiresAtMs: nowMs + 5_000,
  }));
  cluster.until(() => heard.length > 0);
  return heard[0];
};

/** Expects that the others sign while the liar is silent. */
const expectSignedWithout = (cluster: TestCluster, liar: number): void => {
  cluster.kill(liar);
  const signed = signOn(cluster);
  cluster.until(() => signed.isClosed);
  expect(signed.result?.quorum).not.toContain(liar);
  expect(signed.faults).toEqual([]);
};

describe("one signer that lies, of five", () => {
  test("makes signers lose neither epoch nor pool: its bad Πfac to two of them leaves what is active as it was, though its status shows another digest", () => {
    const cluster = new TestCluster({ seed: "row 1" });
    stockOn(cluster, [[2, 3, 4]]);
    const shown = new Map(auxiliaryOf(cluster));
    const own = shown.get(testParty(1));
    if (own === undefined) throw new Error("there is auxiliary info");
    shown.set(testParty(1), { ...own, epoch: 8, digest: new Uint8Array(32) });
    expect(agreementOf(shown, 3)).toEqual({ epoch: 1, apart: [1] }); // so there is no reason to generate it anew

    const begun = [...cluster.nodes.keys()].map((signer) =>
      cluster.call(signer, (call) => ({
        kind: "auxiliary",
        call,
        session: testSessionId("without the authority"),
        epoch: 9,
        expiresAtMs: cluster.world.nowMs() + 60_000,
      })),
    );
    cluster.until(() => begun.every(({ heard }) => heard.length > 0));
    expect(begun.map(({ heard }) => heard[0]?.kind)).toEqual(Array.from({ length: 5 }, () => "refusal"));

    // signer 1 cheats in an authorised renewal too: 2 and 3 detect it, 4 and 5 hold the new epoch
    const isBad = ({ round, kind }: Envelope, to: number): boolean =>
      round === 3 && kind === ENVELOPE_KIND.direct && (to === 2 || to === 3);
    cluster.wire = cheating(1, isBad);
    const renewed = generateAuxiliaryOn(cluster, "1", 1);
    cluster.until(() => renewed.faults.length > 0);
    renewed.die();
    cluster.rest(1_000);
    expect(new Set(renewed.faults.map(({ verdict }) => verdict.culprit))).toEqual(new Set([1]));
    expect([...auxiliaryOf(cluster).values()].map(({ epoch }) => epoch)).toEqual([1, 1, 1, 1, 1]);
    expect([...listingsOf(cluster).values()].flat()).toHaveLength(3);
    cluster.rest(20 * 60_000);
    const caught = renewed.faults.map(({ reporter }) => reporter);
    for (const reporter of caught) expect(begins(cluster, [1, reporter, 5])).toMatchObject(PEER_FAULT);
    expect(begins(cluster, [1, 4, 5])).toMatchObject({ kind: "progress" });
    expectSignedWithout(cluster, 1);
  });
});

const RECEIPT_BYTES = 65; // index of the signer, and its signature

/**
 * Certificates that a lying orchestrator can show when signers 4 and 5 gave no receipt: their receipts are signed by
 * the liar, taken from other signers, or left out.
 */
const forgedOf = (transition: EpochTransition): readonly Uint8Array[] => {
  const whole = certificateBy(5, transition);
  const head = whole.slice(0, -2 * RECEIPT_BYTES);
  const { identity } = insecurePartySecrets(testParty(1));
  const byLiar = [4, 5].flatMap((signer) => [
    signer,
    ...signEd25519(receiptBytes(rosterOf(5), testParty(signer), transition), identity),
  ]);
  const ofOthers = whole.slice(-4 * RECEIPT_BYTES, -2 * RECEIPT_BYTES);
  return [Uint8Array.from([...head, ...byLiar]), Uint8Array.from([...head, ...ofOthers]), head];
};

describe("an orchestrator and one signer that lie together", () => {
  test("split no key between two epochs: a signer withholds its last echo from two others, and nothing that is shown to the rest activates the new shares", () => {
    const cluster = new TestCluster({ seed: "row 2" });
    const isLastEcho = ({ round, kind }: Envelope): boolean => round === 4 && kind === ENVELOPE_KIND.echo;
    cluster.wire = (transit) =>
      transit.from === 1 && isLastEcho(transit.envelope) && transit.to >= 4 ? [] : [transit];
    const changed = refreshOn(cluster);
    const pendingAt = (signer: number) => heldEpochs(cluster).get(signer)?.pending ?? [];
    cluster.until(() => pendingAt(2).length > 0 && pendingAt(3).length > 0);
    const [pending] = pendingAt(2);
    if (pending === undefined) throw new Error("signer 2 holds the next share");
    cluster.rest(60_000); // signers 4 and 5 wait until their deadline
    expect(changed.problem).toBeDefined();
    expect([4, 5].map((signer) => pendingAt(signer).length)).toEqual([0, 0]);

    const { from, epoch: to, digest, session } = pending;
    const transition = { subject: KEY_ID, from, to, digest, session: hexToBytes(session) };
    const certificates = forgedOf(transition);
    for (const signer of HONEST) {
      for (const certificate of certificates) {
        cluster.call(signer, (call) => ({ kind: "switch-epoch", call, certificate }));
      }
      cluster.call(signer, (call) => ({ kind: "activate-key", call, keyId: KEY_ID, epoch: to }));
      const authorisation = authoriseKeyDiscard(session);
      cluster.call(signer, (call) => ({ kind: "discard-key", call, keyId: KEY_ID, authorisation }));
    }
    cluster.rest(1_000);
    expect(epochsOf(cluster)).toEqual([1, 1, 1, 1, 1]);
    expect(pendingAt(2)).toHaveLength(1);

    // once the liar is repaired, the next attempt gets another number and succeeds everywhere
    cluster.wire = (transit) => [transit];
    const again = refreshOn(cluster, { seed: "2" });
    cluster.until(() => again.isClosed);
    expect(again.result).toEqual({ keyId: KEY_ID, epoch: 3, lacking: [] });
    expect(epochsOf(cluster)).toEqual([3, 3, 3, 3, 3]);
    expect(HONEST.flatMap(pendingAt)).toEqual([]);
    expectSignedWithout(cluster, 1);
  });

  test("leave no signer behind for good: a signer that was not shown the certificate follows when anybody shows it", () => {
    const cluster = new TestCluster({ seed: "withheld certificate" });
    const changed = refreshOn(cluster);
    cluster.until(() => [...heldEpochs(cluster).values()].every(({ pending }) => pending.length > 0));
    cluster.kill(4, 5); // so the certificate does not reach them
    cluster.until(() => epochsOf(cluster).every((epoch) => epoch === 2));
    changed.die();
    cluster.rest(50);
    cluster.restart(4, 5);
    cluster.rest(CONFIRMED_MS);
    expect(epochsOf(cluster)).toEqual([2, 2, 2, 1, 1]);
    const { state } = cluster.node(2);
    const certificate = state && certificateOf(state, KEY_ID);
    if (certificate === undefined) throw new Error("signer 2 keeps it");
    // also after another signer's identity was renewed, but not with an earlier identity of its own
    const { call: asked } = cluster.call(4, (call) => ({
      kind: "switch-epoch",
      call,
      certificate: certificate.slice(1),
    }));
    const answerAfterRenewalOf = (renewed: number) => {
      const { state: left } = cluster.node(4);
      const party = testParty(renewed);
      const member = left?.config.roster.get(party);
      if (left === undefined || member === undefined) throw new Error("signer 4 runs");
      const { identity } = insecurePeerKeys(testParty(9));
      const before = left.config.roster;
      const roster = new Map(before).set(party, { ...member, identity });
      const { effects } = switchEpoch(
        { ...left, config: { ...left.config, roster, past: [before] } },
        { kind: "switch-epoch", call: asked, certificate },
        cluster.world.nowMs(),
      );
      return JSON.stringify(effects.filter(({ kind }) => kind === "report"));
    };
    expect(answerAfterRenewalOf(4)).toContain("EpochCertificateInvalid");
    expect(answerAfterRenewalOf(3)).not.toContain("EpochCertificateInvalid");
    for (const signer of [4, 5])
      cluster.call(signer, (call) => ({ kind: "switch-epoch", call, certificate }));
    cluster.rest(100);
    expect(epochsOf(cluster)).toEqual([2, 2, 2, 2, 2]);
  });
});
