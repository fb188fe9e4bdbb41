import { describe, expect, test } from "vitest";
import { isWhereItBelongs } from "./coordinator/key-change/key-committee.ts";
import { CLOCK_SKEW_MS_MAX } from "./signer/limits.ts";
import { TestCluster } from "./testing/cluster.ts";
import { KEY_ID } from "./testing/fixtures.ts";
import { FROST_KEYS, frostRecords } from "./testing/frost-records.ts";
import {
  holdsShare,
  infoAmong,
  moveKeyOn,
  type RosterShape,
  renewAuxiliaryOn,
  rosterAt,
  signWithKey,
  takeRoster,
} from "./testing/roster/changed-roster.ts";

const [EDWARDS] = FROST_KEYS;
const KEYS = [KEY_ID, EDWARDS.keyId];
const open = (seed: string) => new TestCluster({ seed, records: frostRecords(5, 3) });

const FIVE = [1, 2, 3, 4, 5];

let request = 0;
const sign = (cluster: TestCluster, shape: RosterShape, keyId: string) => {
  request += 1;
  const signed = signWithKey(cluster, shape, keyId, request);
  cluster.until(() => signed.isClosed || signed.result !== undefined);
  return signed;
};

const move = (cluster: TestCluster, shape: RosterShape, keyId: string) => {
  const moved = moveKeyOn(cluster, shape, keyId, `${keyId}/${JSON.stringify(shape)}`);
  cluster.until(() => moved.isClosed);
  return moved;
};

/** Moves everything to a roster, and signs with every key before and after each move. */
const changeTo = (cluster: TestCluster, shape: RosterShape, from: number): void => {
  takeRoster(cluster, shape);
  for (const keyId of KEYS) expect(sign(cluster, shape, keyId).result, `${keyId} before`).toBeDefined();
  if ((shape.joined ?? []).length > 0) {
    const made = renewAuxiliaryOn(cluster, shape, from);
    cluster.until(() => made.isClosed);
    expect(made.result?.epoch).toBe(from + 1);
  }
  for (const keyId of KEYS) {
    expect(sign(cluster, shape, keyId).result, `${keyId} in between`).toBeDefined();
    expect(move(cluster, shape, keyId).result).toMatchObject({ keyId, lacking: [] });
    const info = infoAmong(cluster, keyId);
    expect(isWhereItBelongs(rosterAt(shape), shape.threshold, info)).toBe(true);
    expect(sign(cluster, shape, keyId).result, `${keyId} after`).toBeDefined();
  }
  for (const signer of shape.leaving ?? []) {
    for (const keyId of KEYS) expect(holdsShare(cluster, signer, keyId)).toBe(false);
  }
};

/** The test takes some 20 s on an idle machine; this allows for a busy one. */
const BUSY_MS = 600_000;

describe("a change of the roster, with real cryptography, while keys sign,", () => {
  test("goes from 3 of 5 to 3 of 6, to 4 of 7, and back to 2 of 3", { timeout: BUSY_MS }, () => {
    const cluster = open("3-of-5 and on");
    changeTo(cluster, { parties: [...FIVE, 6], threshold: 3, joined: [6] }, 1);
    changeTo(cluster, { parties: [...FIVE, 6, 7], threshold: 4, joined: [7] }, 2);
    // four of seven are needed to deal, so a leaving signer deals for the last time
    changeTo(cluster, { parties: [...FIVE, 6, 7], threshold: 2, leaving: [1, 3, 5, 6] }, 3);
    const done = { parties: [2, 4, 7], threshold: 2 };
    takeRoster(cluster, done);
    for (const keyId of KEYS) expect(sign(cluster, done, keyId).result).toBeDefined();
  });

  test("INV-4 a signer that came signs no transfer of before of which the others do not know whether it was signed, and they do", () => {
    const cluster = open("came afterwards");
    const askedAtMs = cluster.world.nowMs();
    cluster.rest(1_000);
    expect(sign(cluster, { parties: FIVE, threshold: 3 }, KEY_ID).result).toBeDefined();
    const shape = { parties: [...FIVE, 6], threshold: 3, joined: [6] };
    takeRoster(cluster, shape);
    const made = renewAuxiliaryOn(cluster, shape, 1);
    cluster.until(() => made.isClosed);
    const waitingSinceMs = cluster.world.nowMs();
    expect(move(cluster, shape, KEY_ID).result).toBeDefined();
    const signers = (requestedAtMs: number, live: readonly number[]) => {
      request += 1;
      const away = [...cluster.nodes.values()].filter(({ self }) => !live.includes(self));
      cluster.kill(...away.map(({ self }) => self));
      const signed = signWithKey(cluster, shape, KEY_ID, request, requestedAtMs);
      cluster.until(() => signed.isClosed || signed.waiting.length > 0);
      signed.die();
      cluster.restart(...away.map(({ self }) => self));
      cluster.rest(1_000);
      return signed.result?.quorum;
    };
    expect(signers(askedAtMs, [1, 2, 6])).toBeUndefined();
    expect(signers(askedAtMs, [1, 2, 3])).toEqual([1, 2, 3]);
    expect(signers(waitingSinceMs, [1, 2, 6])).toEqual([1, 2, 6]);
    cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect(signers(cluster.world.nowMs(), [1, 2, 6])).toEqual([1, 2, 6]);
    expect(signers(askedAtMs, [1, 2, 6])).toBeUndefined();
  });

  test("puts a signer out that is not there: the receipts of the others suffice", () => {
    const cluster = open("put out");
    cluster.kill(2);
    changeTo(cluster, { parties: [1, 3, 4, 5], threshold: 3 }, 1);
  });

  test("replaces a signer by another in one change", () => {
    const cluster = open("replaced");
    changeTo(cluster, { parties: [1, 3, 4, 5, 6], threshold: 3, joined: [6] }, 1);
  });
});
