import type { SignedAuthorisation } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { withHandovers } from "./control/epoch-certificate.ts";
import { ASK_SPENDING_MS, ASK_SPENDING_MS_MAX, CLOCK_SKEW_MS_MAX } from "./signer/limits.ts";
import { generateKeyOn } from "./testing/drive.ts";
import { KEY_ID, keyIdOf, transactionOf } from "./testing/fixtures.ts";
import { moveKeyOn } from "./testing/roster/changed-roster.ts";
import { MemberChange } from "./testing/roster/member-change.ts";

const FIVE = [1, 2, 3, 4, 5];

let change: MemberChange;
beforeEach(({ task }) => {
  change = new MemberChange(task.name);
});

const alarmsOf = (signer: number): number => change.status(signer).pool.rolledBack;

/** A signer's refusal to sign; undefined when it begins. */
const refusalOf = (
  signer: number,
  authorisation: SignedAuthorisation,
  quorum: readonly number[] = [1, 4, 5],
): string | undefined => {
  const { heard } = change.cluster.call(signer, (call) => ({
    kind: "signing",
    call,
    session: testSessionId(`asked ${change.cluster.world.nowMs()}`),
    quorum,
    keyId: KEY_ID,
    authorisation,
    unsigned: transactionOf(9),
    presignatures: [],
    dead: undefined,
    expiresAtMs: change.cluster.world.nowMs() + 5_000,
  }));
  change.cluster.rest(20);
  const [first] = heard;
  return first?.kind === "refusal" ? first.problem.code : undefined;
};

