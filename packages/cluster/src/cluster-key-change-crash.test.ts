import type { PartyIndex } from "@conclave/threshold";
import { describe, expect, test } from "vitest";
import type { KeyChangeResult } from "./coordinator/effect.ts";
import { type Outcome, TestCluster } from "./testing/cluster.ts";
import { reviving } from "./testing/crashes.ts";
import { listingsOf, signOn, stockOn } from "./testing/drive.ts";
import { heldEpochs, refreshOn, reshareOn } from "./testing/drive-key-change.ts";
import { KEY_ID, provisionedRecords, type Records } from "./testing/fixtures.ts";
import { loseKey } from "./testing/held-keys.ts";

const EVENTS_MAX = 200; // above the number of effects at one signer, and of steps of virtual time, in one change of a key

interface Scene {
  readonly name: string;
  readonly threshold: number;
  /** a signer that has lost its disk */
  readonly lacking?: number;
  readonly change: (cluster: TestCluster, seed: string) => Outcome<KeyChangeResult>;
}

/** In the refresh all three sign afterwards; in the reshare two deal to the third. */
const SCENES: readonly Scene[] = [
  { name: "refresh", threshold: 3, change: (cluster, seed) => refreshOn(cluster, { seed }) },
  {
    name: "reshare",
    threshold: 2,
    lacking: 3,
    change: (cluster, seed) => reshareOn(cluster, [1, 2], { seed }),
  },
];

const open = ({ threshold }: Scene, records: ReadonlyMap<PartyIndex, Records>): TestCluster =>
  new TestCluster({ seed: "crash-change", size: 3, threshold, engine: "tiny", records });

/** The signers' records before a change: a presignature each, and the key, unless the signer lacks it. */
const prepared = (scene: Scene): ReadonlyMap<PartyIndex, Records> => {
  const cluster = open(scene, provisionedRecords(3, scene.threshold));
  stockOn(cluster, [[1, 2, 3].slice(0, scene.threshold)]);
  return new Map(
    [...cluster.nodes].map(([self, { records }]) => {
      const kept = new Map(
        self === scene.lacking ? provisionedRecords(3, scene.threshold).get(self) : records,
      );
      if (self === scene.lacking) loseKey(kept, KEY_ID);
      return [self, kept] as const;
    }),
  );
};

const epochsOf = (cluster: TestCluster) => [...heldEpochs(cluster).values()].map(({ epoch }) => epoch);

/**
 * Expects one epoch at all signers, no presignature of an earlier epoch, and a key that signs. The shares of a failed
 * attempt stay with the signers that finished it, and the next attempt removes them.
 *
 * @param epoch the new epoch; undefined when the change failed
 */
const expectWhole = (cluster: TestCluster, scene: Scene, epoch: number | undefined): void => {
  const before = [1, 2, 3].map((signer) => (signer === scene.lacking ? 0 : 1));
  expect(epochsOf(cluster)).toEqual(epoch === undefined ? before : [epoch, epoch, epoch]);
  const left = [...heldEpochs(cluster).values()].flatMap(({ pending }) => pending);
  if (left.length > 0) {
    expect(epoch).toBeUndefined();
    const again = scene.change(cluster, "again");
    reviving(cluster, () => again.isClosed);
    const { epoch: next } = again.result ?? expect.fail("the next attempt succeeds");
    expect(epochsOf(cluster)).toEqual([next, next, next]);
  }
  expect([...heldEpochs(cluster).values()].flatMap(({ pending }) => pending)).toEqual([]);
  if (epochsOf(cluster).every((each) => each > 1)) {
    expect([...listingsOf(cluster).values()].flat()).toEqual([]);
  }
  const signed = signOn(cluster, { isTiny: true });
  cluster.until(() => signed.isClosed);
  expect(signed.result).toBeDefined();
};

describe.each(SCENES)("a $name", (scene) => {
  const records = prepared(scene);

  test("leaves one epoch at all signers, and a key that signs, when one dies before any of its effects", () => {
    const ends = new Set<boolean>();
    for (const signer of [1, 3]) {
      for (let at = 0; at < EVENTS_MAX; at++) {
        const cluster = open(scene, records);
        const node = cluster.node(signer);
        node.diesAt = node.effectsDone + at;
        node.losesPower = true;
        const outcome = scene.change(cluster, "1");
        reviving(cluster, () => outcome.isClosed);
        if (node.diesAt !== undefined) break; // the change ended before this effect: every effect was tried
        expectWhole(cluster, scene, outcome.result?.epoch);
        ends.add(outcome.result !== undefined);
      }
    }
    expect(ends).toEqual(new Set([true, false]));
  });

  test("is taken up by the next coordinator, wherever the one before died", () => {
    const taken = new Set<string>();
    for (let at = 0; at < EVENTS_MAX; at += 3) {
      const cluster = open(scene, records);
      const first = scene.change(cluster, "1");
      for (let step = 0; step < at; step++) cluster.world.step(cluster.world.nowMs() + 1_000);
      if (first.isClosed) break;
      first.die();
      cluster.rest(100); // commands that the dead coordinator sent still arrive
      taken.add(
        [...heldEpochs(cluster).values()]
          .map((held) => `${held.epoch}${"+".repeat(held.pending.length)}`)
          .join(),
      );
      const second = scene.change(cluster, "2");
      reviving(cluster, () => second.isClosed);
      expect([2, 3]).toContain(second.result?.epoch);
      expectWhole(cluster, scene, second.result?.epoch);
    }
    expect(taken.size).toBeGreaterThan(2);
  });
});
