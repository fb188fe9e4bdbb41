import type { Evidence } from "@conclave/threshold";
import { testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { CommandOf } from "./control/command.ts";
import type { Lives } from "./control/lives.ts";
import type { SessionReport } from "./control/report.ts";
import { SIGNING_ATTEMPT_MS } from "./coordinator/limits.ts";
import { CONFIRMED_MS, TestCluster } from "./testing/cluster.ts";
import { generateKeyOn } from "./testing/drive.ts";
import { refreshOn } from "./testing/drive-key-change.ts";
import { KEY_ID, keyIdOf } from "./testing/fixtures.ts";

const open = (seed: string): TestCluster => new TestCluster({ seed, size: 3, threshold: 2 });

/** A hostile orchestrator asks signers for a session that it has asked for before. */
const askAgain = (cluster: TestCluster, signers: readonly number[], expiresAtMs: number, lives: Lives) => {
  const command: CommandOf<"presigning"> = { kind: "presigning", quorum: [1, 2], keyId: KEY_ID, expiresAtMs };
  return signers.map(
    (signer) =>
      cluster.call(signer, (call) => ({ ...command, call, session: testSessionId("again"), lives })).heard,
  );
};

const evidenceIn = (heard: readonly (readonly SessionReport[])[]): readonly Evidence[] =>
  heard.flat().flatMap((report) => (report.kind === "fault" ? [report.evidence] : []));

describe("INV-7 a signer whose store is an older copy", () => {
  /** Signer 1 begins a session with 2, which keeps its first message, and comes back with a store of before. */
  const putBackAmid = (cluster: TestCluster) => {
    const backup = new Map(cluster.node(1).records);
    const expiresAtMs = cluster.world.nowMs() + SIGNING_ATTEMPT_MS;
    const { lives } = cluster;
    const heard = askAgain(cluster, [1, 2], expiresAtMs, lives);
    cluster.until(() => cluster.sent.some(({ from, round }) => from === 1 && round === 1));
    cluster.rest(20);
    cluster.kill(1);
    cluster.node(1).restore(backup);
    cluster.restart(1);
    cluster.rest(CONFIRMED_MS);
    return { lives, expiresAtMs, heard };
  };

  test("begins no session again that it began in the lost time", () => {
    const cluster = open("older store");
    const { lives, expiresAtMs, heard } = putBackAmid(cluster);
    const again = askAgain(cluster, [1], expiresAtMs, lives);
    cluster.rest(2_000);
    expect(again).toMatchObject([[{ kind: "refusal", problem: { code: "SignerLifeUnknown" } }]]);
    expect(evidenceIn([...heard, ...again])).toEqual([]);
  });

  test("says in its new life nothing that its peer compares with what it said before", () => {
    const cluster = open("older store, new life");
    const { expiresAtMs, heard } = putBackAmid(cluster);
    const before = cluster.sent.length;
    const again = askAgain(cluster, [1], expiresAtMs, cluster.lives);
    cluster.rest(2_000);
    expect(again).toMatchObject([[{ kind: "progress" }]]);
    const runs = (from: number, to?: number) =>
      new Set(
        cluster.sent.slice(from, to).flatMap((each) => (each.round === 1 ? [String(each.session)] : [])),
      );
    expect(runs(before).size).toBe(1);
    expect([...runs(before)].some((run) => runs(0, before).has(run))).toBe(false);
    expect(evidenceIn([...heard, ...again])).toEqual([]);
  });
});

describe("INV-5 a cluster with a signer that started anew", () => {
  test("makes and refreshes keys: coordinators name the life that it shows", () => {
    const cluster = open("started anew");
    cluster.kill(2);
    cluster.restart(2);
    cluster.rest(CONFIRMED_MS);
    const made = generateKeyOn(cluster, keyIdOf(2));
    cluster.until(() => made.isClosed);
    const refreshed = refreshOn(cluster);
    cluster.until(() => refreshed.isClosed);
    expect([made.problem, refreshed.problem]).toEqual([undefined, undefined]);
  });
});
