import type { SignedAuthorisation } from "@conclave/custody";
import { testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { KeyChangeResult } from "./coordinator/effect.ts";
import { isWhereItBelongs } from "./coordinator/key-change/key-committee.ts";
import { CONFIRMED_MS, type Outcome, TestCluster } from "./testing/cluster.ts";
import { certificatesOf, heldEpochsOf, refreshOn } from "./testing/drive-key-change.ts";
import {
  authoriseKeyDiscard,
  authoriseTransaction,
  KEY_ID,
  provisionedRecords,
  transactionIdOf,
} from "./testing/fixtures.ts";
import {
  infoAmong,
  moveKeyOn,
  type RosterShape,
  renewAuxiliaryOn,
  rosterAt,
  signWithKey,
  takeRoster,
} from "./testing/roster/changed-roster.ts";
import { askedAt, signAmong } from "./testing/roster/sign-among.ts";

const FIVE = [1, 2, 3, 4, 5];

const open = (seed: string, size = 5, threshold = 3): TestCluster =>
  new TestCluster({ seed, size, threshold, engine: "tiny", records: provisionedRecords(size, threshold) });

/** The active epoch of each signer, and its pending ones. */
const standing = (cluster: TestCluster, signers: readonly number[] = FIVE) => {
  const held = heldEpochsOf(cluster, KEY_ID);
  return signers.map((signer) => {
    const its = held.get(testParty(signer));
    return `${its?.epoch ?? 0}+${(its?.pending ?? []).map(({ epoch }) => epoch).join(",")}`;
  });
};

const pendingAt = (cluster: TestCluster, signers: readonly number[]): boolean =>
  signers.every((signer) => (heldEpochsOf(cluster, KEY_ID).get(testParty(signer))?.pending ?? []).length > 0);

/** Whether the key signs, with a coordinator of this roster. */
const signs = (cluster: TestCluster, shape: RosterShape): boolean => {
  try {
    const signed = signWithKey(cluster, shape, KEY_ID, 1);
    cluster.until(() => signed.isClosed || signed.result !== undefined, 60_000);
    return signed.result !== undefined;
  } catch {
    return false;
  }
};

/** Moves the key, with as many attempts as an operator would make. */
const move = (cluster: TestCluster, shape: RosterShape, times = 3): Outcome<KeyChangeResult> | undefined => {
  let moved: Outcome<KeyChangeResult> | undefined;
  for (let at = 0; at < times; at += 1) {
    try {
      const next = moveKeyOn(cluster, shape, KEY_ID, `attack/${at}`);
      cluster.until(() => next.isClosed, 60_000);
      moved = next;
      if (next.result !== undefined) return next;
    } catch {
      return moved;
    }
  }
  return moved;
};

/** A refresh that signers 4 and 5 finish and 1, 2 and 3 do not: its epoch is active nowhere, and no share is lost. */
const halfRefreshed = (seed: string): TestCluster => {
  for (let after = 1; after < 200; after += 1) {
    const cluster = open(seed);
    let sent = 0;
    cluster.wire = (transit) => {
      if (transit.to > 3) return [transit];
      sent += 1;
      return sent > after ? [] : [transit];
    };
    const refreshed = refreshOn(cluster);
    cluster.until(() => refreshed.isClosed);
    cluster.wire = (transit) => [transit];
    if (String(standing(cluster)) === "1+,1+,1+,1+2,1+2") return cluster;
  }
  throw new Error("no refresh ends so");
};

/** A refresh for which all signers gave receipts; only the `active` ones received the certificate. */
const halfActive = (seed: string, active: readonly number[]): TestCluster => {
  const cluster = open(seed);
  const refreshed = refreshOn(cluster);
  cluster.until(() => pendingAt(cluster, FIVE));
  cluster.kill(...FIVE.filter((signer) => !active.includes(signer)));
  cluster.until(() =>
    active.every((signer) => heldEpochsOf(cluster, KEY_ID).get(testParty(signer))?.epoch === 2),
  );
  refreshed.die();
  return cluster;
};

const THREE_LEAVE: RosterShape = { parties: FIVE, leaving: [1, 2, 3], threshold: 2 };

describe("an epoch that was begun by the roster of before", () => {
  test("is not certified by the receipts of the signers that stay alone: those that leave have no share of it", () => {
    const cluster = halfRefreshed("a1");
    takeRoster(cluster, THREE_LEAVE);
    expect(signs(cluster, THREE_LEAVE)).toBe(true);
    move(cluster, THREE_LEAVE);
    expect(signs(cluster, THREE_LEAVE)).toBe(true);
  });

  test("is not given up by signers that leave when its certificate is shown: they hold shares of it", () => {
    const cluster = halfActive("a2", [4, 5]);
    takeRoster(cluster, THREE_LEAVE);
    move(cluster, THREE_LEAVE);
    expect(signs(cluster, THREE_LEAVE)).toBe(true);
  });

  test("is activated by signers that leave, where others come: the key can be moved on", () => {
    const cluster = halfActive("a2b", [4, 5]);
    const shape = { parties: [...FIVE, 6, 7], leaving: [1, 2, 3], joined: [6, 7], threshold: 2 };
    takeRoster(cluster, shape);
    for (let pass = 0; pass < 5; pass += 1) {
      const moved = moveKeyOn(cluster, shape, KEY_ID, `a2b/${pass}`);
      cluster.until(() => moved.isClosed, 60_000);
    }
    expect(isWhereItBelongs(rosterAt(shape), 2, infoAmong(cluster, KEY_ID))).toBe(true);
  });

  test("is activated by its certificate after another signer is put out", () => {
    const cluster = halfActive("a3", [1, 2]);
    cluster.kill(5);
    const shape = { parties: [1, 2, 3, 4], threshold: 3, past: [FIVE] };
    takeRoster(cluster, shape);
    cluster.rest(CONFIRMED_MS);
    const [certificate = expect.fail("two have it")] = certificatesOf(cluster, KEY_ID);
    for (const signer of shape.parties) {
      cluster.call(signer, (call) => ({ kind: "switch-epoch", call, certificate }));
    }
    cluster.rest(1_000);
    expect(standing(cluster, shape.parties)).toEqual(["2+", "2+", "2+", "2+"]);
    expect(move(cluster, shape)?.result).toBeDefined();
    expect(signs(cluster, shape)).toBe(true);
  });

  test("of this change is not certified without a signer that was put out and has a share of it", () => {
    const first: RosterShape = { parties: [1, 2, 3, 4], leaving: [3], joined: [4], threshold: 3 };
    const begun = (after: number): TestCluster => {
      const cluster = open("a4", 3, 3);
      takeRoster(cluster, first);
      let sent = 0;
      cluster.wire = (transit) => {
        if (transit.to !== 4) return [transit];
        sent += 1;
        return sent > after ? [] : [transit];
      };
      const moved = moveKeyOn(cluster, first, KEY_ID, "first");
      cluster.until(() => moved.isClosed);
      cluster.wire = (transit) => [transit];
      return cluster;
    };
    const clusters = Array.from({ length: 40 }, (_, after) => begun(after));
    const cluster = clusters.find((each) => String(standing(each, [1, 2, 3, 4])) === "1+2,1+2,1+,0+");
    if (cluster === undefined) throw new Error("no move ends so");
    cluster.kill(4);
    const second: RosterShape = { parties: [1, 2, 3], leaving: [3], threshold: 2 };
    takeRoster(cluster, second);
    expect(signs(cluster, second)).toBe(true);
    move(cluster, second);
    expect(signs(cluster, second)).toBe(true);
  });

  test("is not waived by a signer that leaves, gave its receipt for it, and then gave everything up", () => {
    const cluster = halfActive("a5", [4, 5]);
    takeRoster(cluster, THREE_LEAVE);
    const session = heldEpochsOf(cluster, KEY_ID).get(testParty(1))?.pending[0]?.session ?? expect.fail();
    move(cluster, THREE_LEAVE, 1);
    const { heard } = cluster.call(1, (call) => ({
      kind: "discard-epoch",
      call,
      authorisation: authoriseKeyDiscard(session),
      waivers: [],
    }));
    cluster.until(() => heard.length > 0);
    expect(heard[0]).not.toMatchObject({ kind: "epoch-discarded", waiver: expect.any(Uint8Array) });
  });
});

test("a signer that leaves waives no session of which it gave up a share with its receipt", () => {
  const cluster = halfRefreshed("gave it up");
  const shape: RosterShape = { parties: FIVE, leaving: [4, 5], threshold: 3 };
  takeRoster(cluster, shape);
  const [pending = expect.fail("it waits")] = heldEpochsOf(cluster, KEY_ID).get(testParty(4))?.pending ?? [];
  expect(move(cluster, shape)?.result).toBeDefined();
  cluster.rest(1_000);
  expect(standing(cluster, [4, 5])).toEqual(["0+", "0+"]);
  const authorisation = authoriseKeyDiscard(pending.session);
  const { heard } = cluster.call(4, (call) => ({ kind: "discard-epoch", call, authorisation, waivers: [] }));
  cluster.until(() => heard.length > 0);
  expect(heard).toMatchObject([{ kind: "epoch-discarded", waiver: undefined }]);
});

describe("INV-4 after a key was moved", () => {
  test("a signer that came signs no replacement of a request of before, of which it does not know what was signed", () => {
    const shape: RosterShape = { parties: [1, 2, 3, 4, 5, 6], leaving: [1], joined: [6], threshold: 3 };
    const cluster = open("b5", 5, 3);
    takeRoster(cluster, shape);
    const made = renewAuxiliaryOn(cluster, shape, 1);
    cluster.until(() => made.isClosed);
    const signOf = (authorisation: SignedAuthorisation, quorum: readonly number[], nonce: number) =>
      signAmong(cluster, shape, askedAt(cluster, authorisation), quorum, nonce);
    expect(signOf(authoriseTransaction(1), [1, 2, 3], 1).result).toBeDefined();
    const replacement = authoriseTransaction(2, [transactionIdOf(1)]);
    // a signer that knows the signed transaction refuses one that does not exclude it
    expect(signOf(replacement, [3, 4, 5], 2).result).toBeUndefined();
    const moved = moveKeyOn(cluster, shape, KEY_ID, "b5");
    cluster.until(() => moved.isClosed);
    expect(moved.result).toBeDefined();
    cluster.rest(200_000);
    const again = signOf(replacement, [4, 5, 6], 2);
    expect(again.result).toBeUndefined();
  });
});
