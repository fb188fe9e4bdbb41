import {
  type Attempt,
  attemptSession,
  ENVELOPE_KIND,
  type Envelope,
  type Evidence,
  NO_MATERIAL,
  type PartyIndex,
  verifyFault,
} from "@conclave/threshold";
import { insecurePartySecrets, signEnvelope, testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { SessionReport } from "./control/report.ts";
import { sessionKey } from "./control/session-key.ts";
import { type Finding, judgeAccusation } from "./coordinator/accusation.ts";
import { badPartial } from "./testing/cheats.ts";
import { TestCluster } from "./testing/cluster.ts";
import { signOn } from "./testing/drive.ts";
import { rosterOf, transactionOf } from "./testing/fixtures.ts";

const LIARS = [1, 2];
const isLiar = (signer: number): boolean => LIARS.includes(signer);

/** The values from which a session's run id is derived, from the state of one of its signers. */
const attemptAt = (cluster: TestCluster, signer: PartyIndex): Attempt => {
  const [session] = cluster.node(signer).state?.sessions.values() ?? [];
  return session?.attempt ?? expect.fail(`signer ${signer} is in no session`);
};

/** The attempt of an earlier session of the same signers. */
const longAgo = (attempt: Attempt): Attempt => ({
  ...attempt,
  given: testSessionId("long ago"),
  expiresAtMs: 1,
});

/** Two different messages of an honest signer for one round, really signed by it, in the earlier session. */
const oldWords = (attempt: Attempt, of: PartyIndex): readonly Envelope[] => {
  const session = attemptSession(longAgo(attempt), rosterOf(5)) ?? expect.fail("all are in the roster");
  const header = { session, round: 1, kind: ENVELOPE_KIND.broadcast, from: of, to: 0 };
  const { identity } = insecurePartySecrets(of);
  return [1, 2].map((byte) => signEnvelope(header, Uint8Array.of(byte), identity));
};

/** Both liars accuse an honest signer of their quorum whatever they are asked. */
const lying = (cluster: TestCluster, claimed: (attempt: Attempt) => Attempt): void => {
  cluster.speak = (signer: PartyIndex, report: SessionReport): SessionReport => {
    if (!isLiar(signer) || report.kind === "fault") return report;
    const attempt = attemptAt(cluster, signer);
    const accused = attempt.parties.find((party) => !isLiar(party)) ?? expect.fail("one of three is honest");
    const check = "round 1: two different messages for one place";
    const messages = oldWords(attempt, accused);
    const evidence: Evidence = { attempt: claimed(attempt), accused, check, messages, material: NO_MATERIAL };
    return { kind: "fault", evidence };
  };
};

describe("two liars that show bytes which honest signers signed in another session (INV-7)", () => {
  test.each<readonly [string, (attempt: Attempt) => Attempt]>([
    ["under the id of this session", (attempt) => attempt],
    ["under the id of their own session", longAgo],
  ])("INV-7 old bytes %s blame nobody, and signing goes on", (_, claimed) => {
    const cluster = new TestCluster({ seed: "old bytes", engine: "tiny" });
    lying(cluster, claimed);
    for (const request of [1, 2, 3, 4]) {
      const unsigned = transactionOf(request);
      const outcome = signOn(cluster, {
        request,
        transaction: unsigned,
        seed: `lies/${request}`,
        isTiny: true,
      });
      cluster.until(() => outcome.isClosed);
      expect(outcome.faults).toEqual([]);
      expect(outcome.result?.quorum).toEqual([3, 4, 5]);
    }
  });

  test("INV-7 the same bytes in the session in which they were signed convict their signer", () => {
    const cluster = new TestCluster({ seed: "in their place", engine: "tiny" });
    const outcome = signOn(cluster, { isTiny: true });
    cluster.until(() => cluster.node(outcome.calls[0]?.signer ?? 0).state?.sessions.size === 1);
    const attempt = longAgo(attemptAt(cluster, outcome.calls[0]?.signer ?? expect.fail("a quorum")));
    const [accused = expect.fail("a quorum"), reporter = expect.fail("a quorum")] = attempt.parties;
    const check = "round 1: two different messages for one place";
    const messages = oldWords(attempt, accused);
    const evidence: Evidence = { attempt, accused, check, messages, material: NO_MATERIAL };
    const key = sessionKey(attempt.given) ?? expect.fail("32 bytes");
    const begun = { key, expiresAtMs: attempt.expiresAtMs, parties: attempt.parties };
    expect(judgeAccusation(rosterOf(5), begun, reporter, evidence).kind).toBe("proven");
  });
});

/** A real fault: its evidence, and the session that the coordinator began. */
const realFault = () => {
  const cluster = new TestCluster({ seed: "sigma again" });
  const outcome = signOn(cluster);
  const [, culprit = 0] = outcome.calls.map(({ signer }) => signer);
  cluster.wire = badPartial(culprit);
  cluster.until(() => outcome.isClosed);
  const [found = expect.fail("the cheat is named")] = outcome.faults;
  const { key, given } = { key: outcome.calls[0]?.session, given: found.evidence.attempt };
  if (key === undefined) throw new Error("a session began");
  const begun = { key, expiresAtMs: given.expiresAtMs, parties: given.parties };
  return { ...found, begun, culprit };
};

describe("evidence of a wrong partial signature", () => {
  const { evidence, reporter, begun, culprit } = realFault();
  const roster = rosterOf(5);
  const judged = (change: Partial<Evidence>): Finding["kind"] =>
    judgeAccusation(roster, begun, reporter, { ...evidence, ...change }).kind;

  test("INV-7 convinces anybody who has the roster", () => {
    expect(verifyFault(evidence, roster)).toMatchObject({ kind: "proven", culprit });
    expect(judged({})).toBe("proven");
  });

  test("INV-7 convinces nobody once it is of another session, of nobody's bytes, or about somebody else", () => {
    expect(judged({ messages: [] })).toBe("groundless");
    expect(judged({ attempt: { ...evidence.attempt, expiresAtMs: 1 } })).toBe("groundless");
    expect(judged({ attempt: { ...evidence.attempt, given: new Uint8Array(32) } })).toBe("groundless");
    expect(judged({ accused: reporter })).toBe("groundless");
    expect(judged({ check: "sign/1 decoding: message ends too early" })).toBe("groundless");
  });

  test("INV-7 any non-empty evidence is not enough: another honest message of the accused proves nothing", () => {
    const honest = evidence.material.presigning.filter(
      (message) => "payload" in message && message.from === culprit,
    );
    expect(honest).not.toHaveLength(0);
    expect(judged({ messages: honest })).toBe("groundless");
    expect(judged({ material: NO_MATERIAL })).toBe("groundless");
  });

  test("INV-7 a fault that only one party can see sets two apart and blames neither", () => {
    const [other = expect.fail("there is another")] = begun.parties.filter((party) => party !== reporter);
    const sealed = { check: "round 2: sealed message does not open", accused: other };
    expect(judgeAccusation(roster, begun, reporter, { ...evidence, ...sealed })).toEqual({
      kind: "between-two",
      accused: other,
    });
  });
});
