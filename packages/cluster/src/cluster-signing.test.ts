import { ENVELOPE_KIND } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import {
  insecurePartySecrets,
  lieNamed,
  seededEntropy,
  testParty,
  testSessionId,
} from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { FINAL_REPORTS_MS, SIGNING_ATTEMPT_MS } from "./coordinator/limits.ts";
import { badPartial, cheating } from "./testing/cheats.ts";
import { CONFIRMED_MS, TestCluster, type Wire } from "./testing/cluster.ts";
import { signOn } from "./testing/drive.ts";
import { START_MS } from "./testing/fixtures.ts";

/**
 * Signs over a wire that depends on the first quorum and the time. The coordinator's check verifies every signature
 * that counts.
 */
const signOver = (seed: string, wireOf: (quorum: readonly number[], nowMs: () => number) => Wire) => {
  const cluster = new TestCluster({ seed });
  const outcome = signOn(cluster, { seed });
  const quorum = outcome.calls.map(({ signer }) => signer);
  cluster.wire = wireOf(quorum, cluster.world.nowMs);
  cluster.until(() => outcome.isClosed);
  return { cluster, outcome, quorum };
};

const untouched: Wire = (transit) => [transit];

describe("a cluster of five with a threshold of three, with real cryptography,", () => {
  test("signs at the first attempt when nothing goes wrong", () => {
    const { outcome, cluster } = signOver("plain", () => untouched);
    expect(outcome.result?.attempts).toBe(1);
    expect(cluster.ledger.partials).not.toHaveLength(0);
    expect(outcome.faults).toEqual([]);
  });

  test("signs at the first attempt when every message comes twice, late and out of order", () => {
    const chance = seededEntropy("disorder");
    const { outcome } = signOver(
      "disorder",
      () => (transit) => [0, 1].map(() => ({ ...transit, delayMs: 1 + 4 * (chance(1)[0] ?? 0) })),
    );
    expect(outcome.result?.attempts).toBe(1);
    expect(outcome.faults).toEqual([]);
  });

  test("INV-7 after a lost message signs with a fresh session, and blames nobody", () => {
    let lost = 0;
    const { outcome, cluster } = signOver(
      "loss",
      () => (transit) => (transit.envelope.round === 2 && lost++ === 0 ? [] : [transit]),
    );
    expect(outcome.result?.attempts).toBe(2);
    expect(outcome.faults).toEqual([]);
    expect(cluster.world.nowMs() - START_MS).toBeLessThan(SIGNING_ATTEMPT_MS + 2 * FINAL_REPORTS_MS);
  });

  test("signs without a silent peer as soon as the deadline has named it", () => {
    const { outcome, quorum } = signOver(
      "silence",
      ([silent]) =>
        (transit) =>
          transit.from === silent || transit.to === silent ? [] : [transit],
    );
    const [silent] = quorum;
    expect(outcome.result?.attempts).toBe(2);
    expect(outcome.result?.quorum).not.toContain(silent);
    expect(outcome.faults).toEqual([]);
  });

  test("signs within a second when a signer dies in mid-session", () => {
    const cluster = new TestCluster({ seed: "death" });
    const outcome = signOn(cluster);
    const victim = outcome.calls[0]?.signer ?? 0;
    cluster.until(() => cluster.sent.some(({ from, round }) => from === victim && round === 2));
    cluster.kill(victim);
    const diedAtMs = cluster.world.nowMs();
    cluster.until(() => outcome.isClosed);
    expect(outcome.result?.quorum).not.toContain(victim);
    expect(cluster.world.nowMs() - diedAtMs).toBeLessThan(1_000);
  });

  test("INV-5 waits with a reason while too few are live, and signs when they are back", () => {
    const cluster = new TestCluster({ seed: "waiting" });
    cluster.kill(3, 4, 5);
    const outcome = signOn(cluster);
    cluster.rest(60_000);
    expect(outcome.waiting).toEqual([
      "waiting for signers: 2 of the 3 needed are live; signer-3, signer-4, signer-5 do not answer",
    ]);
    cluster.restart(4);
    cluster.until(() => outcome.isClosed);
    expect(outcome.result?.quorum).toEqual([1, 2, 4]);
  });

  test("INV-7 names a signer whose partial signature is wrong, with what it signed, and signs without it", () => {
    const { outcome, quorum } = signOver("sigma", ([, culprit = 0]) => badPartial(culprit));
    const [, culprit] = quorum;
    expect(outcome.faults.map(({ verdict }) => verdict.culprit)).toEqual([culprit]);
    expect(outcome.faults[0]?.evidence.messages).not.toHaveLength(0);
    expect(outcome.result?.quorum).not.toContain(culprit);
  });

  test("INV-7 names a signer that bends its δ and opens nothing, within rounds and not by a deadline, and signs without it", () => {
    const bent = lieNamed("presign/3.delta");
    const lie = bent.ok ? bent.value : expect.fail(bent.reason);
    let bentAtMs = 0;
    const { cluster, outcome, quorum } = signOver("delta", ([, culprit = 0], nowMs) => (transit) => {
      const { identity } = insecurePartySecrets(testParty(culprit));
      const { envelope } = transit;
      // without echoes the cheat does not notice that its peers received another message than it believes it sent
      if (transit.to === culprit && envelope.round === 3 && envelope.kind === ENVELOPE_KIND.echo) return [];
      const said =
        envelope.from === culprit ? lie.bend(envelope, INSECURE_TEST_PARAMETERS, identity) : undefined;
      if (said === undefined) return [transit];
      if (bentAtMs === 0) bentAtMs = nowMs();
      return [{ ...transit, envelope: said }];
    });
    const [, culprit] = quorum;
    expect(new Set(outcome.faults.map(({ verdict }) => verdict.culprit))).toEqual(new Set([culprit]));
    expect(outcome.faults[0]?.verdict.check).toBe("presign/4 δ");
    expect(outcome.result?.quorum).not.toContain(culprit);
    expect(outcome.result?.attempts).toBe(2);
    expect(cluster.world.nowMs() - bentAtMs).toBeLessThan(2_000);
  });

  test("P15 a signer that caught a cheat refuses to sign with it, also after its restart", () => {
    const { cluster, outcome, quorum } = signOver("quarantine", ([, culprit = 0]) => badPartial(culprit));
    const [reporter = 0, culprit] = [outcome.faults[0]?.reporter, quorum[1]];
    const command = outcome.calls[0]?.command;
    if (command?.kind !== "signing") throw new Error("no session was begun");
    cluster.kill(reporter);
    cluster.restart(reporter);
    cluster.rest(CONFIRMED_MS);
    const asked = cluster.call(reporter, (call) => ({
      ...command,
      call,
      session: testSessionId("again"),
      expiresAtMs: cluster.world.nowMs() + SIGNING_ATTEMPT_MS,
    }));
    cluster.rest(100);
    expect(asked.heard).toMatchObject([
      { kind: "refusal", problem: { code: "PeerFault", details: { culprit } } },
    ]);
  });

  test("P12 INV-7 names a signer that tells its peers different things, and signs without it", () => {
    const { outcome, quorum } = signOver("equivocation", ([culprit = 0, victim]) =>
      cheating(
        culprit,
        ({ round, kind }, to) => round === 1 && kind === ENVELOPE_KIND.broadcast && to === victim,
      ),
    );
    const [culprit] = quorum;
    expect(outcome.faults.every(({ verdict }) => verdict.culprit === culprit)).toBe(true);
    expect(outcome.faults).not.toHaveLength(0);
    expect(outcome.result?.quorum).not.toContain(culprit);
  });

  test("INV-2 a signer that is killed at its partial signature refuses the session after its restart", () => {
    const cluster = new TestCluster({ seed: "tombstone" });
    const outcome = signOn(cluster);
    const begun = outcome.calls[0];
    if (begun === undefined) throw new Error("no session was begun");
    const node = cluster.node(begun.signer);
    const hasTombstone = (): boolean =>
      [...node.records.keys()].some((name) => name.startsWith("tombstone/"));
    cluster.until(hasTombstone);
    node.kill();
    cluster.restart(begun.signer);
    const { command, session } = begun;
    if (command.kind !== "signing") throw new Error("another session was begun");
    const replay = cluster.call(begun.signer, (call) => ({
      ...command,
      call,
      session: Buffer.from(session, "hex"),
    }));
    cluster.until(() => replay.heard.length > 0);
    expect(replay.heard).toMatchObject([{ kind: "refusal", problem: { code: "SessionReused" } }]);
    cluster.until(() => outcome.isClosed);
    expect(outcome.result?.attempts).toBe(2);
  });
});
