import { describe, expect, it } from "vitest";
import { attestingClusters } from "./attesting-clusters.ts";
import { lowestThreshold, type Roster } from "./roster.ts";
import type { RosterChange } from "./roster-changes.ts";
import { leastSigned } from "./roster-history.ts";

const identity = (digit: number): string => String(digit).repeat(64);
const bare = (index: number) => ({
  index,
  id: `signer-${index}`,
  address: `127.0.0.1:${9_000 + index}`,
  identityKey: identity(index),
  encryptionKey: identity(index),
});
const entry = (
  date: string,
  threshold: number,
  added: readonly number[],
  left: readonly number[],
): RosterChange => ({
  renewals: 0,
  threshold,
  added: [...added],
  removed: left.map((index) => ({
    index,
    id: `signer-${index}`,
    identityKey: identity(index),
    reason: { why: "left" },
  })),
  date,
  signature: "",
});
const rosterOf = (
  threshold: number,
  signers: readonly number[],
  changes: RosterChange[],
  change?: { threshold: number; leaving: number[] },
): Roster => ({
  clusterId: "test",
  parameters: "INSECURE-TEST",
  threshold,
  authorityKey: identity(9),
  signers: signers.map(bare),
  changes,
  ...(change === undefined ? {} : { change }),
});

const LONG_AGO = "2026-01-01T00:00:00.000Z";
const LATELY = "2026-10-31T12:00:00.000Z";
const NOW_MS = Date.parse("2026-11-01T00:00:00.000Z");
const SINCE_MS = NOW_MS - 24 * 60 * 60_000;

describe("INV-4 the signers that signed at least", () => {
  it("are as few as the threshold of a key that a long change has not moved yet", () => {
    const changes = [entry(LONG_AGO, 2, [], [])];
    const underWay = rosterOf(4, [1, 2, 3, 4, 5], changes, { threshold: 2, leaving: [] });
    expect(
      leastSigned(underWay, { anyMs: SINCE_MS, thisMs: NOW_MS }, lowestThreshold(underWay)),
    ).toBeLessThanOrEqual(2);
  });

  it("are fewer by each that left or has a new identity since the request", () => {
    const renewal = { signer: 2, identityKey: identity(8), date: LATELY, signature: "" };
    const left = [{ ...entry(LATELY, 3, [6], [7]), renewals: 1 }];
    const renewedAlone: Roster = { ...rosterOf(3, [1, 2, 3, 4, 5], []), renewals: [renewal] };
    const both: Roster = { ...rosterOf(3, [1, 2, 3, 4, 5, 6], left), renewals: [renewal] };
    const least = (roster: Roster, thisMs: number, anyMs = SINCE_MS) =>
      leastSigned(roster, { anyMs, thisMs }, lowestThreshold(roster));
    expect([least(renewedAlone, SINCE_MS), least(both, SINCE_MS)]).toEqual([2, 1]);
    // a change has only the date of its beginning, so `anyMs` decides
    expect([least(renewedAlone, NOW_MS), least(both, NOW_MS)]).toEqual([3, 2]);
    expect([least(renewedAlone, NOW_MS, NOW_MS), least(both, NOW_MS, NOW_MS)]).toEqual([3, 3]);
  });
});

const shown = (roster: Roster) =>
  attestingClusters(roster).map(({ cluster }) => cluster.signers.map(({ index }) => index).join());

describe("the clusters that may have attested a key", () => {
  it("have none that never held a key: two signers of today prove no key of their own making", () => {
    // first 1, 2 and 3 (2 of 3); then 4 and 5 joined, 3 was leaving, and 3 of 4 signed; then 3 had left
    const today = rosterOf(3, [1, 2, 4, 5], [entry(LONG_AGO, 2, [4, 5], []), entry(LONG_AGO, 3, [], [3])]);
    expect(shown(today)).not.toContain("1,2");
  });
});
