import { Secret } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { beforeEach, describe, expect, test } from "vitest";
import { withHandovers } from "./control/epoch-certificate.ts";
import { readHandover } from "./control/epoch-handover.ts";
import { certificateOf } from "./signer/epoch/switch-epoch.ts";
import { sharesPending } from "./signer/key-change/next-share.ts";
import {
  ASK_SPENDING_MS,
  ASK_SPENDING_MS_MAX,
  CLOCK_SKEW_MS_MAX,
  CONFIRMING_MS_MAX,
} from "./signer/limits.ts";
import { lostToMs } from "./signer/older-store/lost-time.ts";
import { SPENDING_KIND } from "./signer/older-store/spending.ts";
import { FORGOTTEN_ID, RECORDS } from "./signer/records/record.ts";
import { signedForRequest } from "./signer/signing/signed-bytes.ts";
import { TestCluster, type Transit } from "./testing/cluster.ts";
import { authoriseTransaction, KEY_ID, rosterOf, transactionIdOf } from "./testing/fixtures.ts";
import { moveKeyOn, takeRoster } from "./testing/roster/changed-roster.ts";
import { MemberChange } from "./testing/roster/member-change.ts";
import { askedAt } from "./testing/roster/sign-among.ts";

const FIVE = [1, 2, 3, 4, 5];
const REPLACING = { parties: [...FIVE, 6, 7], leaving: [1, 2], joined: [6, 7], threshold: 3 };
const REMEMBERS = 3;

let change: MemberChange;
beforeEach(({ task }) => {
  change = new MemberChange(task.name);
});

const stateOf = (signer: number) =>
  change.cluster.node(testParty(signer)).state ?? expect.fail("the signer lives");
const alarmsOf = (signer: number): number => change.status(signer).pool.rolledBack;

describe("INV-4 the count of an older store reaches the one that peers remember only after they compared it", () => {
  test("though its links were away for minutes, and then a new request is asked for at once", () => {
    const backup = change.backup(1);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    const direct = change.cluster.wire;
    change.cluster.silence(1);
    change.restore(1, backup);
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    change.cluster.wire = direct;
    expect(change.isSigned(change.request(), [1, 2, 3], 2)).toBe(false);
    change.cluster.rest(2 * ASK_SPENDING_MS_MAX);
    expect(alarmsOf(1)).toBe(1);
    expect(change.isSigned(twice, [1, 4, 5], 3)).toBe(false);
    change.refresh();
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect(change.isSigned(twice, [1, 4, 5], 3)).toBe(false);
    expect(change.isSigned(change.request(), [1, 4, 5], 4)).toBe(true);
  });

  test("though all answers to its question are lost", () => {
    const backup = change.backup(1);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    const direct = change.cluster.wire;
    change.cluster.wire = (transit) => {
      const { kind, payload } = transit.envelope;
      return transit.to === 1 && kind === SPENDING_KIND && payload[0] === REMEMBERS ? [] : [transit];
    };
    change.restore(1, backup);
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect(change.isSigned(change.request(), [1, 2, 3], 2)).toBe(false);
    change.cluster.wire = direct;
    change.cluster.rest(2 * ASK_SPENDING_MS_MAX);
    expect(alarmsOf(1)).toBe(1);
    change.refresh();
    expect(change.isSigned(twice, [1, 4, 5], 3)).toBe(false);
  });

  test("though its orchestrator shows it a certificate before the answers are there", () => {
    change.begin(REPLACING);
    const certificate = change.withheld();
    const backup = change.backup(3);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    change.restore(3, backup);
    const before = change.cluster.wire;
    change.cluster.wire = (transit) => [{ ...transit, delayMs: 40 }];
    expect(change.ask(3, certificate)).toMatchObject({
      kind: "refusal",
      problem: { code: "StoreUnconfirmed" },
    });
    change.cluster.rest(100);
    change.cluster.wire = before;
    change.cluster.rest(2 * ASK_SPENDING_MS_MAX);
    expect(alarmsOf(3)).toBe(1);
    change.move();
    change.refresh();
    expect(change.isSigned(twice, [3, 4, 5], 2)).toBe(false);
  });

  test("and its process may go on from a copy of its memory", () => {
    const resumed = change.request();
    change.cluster.kill(2, 3, 4, 5);
    change.cluster.node(1).resume();
    change.cluster.restart(2, 3);
    change.cluster.rest(2 * ASK_SPENDING_MS);
    expect(change.isSigned(resumed, [1, 2, 3], 1)).toBe(true);
  });
});

