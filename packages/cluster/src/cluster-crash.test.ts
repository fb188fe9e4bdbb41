import { testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { inventoryOf } from "./coordinator/presigning/inventory.ts";
import { signerStatus } from "./signer/signer.ts";
import { TestCluster } from "./testing/cluster.ts";
import { crashEverywhere, type Death, reviving } from "./testing/crashes.ts";
import {
  generateAuxiliaryOn,
  generateKeyOn,
  listingsOf,
  presignOn,
  type SigningWish,
  signOn,
  stockOn,
} from "./testing/drive.ts";
import { authoriseTransfer, KEY_ID, keyIdOf, transactionOf } from "./testing/fixtures.ts";
import { allHeldKeys } from "./testing/held-keys.ts";
import { messageCluster, signMessageOn } from "./testing/message-drive.ts";

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
      [...cluster.nodes.values()].map((node) =>
        !node.isAlive ? "dead" : allHeldKeys(node).find((key) => key.keyId === keyId)?.state,
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
        const held = state === undefined ? undefined : signerStatus(state).auxiliary;
        expect(held).toEqual({ ...outcome.result, pending: [] });
      }
    });
    expect(crashes).toBeGreaterThan(15);
  });

  test("INV-2 INV-7 in signing a message: no two signature shares for one pair of nonces, and nobody is blamed", () => {
    const open = () => messageCluster({ seed: "crash-message", size: 3, threshold: 2 });
    const crashes = crashEverywhere(open, (cluster) => {
      const outcome = signMessageOn(cluster);
      reviving(cluster, () => outcome.isClosed); // the ledger throws when a signer sends two different messages in one run
      expect(outcome.result).toBeDefined();
      expect(outcome.faults).toEqual([]);
    });
    expect(crashes).toBeGreaterThan(15);
  });

  test("INV-2 in presigning: a presignature is reported when all hold it, and what a signer made before its death is never used", () => {
    const open = () => new TestCluster({ seed: "crash-presign", size: 3, threshold: 2, engine: "tiny" });
    const crashes = crashEverywhere(open, (cluster) => {
      const outcome = presignOn(cluster, [1, 2]);
      const [doomed] = [1, 2].filter((signer) => cluster.node(signer).diesAt !== undefined);
      reviving(cluster, () => outcome.isClosed);
      cluster.rest(1_000);
      const hasDied = doomed !== undefined && cluster.node(doomed).diesAt === undefined;
      const held = inventoryOf(listingsOf(cluster), cluster.world.nowMs()).map(({ id }) => id);
      if (hasDied) expect(held).toEqual([]);
      else if (outcome.result !== undefined) expect(held).toEqual([outcome.result.id]);
      const signed = signOn(cluster, { ...TINY, presignatures: outcome.result ? [outcome.result] : [] });
      cluster.until(() => signed.isClosed);
      expect(signed.result).toBeDefined();
    });
    expect(crashes).toBeGreaterThan(10);
  });

  test.each<Death>(["process", "power"])(
    "INV-2 INV-4 P6 in an online round of the pool, of a failure of its %s: no presignature meets two digests",
    (death) => {
      let presignatures: ReturnType<typeof stockOn> = [];
      const open = () => {
        const cluster = new TestCluster({ seed: "crash-pool", size: 3, threshold: 2, engine: "tiny" });
        presignatures = stockOn(cluster, [
          [1, 2],
          [1, 2],
        ]);
        return cluster;
      };
      const crashes = crashEverywhere(
        open,
        (cluster) => {
          const outcome = signOn(cluster, { ...TINY, presignatures });
          reviving(cluster, () => outcome.isClosed);
          expect(outcome.result).toBeDefined();
          const [{ id = "" } = {}] = presignatures;
          const tried = [1, 2].map((signer) =>
            cluster.call(signer, (call) => ({
              kind: "signing",
              call,
              session: testSessionId(`again/${signer}`),
              quorum: [1, 2],
              keyId: KEY_ID,
              authorisation: authoriseTransfer(2),
              unsigned: transactionOf(8),
              presignatures: [id],
              dead: undefined,
              expiresAtMs: cluster.world.nowMs() + 5_000,
            })),
          );
          cluster.rest(200); // the ledger throws when a signer signs a second digest
          expect(tried.some(({ heard }) => heard.at(-1)?.kind === "signed")).toBe(false);
        },
        death,
      );
      expect(crashes).toBeGreaterThan(10);
    },
  );
});
