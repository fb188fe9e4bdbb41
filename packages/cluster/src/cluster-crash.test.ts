import { describe, expect, test } from "vitest";
import { signerStatus } from "./signer/signer.ts";
import { TestCluster } from "./testing/cluster.ts";
import { generateAuxiliaryOn, generateKeyOn, type SigningWish, signOn } from "./testing/drive.ts";
import { keyIdOf } from "./testing/fixtures.ts";

const EFFECTS_MAX = 200; // no run of one session has as many effects at one signer

/**
 * Runs a scenario once for every prefix of the effects of every signer: the signer dies before the effect, restarts
 * from what it stored, and the scenario must still come out right. The ledger throws when INV-2 or INV-4 breaks.
 */
const crashEverywhere = (open: () => TestCluster, scenario: (cluster: TestCluster) => void): number => {
  let crashes = 0;
  for (const signer of [1, 2, 3]) {
    for (let at = 0; at < EFFECTS_MAX; at++) {
      const cluster = open();
      const node = cluster.node(signer);
      node.diesAt = node.effectsDone + at;
      scenario(cluster);
      if (node.diesAt !== undefined) break; // it finished before: every prefix was tried
      crashes++;
    }
  }
  return crashes;
};

/** Restarts whoever died, a moment after. */
const reviving = (cluster: TestCluster, done: () => boolean): void => {
  cluster.until(() => {
    const dead = [...cluster.nodes.values()].filter(({ isAlive }) => !isAlive);
    if (dead.length > 0) {
      cluster.rest(500);
      cluster.restart(...dead.map(({ self }) => self));
    }
    return done();
  });
};

const TINY: SigningWish = { isTiny: true };

describe("a signer that dies before any one of its effects and restarts", () => {
  test("INV-2 INV-4 INV-5 in signing: never signs twice, and the cluster signs with a fresh session", () => {
    const open = () => new TestCluster({ seed: "crash", size: 3, threshold: 2, engine: "tiny" });
    const crashes = crashEverywhere(open, (cluster) => {
      const outcome = signOn(cluster, TINY);
      reviving(cluster, () => outcome.isClosed);
      expect(outcome.result).toBeDefined();
      expect(outcome.faults).toEqual([]);
    });
    expect(crashes).toBeGreaterThan(15);
  });

  test("INV-2 in signing by all: the quorum that needs the dead signer signs when it is back", () => {
    const open = () => new TestCluster({ seed: "crash-all", size: 3, threshold: 3, engine: "tiny" });
    const crashes = crashEverywhere(open, (cluster) => {
      const outcome = signOn(cluster, TINY);
      reviving(cluster, () => outcome.isClosed);
      expect(outcome.result?.quorum).toEqual([1, 2, 3]);
      const sessions = cluster.ledger.partials.map(({ signer, session }) => `${signer}/${session}`);
      expect(new Set(sessions).size).toBeLessThanOrEqual(3 * outcome.calls.length);
    });
    expect(crashes).toBeGreaterThan(30);
  });

  test("in key generation: the key is active everywhere, or nowhere and nothing is pending", () => {
    const open = () => new TestCluster({ seed: "crash-key", size: 3, threshold: 2, engine: "tiny" });
    const keyId = keyIdOf(2);
    const states = (cluster: TestCluster) =>
      [...cluster.nodes.values()].map(({ state }) =>
        state === undefined ? "dead" : signerStatus(state).keys.find((key) => key.keyId === keyId)?.state,
      );
    const seen = new Set<string>();
    const crashes = crashEverywhere(open, (cluster) => {
      const outcome = generateKeyOn(cluster, keyId);
      reviving(cluster, () => outcome.isClosed);
      const end = outcome.result === undefined ? undefined : "active";
      expect(states(cluster)).toEqual([end, end, end]);
      seen.add(String(end));
    });
    expect(crashes).toBeGreaterThan(15);
    expect(seen).toEqual(new Set(["active", "undefined"]));
  });

  test("in auxiliary generation: all signers end with the same epoch and digest", () => {
    const open = () =>
      new TestCluster({ seed: "crash-aux", size: 3, threshold: 2, engine: "tiny", records: "none" });
    const crashes = crashEverywhere(open, (cluster) => {
      const outcome = generateAuxiliaryOn(cluster);
      reviving(cluster, () => outcome.isClosed);
      for (const { state } of cluster.nodes.values()) {
        expect(state === undefined ? undefined : signerStatus(state).auxiliary).toEqual(outcome.result);
      }
    });
    expect(crashes).toBeGreaterThan(15);
  });
});
