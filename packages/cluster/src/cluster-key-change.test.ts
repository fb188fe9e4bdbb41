import { testSessionId } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { ASK_SPENDING_MS } from "./signer/limits.ts";
import { RECORDS } from "./signer/records/record.ts";
import { signerStatus } from "./signer/signer.ts";
import { cheating } from "./testing/cheats.ts";
import { TestCluster } from "./testing/cluster.ts";
import { listingsOf, presignOn, signOn, stockOn } from "./testing/drive.ts";
import { heldEpochs, refreshOn, reshareOn } from "./testing/drive-key-change.ts";
import { authoriseTransfer, KEY_ID, transactionOf } from "./testing/fixtures.ts";
import { FROST_KEYS, frostPublicKey } from "./testing/frost-records.ts";
import { loseKey } from "./testing/held-keys.ts";
import { messageCluster, signMessageOn } from "./testing/message-drive.ts";
import { certificateAmong } from "./testing/receipts.ts";

const open = (seed: string) => new TestCluster({ seed, size: 3, threshold: 2 });

const epochsOf = (cluster: TestCluster) => [...heldEpochs(cluster).values()].map(({ epoch }) => epoch);
const nothingNext = (cluster: TestCluster) =>
  [...heldEpochs(cluster).values()].every(({ pending }) => pending.length === 0);

/** All that a signer stores, in clear. */
const storedBy = (cluster: TestCluster, signer: number): string =>
  [...cluster.node(signer).records.values()].map((value) => Buffer.from(value.reveal()).toString()).join();

const shareOf = (cluster: TestCluster, signer: number): string => {
  const record = RECORDS.key.name(KEY_ID);
  const value = cluster.node(signer).records.get(record);
  if (value === undefined) throw new Error("no key");
  return bytesToHex(RECORDS.key.read({ record, value }).share.reveal());
};

describe("a refresh with real cryptography", () => {
  test("gives every signer a new share of the same key, keeps nothing of the old one, and burns all presignatures", () => {
    const cluster = open("refresh");
    stockOn(cluster, [
      [1, 2],
      [2, 3],
    ]);
    const old = [1, 2, 3].map((signer) => shareOf(cluster, signer));
    const changed = refreshOn(cluster);
    cluster.until(() => changed.isClosed);
    expect(changed.result).toEqual({ keyId: KEY_ID, epoch: 2, lacking: [] });
    expect(epochsOf(cluster)).toEqual([2, 2, 2]);
    for (const [at, share] of old.entries()) expect(storedBy(cluster, at + 1)).not.toContain(share);
    expect([...listingsOf(cluster).values()].flat()).toEqual([]);
    for (const { state } of cluster.nodes.values()) {
      expect(state === undefined ? 0 : signerStatus(state).pool.burnt).toBeGreaterThan(0);
    }
    const signed = signOn(cluster); // verified under the unchanged public key
    cluster.until(() => signed.isClosed);
    expect(signed.result?.attempts).toBe(1);
  });

  test("INV-7 names a signer that cheats, and the old epoch goes on signing", () => {
    const cluster = open("refresh-cheat");
    cluster.wire = cheating(3, ({ round, kind }) => round === 2 && kind === 1);
    const changed = refreshOn(cluster);
    cluster.until(() => changed.isClosed);
    expect(changed.problem).toMatchObject({ code: "KeyChangeFailed", details: { signer: "signer-3" } });
    expect(new Set(changed.faults.map(({ verdict }) => verdict.culprit))).toEqual(new Set([3]));
    expect(epochsOf(cluster)).toEqual([1, 1, 1]);
    expect(nothingNext(cluster)).toBe(true);
    const signed = signOn(cluster);
    cluster.until(() => signed.isClosed);
    expect(signed.result?.quorum).toEqual([1, 2]);
  });

  /** Signer 3 misses the activation of a refresh, and comes back in the earlier epoch. */
  const lagging = (seed: string): TestCluster => {
    const cluster = open(seed);
    const changed = refreshOn(cluster);
    cluster.until(() => [...heldEpochs(cluster).values()].every(({ pending }) => pending.length > 0));
    cluster.kill(3);
    cluster.until(() => epochsOf(cluster).join() === "2,2");
    changed.die();
    cluster.rest(50); // commands to the dead signer that are still under way are lost
    cluster.restart(3);
    cluster.rest(ASK_SPENDING_MS);
    expect(epochsOf(cluster)).toEqual([2, 2, 1]);
    return cluster;
  };

  test("a signer in the epoch before costs a signature no deadline: it says so, others sign, and the report names it", () => {
    const cluster = lagging("behind");
    const timed = ["1", "2", "3"].map((seed, at) => {
      const fromMs = cluster.world.nowMs();
      const signed = signOn(cluster, { seed, request: at + 1 });
      cluster.until(() => signed.isClosed);
      expect([signed.result?.quorum, signed.faults]).toEqual([[1, 2], []]);
      return { ms: cluster.world.nowMs() - fromMs, attempts: signed.result?.attempts ?? 0, ...signed };
    });
    expect(Math.max(...timed.map(({ attempts }) => attempts))).toBeGreaterThan(1);
    for (const { attempts, behind } of timed) {
      expect(behind).toEqual(Array.from({ length: attempts - 1 }, () => ({ signer: 3, keyId: KEY_ID })));
    }
    expect(Math.max(...timed.map(({ ms }) => ms))).toBeLessThan(2_000);
  });

  test("a presignature with a signer in the epoch before is given up at once, and its quorum is not tried again", () => {
    const cluster = lagging("behind-presigning");
    const fromMs = cluster.world.nowMs();
    const made = presignOn(cluster, [2, 3]);
    cluster.until(() => made.isClosed);
    expect(made.problem?.message).toContain("different epochs");
    expect(made.behind).toEqual([{ signer: 3, keyId: KEY_ID }]);
    expect(cluster.world.nowMs() - fromMs).toBeLessThan(2_000);
  });

  test("old and new shares do not sign together: while one signer lags behind, the others sign without it", () => {
    const cluster = lagging("lagging");
    const signed = signOn(cluster);
    cluster.until(() => signed.isClosed);
    expect(signed.result?.quorum).toEqual([1, 2]);
    expect(signed.faults).toEqual([]);
    const resumed = refreshOn(cluster, { seed: "2" });
    cluster.until(() => resumed.isClosed);
    expect(resumed.result?.lacking).toEqual([]);
    expect(resumed.calls).toEqual([]);
    expect(epochsOf(cluster)).toEqual([2, 2, 2]);
  });
});