describe("INV-4 a signer whose whole store is an older copy", () => {
  test("signs no second transaction of a request that it signed in the time that is lost", () => {
    const backup = change.backup(1);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    change.restore(1, backup);
    expect(change.isSigned(twice, [1, 4, 5], 2)).toBe(false);
    change.cluster.rest(ASK_SPENDING_MS);
    expect(change.isSigned(twice, [1, 4, 5], 2)).toBe(false);
    expect(alarmsOf(1)).toBe(1);
    change.refresh();
    expect(change.isSigned(twice, [1, 4, 5], 2)).toBe(false);
    expect(refusalOf(1, twice)).toBe("AuthorisationNotCurrent");
  });

  test("signs nothing with a key before its next epoch, and what is asked for afterwards", () => {
    change.putBack(1);
    expect(refusalOf(1, change.request())).toBe("KeyNotRefreshed");
    expect(change.isSigned(change.request(), [2, 4, 5], 2)).toBe(true);
    expect(change.status(1)).toMatchObject({ keyCount: 1, keysToRefresh: 1 });
    change.refresh();
    expect(change.status(1)).toMatchObject({ keyCount: 1, keysToRefresh: 0 });
    expect(change.isSigned(change.request(), [1, 4, 5], 3)).toBe(true);
  });

  test("keeps both over a restart", () => {
    const backup = change.backup(1);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    change.restore(1, backup);
    const startAgain = () => {
      change.cluster.rest(2 * ASK_SPENDING_MS);
      change.cluster.kill(1);
      change.cluster.restart(1);
      change.cluster.rest(2 * ASK_SPENDING_MS);
    };
    startAgain();
    expect(refusalOf(1, twice)).toBe("KeyNotRefreshed");
    expect(change.status(1)).toMatchObject({ keyCount: 1, keysToRefresh: 1 });
    change.refresh();
    startAgain();
    expect(refusalOf(1, twice)).toBe("AuthorisationNotCurrent");
    expect(change.status(1)).toMatchObject({ keyCount: 1, keysToRefresh: 0 });
  });

  test("doubts a key again whose next epoch came before the last of two alarms", () => {
    change.putBack(1);
    change.refresh();
    change.putBack(1);
    expect(refusalOf(1, change.request())).toBe("KeyNotRefreshed");
    change.cluster.kill(1);
    change.cluster.restart(1);
    change.cluster.rest(2 * ASK_SPENDING_MS);
    expect(change.status(1)).toMatchObject({ keyCount: 1, keysToRefresh: 1 });
  });

  test("signs with a key that is made after the alarm (INV-5)", () => {
    const { cluster } = change;
    change.putBack(1);
    const made = generateKeyOn(cluster, keyIdOf(2));
    cluster.until(() => made.isClosed);
    expect(made.result).toBeDefined();
    expect(change.status(1)).toMatchObject({ keyCount: 2, keysToRefresh: 1 });
    const refreshed = moveKeyOn(cluster, change.shape, keyIdOf(2), "new", { kind: "key-refresh" });
    cluster.until(() => refreshed.isClosed);
    expect(change.status(1)).toMatchObject({ keyCount: 2, keysToRefresh: 1 });
  });

  test("makes no presignature with a key before its next epoch", () => {
    change.putBack(1);
    const { cluster } = change;
    const { heard } = cluster.call(1, (call) => ({
      kind: "presigning",
      call,
      session: testSessionId("presigning"),
      quorum: [1, 2, 3],
      keyId: KEY_ID,
      expiresAtMs: cluster.world.nowMs() + 5_000,
    }));
    cluster.rest(20);
    expect(heard).toMatchObject([{ kind: "refusal", problem: { code: "KeyNotRefreshed" } }]);
  });

  test("releases nothing until as many peers have confirmed as sign with it", () => {
    const backup = change.backup(1);
    const before = change.request();
    change.cluster.kill(2, 3, 4);
    change.restore(1, backup);
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect([before, change.request()].map((asked) => refusalOf(1, asked))).toEqual([
      "StoreUnconfirmed",
      "StoreUnconfirmed",
    ]);
    change.cluster.restart(4);
    change.cluster.rest(2 * ASK_SPENDING_MS_MAX);
    expect(refusalOf(1, before)).toBeUndefined();
  });

  test("is found out by peers that were away when it signed, and have met it since", () => {
    const backup = change.backup(1);
    const twice = change.request();
    change.cluster.kill(4, 5);
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    change.cluster.restart(4, 5);
    change.cluster.rest(2 * ASK_SPENDING_MS);
    change.cluster.kill(2, 3);
    change.restore(1, backup);
    expect(change.isSigned(twice, [1, 4, 5], 2)).toBe(false);
    change.cluster.rest(ASK_SPENDING_MS);
    expect(change.isSigned(twice, [1, 4, 5], 2)).toBe(false);
    expect(alarmsOf(1)).toBe(1);
  });

  test("signs with no key that it may have handed over, though its roster goes back with its store", () => {
    const { cluster } = change;
    const { config } = cluster.node(3);
    change.begin({ parties: [...FIVE, 6, 7], leaving: [1, 2], joined: [6, 7], threshold: 3 });
    const certificate = change.withheld();
    const backup = change.backup(3);
    change.handoversOf(certificate, 3, 4, 5);
    change.restore(3, backup);
    cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect(change.isSigned(change.request(), [1, 2, 3], 1)).toBe(false);
    cluster.kill(3);
    cluster.node(3).configure(config);
    cluster.restart(3);
    cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect(refusalOf(3, change.request(), [1, 2, 3])).toBe("KeyNotRefreshed");
  });

  test("signs with a key that it may have handed over once its next holders have refreshed it", () => {
    change.begin({ parties: [...FIVE, 6, 7], leaving: [1, 2], joined: [6, 7], threshold: 3 });
    const certificate = change.withheld();
    const backup = change.backup(3);
    change.handoversOf(certificate, 3, 4, 5);
    change.restore(3, backup);
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    change.move(); // by the certificate from before the alarm
    expect(refusalOf(3, change.request(), [3, 6, 7])).toBe("KeyNotRefreshed");
    change.refresh();
    expect(change.isSigned(change.request(), [3, 6, 7], 2)).toBe(true);
  });

  test("signs with a key of other holders than the roster's that had its next epoch after the alarm (INV-5)", () => {
    change.putBack(3);
    change.refresh();
    change.begin({ parties: [...FIVE, 6, 7], leaving: [1, 2], joined: [6, 7], threshold: 3 });
    expect(change.isSigned(change.request(), [3, 4, 5], 2)).toBe(true);
  });

  test("doubts a key whose next epoch it goes to with a share of before the alarm", () => {
    change.begin({ parties: [...FIVE, 6, 7], leaving: [1, 2], joined: [6, 7], threshold: 3 });
    const certificate = change.withheld();
    change.putBack(3);
    const handovers = change.handoversOf(certificate, 4, 5);
    const { handover } = change.show(3, withHandovers(certificate, handovers));
    expect(handover).toBeDefined();
    expect(change.status(3)).toMatchObject({ keysToRefresh: 1 });
    expect(refusalOf(3, change.request(), [3, 4, 5])).toBe("KeyNotRefreshed");
  });

  test("hands a key over with no knowledge of the time that is lost", () => {
    change.begin({ parties: [...FIVE, 6, 7, 8], leaving: [1, 2, 3], joined: [6, 7, 8], threshold: 3 });
    const backup = new Map([1, 2, 3].map((signer) => [signer, change.backup(signer)] as const));
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    for (const [signer, records] of backup) change.restore(signer, records);
    change.cluster.rest(2 * ASK_SPENDING_MS);
    expect([1, 2, 3].map(alarmsOf)).toEqual([1, 1, 1]);
    change.move();
    expect(change.isSigned(twice, [6, 7, 8], 2)).toBe(false);
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect(change.isSigned(change.request(), [6, 7, 8], 3)).toBe(true);
  });

  test("is confirmed anew where its process goes on from a copy of its memory", () => {
    const before = change.request();
    change.cluster.kill(2, 3, 4, 5);
    expect(refusalOf(1, before)).toBeUndefined();
    change.cluster.node(1).resume();
    expect(refusalOf(1, before)).toBe("StoreUnconfirmed");
    change.cluster.restart(2, 3);
    change.cluster.rest(2 * ASK_SPENDING_MS);
    expect(refusalOf(1, before)).toBeUndefined();
  });
});
