import type { Envelope, PartyIndex } from "@conclave/threshold";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { listingsOf, signOn, stockOn } from "../../testing/drive.ts";
import { authoriseTransfer, KEY_ID, transactionOf } from "../../testing/fixtures.ts";
import { ASK_SPENDING_MS, SPENDING_COUNT_MAX } from "../limits.ts";
import { RECORDS } from "../records/record.ts";
import { signerStatus, stepSigner } from "../signer.ts";
import type { SignerState } from "../state.ts";
import { SPENDING_KIND } from "./spending.ts";

const openTiny = (size = 3, threshold = 2): TestCluster =>
  new TestCluster({ seed: "spending", size, threshold, engine: "tiny" });

const stateOf = (cluster: TestCluster, signer: number): SignerState => {
  const { state } = cluster.node(signer);
  if (state === undefined) throw new Error("the signer is dead");
  return state;
};

const poolOf = (cluster: TestCluster, signer: number) => signerStatus(stateOf(cluster, signer)).pool;

const usable = (cluster: TestCluster, signer: number): readonly boolean[] =>
  (listingsOf(cluster).get(testParty(signer)) ?? []).map(({ isUsable }) => isUsable);

/** What signer 1 says when it is asked to sign a second transaction with a presignature. */
const askAgain = (cluster: TestCluster, presignature: string, name: string): SessionReport | undefined => {
  const { heard } = cluster.call(1, (call) => ({
    kind: "signing",
    call,
    session: testSessionId(name),
    quorum: [1, 2],
    keyId: KEY_ID,
    authorisation: authoriseTransfer(2),
    unsigned: transactionOf(8),
    presignatures: [presignature],
    dead: undefined,
    expiresAtMs: cluster.schedule.now() + 5_000,
  }));
  cluster.rest(20);
  return heard[0];
};

const code = (report: SessionReport | undefined): string | undefined =>
  report?.kind === "refusal" ? report.problem.code : report?.kind;

/** A cluster of which signer 1 spent a presignature, and lives again from a store of before that. */
const restored = () => {
  const cluster = openTiny();
  const [presignature] = stockOn(cluster, [[1, 2]]);
  if (presignature === undefined) throw new Error("one was made");
  const backup = new Map(cluster.node(1).records);
  const outcome = signOn(cluster, { isTiny: true, presignatures: [presignature] });
  cluster.until(() => outcome.isClosed);
  if (outcome.result?.path.kind !== "pooled") throw new Error("the presignature was not spent");
  cluster.kill(1);
  cluster.node(1).restore(backup);
  return { cluster, id: presignature.id };
};

describe("P6 a signer whose store is an old copy", () => {
  test("does not use what waits in it, and burns it when the peers remember more", () => {
    const { cluster, id } = restored();
    cluster.restart(1);
    expect(code(askAgain(cluster, id, "at once"))).toBe("PoolUnconfirmed");
    cluster.rest(2 * ASK_SPENDING_MS);
    expect(code(askAgain(cluster, id, "later"))).toBe("PresignatureUnknown");
    expect(poolOf(cluster, 1)).toMatchObject({ rolledBack: 1, burnt: 1, ready: 0 });
    expect([...cluster.node(1).records.keys()].some((name) => RECORDS.presignature.idOf(name))).toBe(false);
  });

  test("is found out even when every peer was started anew meanwhile", () => {
    const { cluster, id } = restored();
    cluster.kill(2, 3);
    cluster.restart(1, 2, 3);
    cluster.rest(2 * ASK_SPENDING_MS);
    expect(code(askAgain(cluster, id, "later"))).toBe("PresignatureUnknown");
    expect(poolOf(cluster, 1).rolledBack).toBe(1);
  });

  test("uses nothing of it for as long as its peers are away", () => {
    const { cluster, id } = restored();
    cluster.kill(2, 3);
    cluster.restart(1);
    cluster.rest(20 * ASK_SPENDING_MS);
    expect(code(askAgain(cluster, id, "alone"))).toBe("PoolUnconfirmed");
  });

  test("goes on with what it makes anew, and its count with what the peers remember", () => {
    const { cluster } = restored();
    cluster.restart(1);
    const fresh = stockOn(cluster, [[1, 2]]);
    cluster.rest(2 * ASK_SPENDING_MS); // burns the fresh one too: the store may be that of a clone
    expect(poolOf(cluster, 1)).toMatchObject({ rolledBack: 1, ready: 0 });
    expect(fresh).toHaveLength(1);
    const presignatures = stockOn(cluster, [[1, 2]]);
    const outcome = signOn(cluster, { isTiny: true, request: 3, seed: "anew", presignatures });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toMatchObject({ attempts: 1, path: { kind: "pooled" } });
    expect(stateOf(cluster, 1).spending.own).toBe(2);
    expect(stateOf(cluster, 3).spending.peers.get(testParty(1))).toBe(2);
  });
});

