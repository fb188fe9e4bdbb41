import { type Evidence, encode, publicKeyInfoCodec, verifyFault, withScheme } from "@conclave/threshold";
import { insecureSchemeShares, testParties, testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { CommandOf } from "./control/command.ts";
import type { Lives } from "./control/lives.ts";
import type { SessionReport } from "./control/report.ts";
import { SIGNING_ATTEMPT_MS } from "./coordinator/limits.ts";
import { KEY_EPOCH_FIRST } from "./signer/key-generation/key-epoch.ts";
import { CONFIRMED_MS, type Outcome, TestCluster } from "./testing/cluster.ts";
import { generateKeyOn, signOn } from "./testing/drive.ts";
import { refreshOn } from "./testing/drive-key-change.ts";
import { authoriseMessage, KEY_ID, keyIdOf, rosterOf } from "./testing/fixtures.ts";
import { FROST_KEYS } from "./testing/frost-records.ts";
import { exportOn } from "./testing/key-passage.ts";
import { MESSAGE, messageCluster, signMessageOn } from "./testing/message-drive.ts";

const [, , TAPROOT] = FROST_KEYS;
const open = (seed: string): TestCluster => new TestCluster({ seed, size: 3, threshold: 2 });

/** A hostile orchestrator repeats an earlier call for a session. */
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
  /** Signer 1 begins a session with signer 2, which keeps its first message, and restarts with an earlier store. */
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

  test("sends in its new life no message that its peer compares with an earlier one", () => {
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

describe("INV-5 signers that have another life than their status last showed", () => {
  const reborn = (seed: string, size = 3, threshold = 2): TestCluster => {
    const cluster = new TestCluster({ seed, size, threshold });
    for (const node of cluster.nodes.values()) node.resume();
    cluster.rest(20); // peers confirm their stores
    return cluster;
  };
  const done = <Result>(cluster: TestCluster, outcome: Outcome<Result>): void => {
    const fromMs = cluster.world.nowMs();
    cluster.until(() => outcome.isClosed);
    expect([outcome.problem, outcome.result === undefined]).toEqual([undefined, false]);
    expect(cluster.world.nowMs() - fromMs).toBeLessThan(1_000);
  };

  test.each<[string, (cluster: TestCluster) => Outcome<unknown>]>([
    ["sign", signOn],
    ["make a key", (cluster) => generateKeyOn(cluster, keyIdOf(2))],
    ["refresh a key", (cluster) => refreshOn(cluster)],
    ["hand a key out", (cluster) => exportOn(cluster, { keyId: KEY_ID })],
  ])("%s at once: each refusal shows a life, and the next session names it", (name, ask) => {
    const cluster = reborn(name);
    done(cluster, ask(cluster));
  });
});

describe("INV-7 evidence of a run that splits what it binds at other places", () => {
  /** The attempt of an honest session for a Taproot key, and what its signers sent. */
  const honest = (merkleRoot?: Uint8Array) => {
    const cluster = messageCluster({ seed: "split" });
    const authorisation = authoriseMessage(MESSAGE, TAPROOT, undefined, merkleRoot);
    const outcome = signMessageOn(cluster, { key: TAPROOT, authorisation });
    const first = () =>
      cluster
        .node(outcome.calls[0]?.signer ?? 0)
        .state?.sessions.values()
        .next().value;
    cluster.until(() => first() !== undefined);
    const { attempt } = first() ?? expect.fail("it began");
    cluster.rest(300);
    return { attempt, messages: cluster.sent.filter(({ round }) => round > 0) };
  };
  const publicKeyInfo = withScheme(TAPROOT.scheme, (scheme) => {
    const [share = expect.fail("there is one")] = insecureSchemeShares(
      scheme,
      3,
      testParties(5),
      TAPROOT.scheme,
    ).values();
    const info = { ...share.info, keyId: TAPROOT.keyId, epoch: KEY_EPOCH_FIRST };
    return encode(publicKeyInfoCodec(scheme), info);
  });

  test.each([
    ["without a script tree", undefined],
    ["with a script tree", new Uint8Array(32).fill(0x5b)],
  ])("proves nothing against a signer of a Taproot key %s", (_, merkleRoot) => {
    const { attempt, messages } = honest(merkleRoot);
    const [accused = expect.fail("it has parties")] = attempt.parties;
    const tail = Buffer.concat(attempt.agreed.slice(4));
    const splits = Array.from({ length: tail.length }, (_, at) => [tail.subarray(0, at), tail.subarray(at)]);
    const material = { key: publicKeyInfo, auxiliary: new Uint8Array(0), message: MESSAGE, presigning: [] };
    for (const split of [...splits, [tail]]) {
      const agreed = [...attempt.agreed.slice(0, 4), ...split];
      for (const check of ["frost/1 request", "frost/2 z·G = ±(D + ρ·E) + λ·c·S"] as const) {
        const evidence = { attempt: { ...attempt, agreed }, accused, check, messages, material };
        expect(verifyFault(evidence, rosterOf(5)).kind).toBe("unproven");
      }
    }
  });
});
