import type { SignedAuthorisation } from "@conclave/custody";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { ASK_SPENDING_MS, ASK_SPENDING_MS_MAX, CLOCK_SKEW_MS_MAX } from "./signer/limits.ts";
import { signerStatus } from "./signer/signer.ts";
import { KEY_ID, transactionOf } from "./testing/fixtures.ts";
import { MemberChange } from "./testing/roster/member-change.ts";

const FIVE = [1, 2, 3, 4, 5];

let change: MemberChange;
beforeEach(({ task }) => {
  change = new MemberChange(task.name);
});

const backupOf = (signer: number) => new Map(change.cluster.node(signer).records);

/** A signer lives again from a store of before. */
const restore = (signer: number, backup: ReturnType<typeof backupOf>): void => {
  change.cluster.kill(signer);
  change.cluster.node(signer).restore(backup);
  change.cluster.restart(signer);
};

const alarmsOf = (signer: number): number => {
  const { state } = change.cluster.node(testParty(signer));
  return state === undefined ? expect.fail("it is dead") : signerStatus(state).pool.rolledBack;
};

/** A signer's answer when it is asked to sign; undefined when it begins. */
const refusalOf = (signer: number, authorisation: SignedAuthorisation): string | undefined => {
  const { heard } = change.cluster.call(signer, (call) => ({
    kind: "signing",
    call,
    session: testSessionId(`asked ${change.cluster.world.nowMs()}`),
    quorum: [1, 4, 5],
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
    const backup = backupOf(1);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    restore(1, backup);
    expect(change.isSigned(twice, [1, 4, 5], 2)).toBe(false);
    change.cluster.rest(ASK_SPENDING_MS);
    expect(change.isSigned(twice, [1, 4, 5], 2)).toBe(false);
    expect(alarmsOf(1)).toBe(1);
  });

  test("signs what is asked for from now on", () => {
    const backup = backupOf(1);
    expect(change.isSigned(change.request(), [1, 2, 3], 1)).toBe(true);
    restore(1, backup);
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect(alarmsOf(1)).toBe(1);
    expect(change.isSigned(change.request(), [1, 4, 5], 2)).toBe(true);
  });

  test("keeps that over a restart", () => {
    const backup = backupOf(1);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    restore(1, backup);
    change.cluster.rest(2 * ASK_SPENDING_MS);
    change.cluster.kill(1);
    change.cluster.restart(1);
    change.cluster.rest(2 * ASK_SPENDING_MS);
    expect(refusalOf(1, twice)).toBe("AuthorisationNotCurrent");
  });

  test("releases nothing until as many peers have confirmed as sign with it", () => {
    const backup = backupOf(1);
    const before = change.request();
    change.cluster.kill(2, 3, 4);
    restore(1, backup);
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
    const backup = backupOf(1);
    const twice = change.request();
    change.cluster.kill(4, 5);
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    change.cluster.restart(4, 5);
    change.cluster.rest(2 * ASK_SPENDING_MS);
    change.cluster.kill(2, 3);
    restore(1, backup);
    expect(change.isSigned(twice, [1, 4, 5], 2)).toBe(false);
    change.cluster.rest(ASK_SPENDING_MS);
    expect(change.isSigned(twice, [1, 4, 5], 2)).toBe(false);
    expect(alarmsOf(1)).toBe(1);
  });

  test("signs with no key that it may have handed over", () => {
    change.begin({ parties: [...FIVE, 6, 7], leaving: [1, 2], joined: [6, 7], threshold: 3 });
    const certificate = change.withheld();
    const backup = backupOf(3);
    change.handoversOf(certificate, 3, 4, 5);
    restore(3, backup);
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect(change.isSigned(change.request(), [1, 2, 3], 1)).toBe(false);
    change.move();
    expect(change.isSigned(change.request(), [3, 6, 7], 2)).toBe(true);
  });

  test("hands a key over with no knowledge of the time that is lost", () => {
    change.begin({ parties: [...FIVE, 6, 7, 8], leaving: [1, 2, 3], joined: [6, 7, 8], threshold: 3 });
    const backup = new Map([1, 2, 3].map((signer) => [signer, backupOf(signer)] as const));
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    for (const [signer, records] of backup) restore(signer, records);
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
    change.cluster.node(1).tell({ kind: "resumed" });
    expect(refusalOf(1, before)).toBe("StoreUnconfirmed");
    change.cluster.restart(2, 3);
    change.cluster.rest(2 * ASK_SPENDING_MS);
    expect(refusalOf(1, before)).toBeUndefined();
  });
});