describe("a signer that starts again from its own store", () => {
  test("uses what waits in it once its peers have confirmed, and what it makes in this life at once", () => {
    const cluster = openTiny();
    stockOn(cluster, [[1, 2]]);
    cluster.kill(1);
    cluster.restart(1);
    stockOn(cluster, [[1, 2]]);
    expect(new Set(usable(cluster, 1))).toEqual(new Set([false, true]));
    cluster.rest(2 * ASK_SPENDING_MS);
    expect(usable(cluster, 1)).toEqual([true, true]);
    expect(poolOf(cluster, 1).rolledBack).toBe(0);
  });

  test("needs each other signer of the set, and as many in all as cannot lie together", () => {
    const cluster = openTiny(5, 3);
    stockOn(cluster, [[1, 2, 3]]);
    const answering = new Set<number>();
    cluster.wire = (transit) =>
      transit.envelope.kind === SPENDING_KIND && transit.to === 1 && !answering.has(transit.from)
        ? []
        : [transit];
    cluster.kill(1);
    cluster.restart(1);
    const seen: (boolean | undefined)[] = [];
    for (const peer of [2, 3, 5]) {
      cluster.rest(2 * ASK_SPENDING_MS);
      seen.push(usable(cluster, 1)[0]);
      answering.add(peer);
    }
    cluster.rest(2 * ASK_SPENDING_MS);
    expect([...seen, usable(cluster, 1)[0]]).toEqual([false, false, false, true]);
  });
});

describe("words about spending", () => {
  const heardBy = (state: SignerState, from: PartyIndex, payload: readonly number[]) => {
    const head = { session: new Uint8Array(32), round: 0, kind: SPENDING_KIND, from, to: 0 };
    const envelope: Envelope = { ...head, payload: Uint8Array.from(payload), signature: new Uint8Array(64) };
    return stepSigner(state, { kind: "envelope", from, envelope }, 1);
  };
  const six = (value: number): readonly number[] =>
    [5, 4, 3, 2, 1, 0].map((at) => Math.floor(value / 256 ** at) % 256);
  const peer = testParty(2);
  const [spent, asks, remembers] = [1, 2, 3];

  test("that make no sense change nothing", () => {
    const { state } = { state: stateOf(openTiny(), 1) };
    const odd = [[], [9], [spent, 0], [9, ...six(1), ...six(1)], [spent, ...six(1), ...six(1), 0]];
    for (const payload of odd) expect(heardBy(state, peer, payload)).toEqual({ state, effects: [] });
  });

  test("are kept when the count is higher, and answered when it is lower than one told before", () => {
    const first = heardBy(stateOf(openTiny(), 1), peer, [spent, ...six(7), ...six(0)]);
    expect(first.effects).toMatchObject([{ kind: "batch", puts: [{ record: "spending/2" }], sync: false }]);
    const again = heardBy(first.state, peer, [spent, ...six(7), ...six(0)]);
    expect(again.effects).toEqual([]);
    const older = heardBy(first.state, peer, [spent, ...six(5), ...six(0)]);
    expect(older.effects.map((effect) => effect.kind === "send" && [...effect.envelope.payload])).toEqual([
      [remembers, ...six(7), ...six(0)],
    ]);
    const asked = heardBy(first.state, peer, [asks, ...six(7), ...six(99)]);
    expect(asked.effects).toMatchObject([{ kind: "send", to: 2 }]);
  });

  test("that answer no question of this life confirm nothing", () => {
    const { state } = heardBy(stateOf(openTiny(), 1), peer, [remembers, ...six(0), ...six(12345)]);
    expect(state.spending.confirmedBy.size).toBe(0);
    const unasked = heardBy(state, peer, [remembers, ...six(0), ...six(0)]);
    expect(unasked.state.spending.confirmedBy.size).toBe(0);
  });

  test("of a liar burn the pool, no more: the count stays one that can be counted on", () => {
    const cluster = openTiny();
    stockOn(cluster, [[1, 2]]);
    const lie = [remembers, ...six(2 ** 48 - 1), ...six(0)];
    const once = heardBy(stateOf(cluster, 1), peer, lie);
    expect(signerStatus(once.state).pool).toMatchObject({ ready: 0, burnt: 1, rolledBack: 1 });
    expect(once.effects).toMatchObject([{ kind: "batch", sync: true }]);
    expect(heardBy(once.state, peer, lie).state.spending.own).toBe(SPENDING_COUNT_MAX);
    const { spending } = once.state;
    const later = { ...once.state, spending: { ...spending, own: SPENDING_COUNT_MAX + 3 } };
    expect(heardBy(later, peer, lie).state.spending.own).toBe(SPENDING_COUNT_MAX + 3); // or peers would know a higher one
  });
});
