import { encode, evidenceCodec, NO_MATERIAL, Secret } from "@conclave/threshold";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import type { ComputeResult } from "./compute/task.ts";
import type { SessionReport } from "./control/report.ts";
import { ASK_SPENDING_MS } from "./signer/limits.ts";
import { AUXILIARY_ID, RECORDS, UnreadableRecord } from "./signer/records/record.ts";
import { signerStatus } from "./signer/signer.ts";
import type { ClusterOptions } from "./testing/cluster.ts";
import { TestCluster } from "./testing/cluster.ts";
import { generateAuxiliaryOn, presignOn, stockOn } from "./testing/drive.ts";
import { authoriseAuxiliary, KEY_ID } from "./testing/fixtures.ts";
import { openAlone } from "./testing/signer-input.ts";

const CHECK = "presign/2 Πaff-g of D";
const CULPRIT = testParty(2);
const RECORD = "quarantine/2";
const EFFECTS_MAX = 200; // above the number of effects at one signer in each run here
const WEEK_MS = 7 * 24 * 60 * 60_000;

/** A cluster of three in which signer 1 finds a failed check of signer 2 in their next session. */
const catching = (check = CHECK, culprit = CULPRIT) => {
  const caught = { times: 0 };
  const damage: ClusterOptions["damage"] = (signer, result): ComputeResult => {
    if (signer !== 1 || result.kind !== "running" || caught.times !== 0) return result;
    caught.times += 1;
    const fault = { kind: "fault", culprit, check, messages: [], material: NO_MATERIAL } as const;
    return { kind: "fault", fault, send: [] };
  };
  const shape = { seed: "quarantine", size: 3, threshold: 2, engine: "tiny", damage } as const;
  return { cluster: new TestCluster(shape), caught };
};

const quarantinedAt = (cluster: TestCluster, signer = 1) => {
  const { state } = cluster.node(signer);
  return state === undefined ? expect.fail("the signer is alive") : signerStatus(state).quarantined;
};

/** Makes signer 1 catch signer 2, and returns all reports of signer 1 on its session. */
const caughtIn = (cluster: TestCluster): readonly SessionReport[] => {
  const said: SessionReport[] = [];
  cluster.speak = (signer, report) => {
    if (signer === 1) said.push(report);
    return report;
  };
  const outcome = presignOn(cluster, [1, 2], "caught");
  cluster.until(() => outcome.isClosed);
  cluster.rest(100);
  return said;
};

/** The first report of signer 1 on a presigning with another signer. */
const answerTo = (cluster: TestCluster, peer: number, seed: string): SessionReport | undefined => {
  const { heard } = cluster.call(1, (call) => ({
    kind: "presigning",
    call,
    session: testSessionId(seed),
    quorum: [1, peer],
    keyId: KEY_ID,
    expiresAtMs: cluster.world.nowMs() + 5_000,
  }));
  cluster.rest(50);
  return heard[0];
};

const PEER_FAULT = { kind: "refusal", problem: { code: "PeerFault", details: { culprit: CULPRIT } } };
const BEGUN = { kind: "progress" };

