import type { AttestingCluster } from "@conclave/custody";
import { holdersOf, type Roster } from "./roster.ts";
import { type PastSigner, type RosterEvent, type RosterTime, timesOf } from "./roster-history.ts";

/** The signers that held each key which was made at a time, and the event that ended it; none of today. */
export interface AttestingTime {
  readonly cluster: AttestingCluster;
  readonly ended: RosterEvent | undefined;
}

type Attesting = Pick<Roster, "clusterId" | "threshold" | "signers" | "renewals" | "changes" | "change">;

/** Signers that left, so that they held no new key in the end of their time. */
const leftOf = (times: readonly RosterTime[]): ReadonlySet<number> =>
  new Set(
    times.flatMap(({ ended }) =>
      ended?.kind === "change"
        ? ended.change.removed.filter(({ reason }) => reason.why === "left").map(({ index }) => index)
        : [],
    ),
  );

/**
 * The clusters that may have attested a key, today's first: all signers that held new keys at one time. Of a time at which signers
 * were leaving there are two, with and without them.
 */
export const attestingClusters = (roster: Attesting): readonly AttestingTime[] => {
  const { clusterId } = roster;
  const times = timesOf(roster);
  const left = leftOf(times);
  return times.flatMap(({ threshold, signers, ended }): readonly AttestingTime[] => {
    const all = ended === undefined ? holdersOf({ signers, change: roster.change }) : signers;
    const stayed = all.filter(({ index }) => !left.has(index));
    const of = (members: readonly PastSigner[]): AttestingTime => ({
      cluster: { clusterId, threshold, signers: members },
      ended,
    });
    return stayed.length === all.length || stayed.length < threshold ? [of(all)] : [of(all), of(stayed)];
  });
};