describe("INV-4 peers that were away when a signer signed confirm its older store, and those that know better answer later", () => {
  const isBetween = ({ from, to }: Transit, some: readonly number[], others: readonly number[]): boolean =>
    (some.includes(from) && others.includes(to)) || (some.includes(to) && others.includes(from));

  test("as they are far, and the others start at the same time", () => {
    const { cluster } = change;
    const direct = cluster.wire;
    cluster.wire = (transit) =>
      isBetween(transit, [1, 2], [3, 4, 5]) ? [{ ...transit, delayMs: 60 }] : direct(transit);
    const backup = change.backup(3);
    cluster.kill(4, 5);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    change.restore(3, backup);
    cluster.restart(4, 5);
    cluster.until(() => stateOf(3).spending.confirmedBy.size >= 2);
    expect(change.isSigned(twice, [3, 4, 5], 2)).toBe(false);
    cluster.rest(1_000);
    expect(alarmsOf(3)).toBe(1);
  });

  test("as their links are slow, and the others never heard of it", () => {
    const { cluster } = change;
    const direct = cluster.wire;
    cluster.wire = (transit) => (transit.from === 3 && [4, 5].includes(transit.to) ? [] : direct(transit));
    const backup = change.backup(3);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    cluster.wire = (transit) =>
      isBetween(transit, [3], [1, 2]) ? [{ ...transit, delayMs: 500 }] : direct(transit);
    change.restore(3, backup);
    cluster.until(() => stateOf(3).spending.confirmedBy.size >= 2);
    expect(change.isSigned(twice, [3, 4, 5], 2)).toBe(false);
    cluster.rest(1_000);
    expect(alarmsOf(3)).toBe(1);
  });

  test("and where they are away for good, the signer signs after some seconds (INV-5)", () => {
    const { cluster } = change;
    cluster.kill(1, 2, 3);
    cluster.restart(3);
    expect(change.isSigned(change.request(), [3, 4, 5], 1)).toBe(false);
    cluster.rest(2 * CONFIRMING_MS_MAX);
    expect(change.isSigned(change.request(), [3, 4, 5], 2)).toBe(true);
  });
});

test("INV-5 a mark of an older store that does not say how many alarms there were puts all keys in doubt, once", () => {
  const { cluster } = change;
  const atMs = cluster.world.nowMs();
  const mark = { version: 3, toMs: 0, requestedToMs: atMs, mendedMs: 0, olderMs: atMs };
  const name = RECORDS.forgotten.name(FORGOTTEN_ID);
  change.restore(1, new Map(change.backup(1)).set(name, new Secret(utf8ToBytes(JSON.stringify(mark)))));
  cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  expect(change.status(1)).toMatchObject({ keyCount: 1, keysToRefresh: 1 });
  change.refresh();
  expect(change.status(1)).toMatchObject({ keyCount: 1, keysToRefresh: 0 });
  expect(change.isSigned(change.request(), [1, 4, 5], 1)).toBe(true);
});

test("INV-4 a signer that switches to the next epoch at once counts its handover as a release", () => {
  const { cluster } = change;
  change.begin(REPLACING);
  const certificate = change.withheld();
  const backup = change.backup(3);
  const given = change.handoversOf(certificate, 4, 5);
  const answer = change.show(3, withHandovers(certificate, given));
  const third = readHandover(answer.handover ?? expect.fail("it says so")) ?? expect.fail("readable");
  const enough = withHandovers(certificate, new Map(given).set(testParty(3), third));
  for (const signer of [5, 6, 7]) expect(change.show(signer, enough)).toMatchObject({ epoch: 2 });
  change.restore(3, backup);
  cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  expect(alarmsOf(3)).toBe(1);
  const twice = change.request();
  expect(change.isSigned(twice, [5, 6, 7], 1)).toBe(true);
  expect(change.isSigned(twice, [1, 2, 3], 2)).toBe(false);
});

test("INV-4 a signer that gives its share up counts its handover as a release", () => {
  change.begin(REPLACING);
  const certificate = change.withheld();
  const before = stateOf(1).spending.own;
  const given = change.handoversOf(certificate, 3, 4, 5);
  expect(change.show(1, withHandovers(certificate, given))).toMatchObject({ epoch: 2 });
  expect(stateOf(1).spending.own).toBe(before + 1);
});