describe("P15 a signer that proved a peer to cheat", () => {
  test("signs nothing with it, a week later and after a restart, and signs with others", () => {
    const { cluster } = catching();
    caughtIn(cluster);
    expect(answerTo(cluster, 2, "at once")).toMatchObject(PEER_FAULT);
    cluster.rest(60 * 60_000);
    expect(answerTo(cluster, 2, "an hour later")).toMatchObject(PEER_FAULT);
    cluster.kill(1);
    cluster.node(1).clockAheadMs = WEEK_MS;
    cluster.restart(1);
    cluster.node(1).clockAheadMs = 0;
    expect(answerTo(cluster, 2, "after a restart")).toMatchObject(PEER_FAULT);
    expect(answerTo(cluster, 3, "with another")).toMatchObject(BEGUN);
  });

  test("says with whom it does not sign, for which evidence, and of which auxiliary information", () => {
    const { cluster } = catching();
    const fault = caughtIn(cluster).at(-1);
    const evidence = fault?.kind === "fault" ? fault.evidence : expect.fail("signer 1 reports the fault");
    const digest = bytesToHex(sha256(encode(evidenceCodec, evidence)));
    const [shown, ...others] = quarantinedAt(cluster);
    expect(others).toEqual([]);
    expect(shown).toEqual({
      signer: CULPRIT,
      check: CHECK,
      evidence: digest,
      auxiliaryEpoch: 1,
      provenAtMs: expect.any(Number),
    });
    expect(quarantinedAt(cluster, 3)).toEqual([]);
  });

  test("keeps to its first proof when the peer cheats again in what takes all signers", () => {
    const { cluster, caught } = catching();
    caughtIn(cluster);
    const before = quarantinedAt(cluster);
    caught.times = 0;
    const renewed = generateAuxiliaryOn(cluster, "cheated again", 1);
    cluster.until(() => caught.times > 0);
    cluster.rest(100);
    renewed.die();
    expect(quarantinedAt(cluster)).toEqual(before);
  });

  test("ends its other sessions with it, and burns what they made together, and nothing with others", () => {
    const { cluster, caught } = catching();
    caught.times = 1; // signer 1 does not find the cheat yet
    stockOn(cluster, [
      [1, 2],
      [1, 3],
    ]);
    cluster.wire = () => []; // so that sessions stay open
    const asked = [2, 3].map((peer) =>
      cluster.call(1, (call) => ({
        kind: "presigning",
        call,
        session: testSessionId(`under way with ${peer}`),
        quorum: [1, peer],
        keyId: KEY_ID,
        expiresAtMs: cluster.world.nowMs() + 60_000,
      })),
    );
    const renewal = cluster.call(1, (call) => ({
      kind: "auxiliary",
      call,
      session: testSessionId("a renewal under way"),
      epoch: 2,
      authorisation: authoriseAuxiliary(1, 2, [1, 2, 3]),
      expiresAtMs: cluster.world.nowMs() + 60_000,
    }));
    cluster.rest(100);
    caught.times = 0;
    caughtIn(cluster);
    const words = [...asked, renewal].map(({ heard }) => heard.at(-1));
    expect(words).toMatchObject([PEER_FAULT, BEGUN, BEGUN]);
    const { state } = cluster.node(1);
    expect(state && signerStatus(state).pool).toMatchObject({ ready: 1, burnt: 1 });
  });

  test("has that on its disk before anybody hears of the fault, whenever it loses power", () => {
    const seen = new Set<string>();
    for (let at = 0; at < EFFECTS_MAX; at += 1) {
      const { cluster } = catching();
      const node = cluster.node(1);
      node.diesAt = node.effectsDone + at;
      node.losesPower = true;
      const isReported = caughtIn(cluster).some(({ kind }) => kind === "fault");
      if (node.diesAt !== undefined) break; // the session ended before this effect: every effect was tried
      const isStored = node.records.has(RECORD);
      if (isReported) expect(isStored).toBe(true);
      cluster.restart(1);
      expect(quarantinedAt(cluster)).toHaveLength(isStored ? 1 : 0);
      seen.add(`${isStored ? "stored" : "not stored"}, ${isReported ? "reported" : "not reported"}`);
    }
    expect(seen).toEqual(new Set(["not stored, not reported", "stored, not reported", "stored, reported"]));
  });

  test("signs with it again once new auxiliary information is active, and at no moment before, whenever it loses power", () => {
    const seen = new Set<string>();
    for (let at = 0; at < EFFECTS_MAX; at += 1) {
      const { cluster } = catching();
      caughtIn(cluster);
      const node = cluster.node(1);
      node.diesAt = node.effectsDone + at;
      node.losesPower = true;
      const renewed = generateAuxiliaryOn(cluster, "renewal", 1);
      cluster.until(() => renewed.isClosed || !node.isAlive);
      const isOver = node.isAlive;
      node.diesAt = undefined;
      const value = node.records.get(RECORDS.auxiliary.name(AUXILIARY_ID)) ?? expect.fail("it has some");
      const { epoch } = RECORDS.auxiliary.read({ record: AUXILIARY_ID, value });
      expect(node.records.has(RECORD)).toBe(epoch === 1);
      seen.add(`${epoch}`);
      renewed.die(); // so the certificate is not shown any more
      if (!isOver) cluster.restart(1);
      cluster.rest(ASK_SPENDING_MS);
      expect(answerTo(cluster, 2, "again")).toMatchObject(epoch === 1 ? PEER_FAULT : BEGUN);
      if (isOver) break;
    }
    expect(seen).toEqual(new Set(["1", "2"]));
  });

  test("signs with it again when its operator lifts that by the digest of this evidence, and by no other", () => {
    const { cluster } = catching();
    caughtIn(cluster);
    const { state, records } = cluster.node(1);
    const config = state?.config ?? expect.fail("it is alive");
    const [{ evidence = "" } = {}] = quarantinedAt(cluster);
    const stored = [...records].map(([record, value]) => ({ record, value }));
    const openedBy = (...liftedEvidence: readonly string[]) =>
      openAlone({ ...config, liftedEvidence }, stored, (record) => records.get(record));
    const others = openedBy("ab".repeat(32), evidence.slice(1), "");
    expect(signerStatus(others.state).quarantined).toHaveLength(1);
    expect(others.effects.filter(({ kind }) => kind === "batch")).toEqual([]);
    const lifted = openedBy("ab".repeat(32), evidence);
    expect(signerStatus(lifted.state).quarantined).toEqual([]);
    expect(lifted.effects).toContainEqual({ kind: "batch", puts: [], erases: [RECORD], sync: true });
  });
});

describe("a signer that blames a peer for what nobody else can check (INV-7)", () => {
  test.each(["round 2: sealed message does not open", "keygen/2 Feldman check of the share"])(
    "signs with it again: %s",
    (check) => {
      const { cluster } = catching(check);
      caughtIn(cluster);
      expect(quarantinedAt(cluster)).toEqual([]);
      expect(cluster.node(1).records.has(RECORD)).toBe(false);
      expect(answerTo(cluster, 2, "again")).toMatchObject(BEGUN);
    },
  );
});

test("a signer that finds itself the culprit, since its peers heard two things of it, signs with all of them", () => {
  const { cluster } = catching("round 3: different broadcasts to different parties", testParty(1));
  expect(caughtIn(cluster).at(-1)).toMatchObject({ kind: "fault", evidence: { accused: 1 } });
  expect(quarantinedAt(cluster)).toEqual([]);
  expect(answerTo(cluster, 2, "again")).toMatchObject(BEGUN);
});

test.each(["quarantine/0", "quarantine/65", "quarantine/x", "quarantine/"])(
  "a record that names no signer, %s, is of no version that is known",
  (record) => {
    const { cluster } = catching();
    const { state } = cluster.node(1);
    const config = state?.config ?? expect.fail("it is alive");
    const value = new Secret(new Uint8Array(0));
    expect(() => openAlone(config, [{ record, value }], () => undefined)).toThrow(UnreadableRecord);
  },
);
