import { describe, expect, test } from "vitest";
import { isWhereItBelongs } from "./coordinator/key-change/key-committee.ts";
import { TestCluster } from "./testing/cluster.ts";
import { reviving } from "./testing/crashes.ts";
import { certificatesOf, heldEpochsOf } from "./testing/drive-key-change.ts";
import { KEY_ID, provisionedRecords } from "./testing/fixtures.ts";
import {
  holdsShare,
  infoAmong,
  moveKeyOn,
  type RosterShape,
  rosterAt,
  signWithKey,
  takeRoster,
} from "./testing/roster/changed-roster.ts";

const EVENTS_MAX = 200; // above the number of effects at one signer, and of steps of virtual time, in one move of a key

/** All three deal; signer 3 leaves, signer 4 joined, and the threshold becomes two of three. */
const SHAPE: RosterShape = { parties: [1, 2, 3, 4], leaving: [3], joined: [4], threshold: 2 };
const HOLDERS = [1, 2, 4];

const open = (): TestCluster => {
  const options = { seed: "crash-move", size: 3, threshold: 3, engine: "tiny" } as const;
  const cluster = new TestCluster({ ...options, records: provisionedRecords(3, 3) });
  takeRoster(cluster, SHAPE);
  return cluster;
};

const epochsOf = (cluster: TestCluster, signers: readonly number[]) => {
  const held = heldEpochsOf(cluster, KEY_ID);
  return signers.map((signer) => [...held].find(([party]) => party === signer)?.[1].epoch ?? 0);
};

const moveTo = (cluster: TestCluster, seed: string) => {
  const moved = moveKeyOn(cluster, SHAPE, KEY_ID, seed);
  reviving(cluster, () => moved.isClosed);
  return moved;
};

/** Shows the others' certificate to signer 3, which may have died before it gave up its share. */
const showToLeaving = (cluster: TestCluster): void => {
  const [certificate] = certificatesOf(cluster, KEY_ID);
  if (certificate === undefined) return;
  const { heard } = cluster.call(3, (call) => ({ kind: "switch-epoch", call, certificate }));
  cluster.until(() => heard.length > 0);
};

/** Expects that either the earlier or the new holders hold the key, all in one epoch, and that it signs. */
const expectWhole = (cluster: TestCluster): void => {
  const signed = signWithKey(cluster, SHAPE, KEY_ID);
  cluster.until(() => signed.isClosed);
  expect(signed.result).toBeDefined();
  if (!isWhereItBelongs(rosterAt(SHAPE), SHAPE.threshold, infoAmong(cluster, KEY_ID))) {
    expect(epochsOf(cluster, [1, 2, 3, 4])).toEqual([1, 1, 1, 0]);
    expect(moveTo(cluster, "again").result).toBeDefined();
  }
  expect(new Set(epochsOf(cluster, HOLDERS)).size).toBe(1);
  showToLeaving(cluster);
  expect(holdsShare(cluster, 3, KEY_ID)).toBe(false);
  const pending = [...heldEpochsOf(cluster, KEY_ID).values()].flatMap((held) => held.pending);
  expect(pending).toEqual([]);
  const after = signWithKey(cluster, SHAPE, KEY_ID, 2);
  cluster.until(() => after.isClosed);
  expect(after.result?.quorum).not.toContain(3);
  expect(after.result).toBeDefined();
};

describe("a move of a key to other signers", () => {
  test.each([1, 3, 4])("leaves a key that signs when signer %i dies before any of its effects", (signer) => {
    const ends = new Set<boolean>();
    for (let at = 0; at < EVENTS_MAX; at++) {
      const cluster = open();
      const node = cluster.node(signer);
      node.diesAt = node.effectsDone + at;
      node.losesPower = true;
      const moved = moveTo(cluster, "1");
      cluster.rest(200);
      if (!node.isAlive) cluster.restart(signer);
      if (node.diesAt !== undefined) break; // the move ended before this effect: every effect was tried
      expectWhole(cluster);
      ends.add(moved.result !== undefined);
    }
    expect(ends).toEqual(new Set([true, false]));
  });

  test("is taken up by the next coordinator, wherever the one before died", () => {
    const taken = new Set<string>();
    for (let at = 0; at < EVENTS_MAX; at += 3) {
      const cluster = open();
      const first = moveKeyOn(cluster, SHAPE, KEY_ID);
      for (let step = 0; step < at; step++) cluster.world.step(cluster.world.nowMs() + 1_000);
      if (first.isClosed) break;
      first.die();
      cluster.rest(100); // commands that the dead coordinator sent still arrive
      taken.add(JSON.stringify(epochsOf(cluster, [1, 2, 3, 4])));
      const second = moveTo(cluster, "2");
      expect(second.result).toBeDefined();
      expectWhole(cluster);
    }
    expect(taken.size).toBeGreaterThan(1);
  });
});