test("an activation ends what is being signed with the old share: nothing is signed with it afterwards", () => {
  const cluster = open("activated in mid-signature");
  const changed = refreshOn(cluster);
  cluster.until(() => [...heldEpochs(cluster).values()].every(({ pending }) => pending.length > 0));
  changed.die();
  const expiresAtMs = cluster.world.nowMs() + 20_000;
  const signing = [1, 2].map((signer) =>
    cluster.call(signer, (call) => ({
      kind: "signing",
      call,
      session: testSessionId("old share"),
      quorum: [1, 2],
      keyId: KEY_ID,
      authorisation: authoriseTransfer(1),
      unsigned: transactionOf(7),
      presignatures: [],
      dead: undefined,
      expiresAtMs,
    })),
  );
  cluster.until(() => signing.every(({ heard }) => heard.some(({ kind }) => kind === "progress")));
  const certificate = certificateAmong(cluster);
  if (certificate === undefined) throw new Error("all hold the new epoch");
  for (const signer of [1, 2, 3])
    cluster.call(signer, (call) => ({ kind: "switch-epoch", call, certificate }));
  cluster.rest(20_000);
  expect(epochsOf(cluster)).toEqual([2, 2, 2]);
  expect(signing.map(({ heard }) => heard.at(-1)?.kind)).toEqual(["failure", "failure"]);
  expect(cluster.ledger.partials).toEqual([]);
});

describe("a reshare with real cryptography", () => {
  test("gives a signer that lost its disk a share again, with which it signs", () => {
    const cluster = open("reshare");
    cluster.kill(3);
    loseKey(cluster.node(3).records, KEY_ID);
    cluster.restart(3);
    expect(epochsOf(cluster)).toEqual([1, 1, 0]);
    const changed = reshareOn(cluster, [1, 2]);
    cluster.until(() => changed.isClosed);
    expect(changed.result).toEqual({ keyId: KEY_ID, epoch: 2, lacking: [] });
    expect(epochsOf(cluster)).toEqual([2, 2, 2]);
    cluster.kill(1);
    const signed = signOn(cluster);
    cluster.until(() => signed.isClosed);
    expect(signed.result?.quorum).toEqual([2, 3]);
  });

  test("fails at once, and says who is missing, while a signer is down", () => {
    const cluster = open("reshare-down");
    cluster.kill(3);
    const changed = reshareOn(cluster, [1, 2]);
    expect(changed.problem).toMatchObject({ details: { unavailable: ["signer-3"] } });
    expect(changed.calls).toEqual([]);
  });
});

describe.each(FROST_KEYS)("a key of $scheme", (key) => {
  test("is refreshed and reshared like any other, and signs messages in each epoch", () => {
    const cluster = messageCluster({ seed: `change ${key.scheme}` });
    const { size } = cluster.nodes;
    const wish = { keyId: key.keyId, publicKey: frostPublicKey(size, 3, key) };
    const refreshed = refreshOn(cluster, { key: wish });
    cluster.until(() => refreshed.isClosed);
    expect(refreshed.result).toEqual({ keyId: key.keyId, epoch: 2, lacking: [] });
    cluster.kill(5);
    loseKey(cluster.node(5).records, key.keyId);
    cluster.restart(5);
    const reshared = reshareOn(cluster, [1, 2, 3], { epoch: 2, seed: "2", key: wish });
    cluster.until(() => reshared.isClosed);
    expect([...heldEpochs(cluster, key.keyId).values()].map(({ epoch }) => epoch)).toEqual([3, 3, 3, 3, 3]);
    cluster.kill(1, 2);
    const signed = signMessageOn(cluster, { key });
    cluster.until(() => signed.isClosed);
    expect(signed.result?.quorum).toEqual([3, 4, 5]);
  });
});
