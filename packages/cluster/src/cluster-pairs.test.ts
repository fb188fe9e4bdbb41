import { ENVELOPE_KIND } from "@conclave/threshold";
import { testParties } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { type Standings, standingOf } from "./coordinator/standings.ts";
import { SharedStandings } from "./interpreter/shared-standings.ts";
import { cheating } from "./testing/cheats.ts";
import { TestCluster } from "./testing/cluster.ts";
import { generateKeyOn, signOn } from "./testing/drive.ts";
import { keyIdOf, transactionOf } from "./testing/fixtures.ts";

const SIZE = 5;
const THRESHOLD = 3;
/** The number of attempts that one liar can make fail without proof against it (coordinator/pairs.ts). */
const FAILED_ATTEMPTS_MAX = SIZE - THRESHOLD + 1;

const expectNobodyAvoided = (health: Standings): void => {
  for (const signer of testParties(SIZE)) {
    expect(standingOf(health, signer)).toMatchObject({ excludedUntilMs: 0, isBlamed: false });
  }
};

describe("a cluster of five with a threshold of three, with real cryptography,", () => {
  test("INV-7 signs in a bounded number of attempts when a liar is silent towards one honest signer, and avoids neither", () => {
    const cluster = new TestCluster({ seed: "silent towards one" });
    const liar = 2;
    let failed = 0;
    const standings = new SharedStandings();
    for (const request of [1, 2, 3]) {
      const outcome = signOn(cluster, {
        request,
        transaction: transactionOf(request),
        seed: `silent towards one ${request}`,
        standings,
      });
      // in each session it chooses one peer to which it sends nothing
      const victim = (): number | undefined =>
        outcome.calls
          .slice(-THRESHOLD)
          .map(({ signer }) => signer)
          .find((signer) => signer !== liar);
      cluster.wire = (transit) => (transit.from === liar && transit.to === victim() ? [] : [transit]);
      cluster.until(() => outcome.isClosed);
      expect(outcome.faults).toEqual([]);
      expectNobodyAvoided(standings.now);
      failed += (outcome.result?.attempts ?? Number.NaN) - 1;
    }
    expect(failed).toBeLessThanOrEqual(FAILED_ATTEMPTS_MAX);
  });

  test("INV-7 blames nobody for a sealed message that does not open, and lets the two sign when only they are left", () => {
    const cluster = new TestCluster({ seed: "sealed nonsense" });
    const [liar, victim] = [2, 4];
    const { direct } = ENVELOPE_KIND;
    cluster.wire = cheating(liar, ({ round, kind }, to) => round === 2 && kind === direct && to === victim);
    const made = generateKeyOn(cluster, keyIdOf(9));
    cluster.until(() => made.isClosed);
    expect(made.problem?.details["reason"]).toMatch(/signer-4 says that signer-2 cheated/);
    expect(made.faults).toEqual([]);
    cluster.wire = (transit) => [transit];
    cluster.kill(3, 5);
    const signed = signOn(cluster);
    cluster.until(() => signed.isClosed);
    expect(signed.result).toMatchObject({ attempts: 1, quorum: [1, 2, 4] });
  });
});