test("INV-4 a signer that missed an epoch counts its handover to a later one of holders that it knows as a release", () => {
  change.begin(REPLACING);
  const second = change.withheld("1");
  const enough = withHandovers(second, change.handoversOf(second, 1, 4, 5));
  for (const signer of [4, 5, 6, 7]) expect(change.show(signer, enough)).toMatchObject({ epoch: 2 });
  change.shape = {
    parties: [...FIVE, 6, 7],
    leaving: [6, 7],
    joined: [],
    threshold: 3,
    past: [FIVE, [...FIVE, 6, 7]],
  };
  takeRoster(change.cluster, change.shape);
  change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  const third = change.withheld("2");
  const before = stateOf(3).spending.own;
  const given = change.handoversOf(third, 4, 5);
  expect(change.show(3, withHandovers(third, given)).handover).toBeDefined();
  expect(stateOf(3).spending.own).toBe(before + 1);
});

test("INV-4 a store with a pending share and no key does not learn the past with the key", () => {
  change.begin(REPLACING);
  const { cluster } = change;
  const moved = moveKeyOn(cluster, change.shape, KEY_ID, "1");
  cluster.until(() => stateOf(6).keyCount === 0 && sharesPending(stateOf(6), KEY_ID).length > 0);
  const backup = change.backup(6);
  cluster.until(() => moved.isClosed);
  const certificate = certificateOf(stateOf(6), KEY_ID) ?? expect.fail("it has one");
  cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  const twice = change.request();
  expect(change.isSigned(twice, [3, 6, 7], 1)).toBe(true);
  change.restore(6, backup);
  cluster.rest(2 * ASK_SPENDING_MS);
  expect(alarmsOf(6)).toBe(1);
  change.show(6, certificate);
  change.refresh();
  expect(change.isSigned(twice, [4, 5, 6], 2)).toBe(false);
});

test("INV-4 a replacement of a request of the lost time is left to the others", () => {
  const backup = change.backup(1);
  const { cluster } = change;
  const first = askedAt(cluster, authoriseTransaction(71));
  expect(change.isSigned(first, [1, 2, 3], 1)).toBe(true);
  change.restore(1, backup);
  cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  expect(alarmsOf(1)).toBe(1);
  change.refresh();
  const faster = askedAt(cluster, authoriseTransaction(72, [transactionIdOf(71)]));
  expect(change.isSigned(faster, [1, 4, 5], 2)).toBe(false);
  expect(change.isSigned(faster, [2, 3, 4], 1)).toBe(true);
});

test("INV-4 a signer that lost its disk does not say that it knows all that was signed for a request of before", () => {
  const request = change.request();
  const requestedAtMs = change.cluster.world.nowMs();
  expect(change.isSigned(request, [1, 2, 3], 1)).toBe(true);
  change.restore(1, new Map());
  change.cluster.rest(10_000);
  expect(alarmsOf(1)).toBe(1);
  const state = stateOf(1);
  const asked = { requestId: transactionIdOf(1), requestedAtMs };
  expect(signedForRequest(state.history, asked, lostToMs(state)).isWhole).toBe(false);
});

describe("INV-5 counts that an older version of a peer remembers unsigned", () => {
  const COUNT = 50;
  /** Peers 2 and 3 of three signers remember an unsigned count of signer 1, and all restart. */
  const remembering = (change: (cluster: TestCluster) => void): TestCluster => {
    const cluster = new TestCluster({ seed: "unsigned", size: 3, threshold: 2, engine: "tiny" });
    cluster.kill(1, 2, 3);
    for (const peer of [2, 3]) {
      const records = new Map(cluster.node(peer).records);
      records.set(RECORDS.spending.name("1"), RECORDS.spending.write({ version: 1, count: COUNT }));
      cluster.node(peer).restore(records);
    }
    change(cluster);
    cluster.restart(1, 2, 3);
    cluster.rest(20 * ASK_SPENDING_MS);
    return cluster;
  };
  const confirmations = (cluster: TestCluster): number | undefined =>
    cluster.node(1).state?.spending.confirmedBy.size;

  test("give way to what the signer signs, where it lost its folder", () => {
    expect(confirmations(remembering(() => undefined))).toBe(2);
  });

  test("give way where it has another identity since", () => {
    const cluster = remembering(({ nodes }) => {
      const other = rosterOf(4).get(testParty(4)) ?? expect.fail("there are four");
      for (const node of nodes.values()) {
        const { config } = node;
        const mine = config.roster.get(testParty(1)) ?? expect.fail("it is there");
        const past = [new Map(config.roster).set(testParty(1), { ...mine, identity: other.identity })];
        node.configure({ ...config, past });
      }
    });
    expect(cluster.node(2).state?.spending.peers.get(testParty(1))?.count ?? 0).toBe(0);
    expect(confirmations(cluster)).toBe(2);
  });
});
