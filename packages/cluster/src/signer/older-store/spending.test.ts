import { testParty, testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import { CONFIRMED_MS, TestCluster } from "../../testing/cluster.ts";
import { listingsOf, signOn, stockOn } from "../../testing/drive.ts";
import { refreshOn } from "../../testing/drive-key-change.ts";
import { authoriseTransfer, KEY_ID, transactionOf } from "../../testing/fixtures.ts";
import { askedAt } from "../../testing/roster/sign-among.ts";
import { ASK_SPENDING_MS, ASK_SPENDING_MS_MAX, CLOCK_SKEW_MS_MAX } from "../limits.ts";
import { RECORDS } from "../records/record.ts";
import { signerStatus } from "../signer.ts";
import type { SignerState } from "../state.ts";
import { recallSpending, SPENDING_KIND } from "./spending.ts";

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

/** Signer 1's answer when it is asked to sign a second transaction with a presignature. */
const askAgain = (cluster: TestCluster, presignature: string, name: string): SessionReport | undefined => {
  const { heard } = cluster.call(1, (call) => ({
    kind: "signing",
    call,
    session: testSessionId(name),
    quorum: [1, 2],
    keyId: KEY_ID,
    authorisation: askedAt(cluster, authoriseTransfer(2)),
    unsigned: transactionOf(8),
    presignatures: [presignature],
    dead: undefined,
    expiresAtMs: cluster.world.nowMs() + 5_000,
  }));
  cluster.rest(20);
  return heard[0];
};

const code = (report: SessionReport | undefined): string | undefined =>
  report?.kind === "refusal" ? report.problem.code : report?.kind;

/** A cluster in which signer 1 spent a presignature, was stopped, and got back its store from before that. */
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
  test("INV-2 has nothing of what waited, asks its peers, and says that they remember more", () => {
    const { cluster, id } = restored();
    cluster.restart(1);
    expect(code(askAgain(cluster, id, "at once"))).toBe("StoreUnconfirmed");
    cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    expect(code(askAgain(cluster, id, "later"))).toBe("KeyNotRefreshed");
    expect(poolOf(cluster, 1)).toMatchObject({ rolledBack: 1, ready: 0 });
  });

  test("is found out even when every peer was started anew meanwhile", () => {
    const { cluster } = restored();
    cluster.kill(2, 3);
    cluster.restart(1, 2, 3);
    cluster.rest(2 * ASK_SPENDING_MS);
    expect(poolOf(cluster, 1).rolledBack).toBe(1);
  });

  test("goes on with what it makes anew, and its count with what the peers remember", () => {
    const { cluster } = restored();
    cluster.restart(1);
    cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    const refreshed = refreshOn(cluster);
    cluster.until(() => refreshed.isClosed);
    const presignatures = stockOn(cluster, [[1, 2]]);
    const authorisation = askedAt(cluster, authoriseTransfer(3));
    const outcome = signOn(cluster, { isTiny: true, authorisation, seed: "anew", presignatures });
    cluster.until(() => outcome.isClosed);
    cluster.rest(100);
    expect(outcome.result).toMatchObject({ attempts: 1, path: { kind: "pooled" } });
    expect(stateOf(cluster, 1).spending.own).toBe(2);
    expect(stateOf(cluster, 3).spending.peers.get(testParty(1))?.count).toBe(2);
  });
});

test("P6 a whole cluster that goes back to an earlier moment has none of its presignatures: nobody notices, and nothing is spent twice", () => {
  const cluster = openTiny();
  const [presignature] = stockOn(cluster, [[1, 2]]);
  if (presignature === undefined) throw new Error("one was made");
  const copies = [1, 2, 3].map((signer) => new Map(cluster.node(signer).records));
  const spend = (request: number) => {
    const outcome = signOn(cluster, {
      isTiny: true,
      request,
      seed: `life ${request}`,
      presignatures: [presignature],
    });
    cluster.until(() => outcome.isClosed);
    return outcome.result?.path.kind;
  };
  expect(spend(1)).toBe("pooled");
  cluster.rest(ASK_SPENDING_MS); // messages from before the kill have arrived
  cluster.kill(1, 2, 3);
  for (const [at, copy] of copies.entries()) cluster.node(at + 1).restore(copy);
  cluster.restart(1, 2, 3);
  cluster.rest(2 * ASK_SPENDING_MS);
  expect(poolOf(cluster, 1)).toMatchObject({ ready: 0, rolledBack: 0 });
  expect(spend(2)).toBe("interactive");
});

describe("a signer that starts again from its own store", () => {
  test("uses what it makes in this life once its peers have confirmed", () => {
    const cluster = openTiny();
    stockOn(cluster, [[1, 2]]);
    cluster.kill(1);
    cluster.restart(1);
    cluster.rest(CONFIRMED_MS);
    expect(usable(cluster, 1)).toEqual([]);
    stockOn(cluster, [[1, 2]]);
    expect(usable(cluster, 1)).toEqual([true]);
  });

  test("asks until as many have confirmed as cannot lie together, and less often the longer they are silent", () => {
    const cluster = openTiny(5, 3);
    const answering = new Set<number>();
    let asked = 0;
    cluster.wire = (transit) => {
      const { envelope, from, to } = transit;
      if (envelope.kind !== SPENDING_KIND) return [transit];
      if (from === 1 && envelope.payload[0] === 2) asked += 1;
      return to === 1 && !answering.has(from) ? [] : [transit];
    };
    cluster.kill(1);
    cluster.restart(1);
    cluster.rest(20 * ASK_SPENDING_MS);
    const questions = asked;
    expect(questions).toBeLessThan(10 * 4);
    for (const peer of [2, 3, 5]) {
      expect(stateOf(cluster, 1).spending.confirmedBy.size).toBe(answering.size);
      answering.add(peer);
      cluster.rest(ASK_SPENDING_MS_MAX);
    }
    expect([...stateOf(cluster, 1).spending.confirmedBy].sort()).toEqual([2, 3, 5]);
    asked = 0;
    cluster.rest(2 * ASK_SPENDING_MS_MAX);
    expect(asked).toBe(0);
  });
});

test("the count of a peer's earlier identity is forgotten once the roster has another one for it", () => {
  const cluster = openTiny();
  const presignatures = stockOn(cluster, [[1, 2]]);
  const outcome = signOn(cluster, { isTiny: true, presignatures });
  cluster.until(() => outcome.isClosed);
  cluster.rest(100);
  const state = stateOf(cluster, 2);
  const name = RECORDS.spending.name("1");
  const value = cluster.node(2).records.get(name) ?? expect.fail("signer 2 was told");
  const recalled = (config: SignerState["config"]) => {
    const spending = { ...state.spending, peers: new Map() };
    return recallSpending({ ...state, config, spending }, { record: name, value })?.spending.peers;
  };
  const [one, three] = [testParty(1), testParty(3)];
  expect(recalled(state.config)?.get(one)?.count).toBe(1);
  const other = state.config.roster.get(three) ?? expect.fail("there are three");
  const roster = new Map(state.config.roster).set(one, other);
  expect(recalled({ ...state.config, roster })).toEqual(new Map());
});
