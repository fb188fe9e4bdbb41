import type { AttestingCluster } from "@conclave/custody";
import { holdersOf, type Roster } from "./roster.ts";
import { type RosterEvent, type RosterTime, timesOf } from "./roster-history.ts";

/** The signers that held each key which was made at a time, and the event that ended it; none of today. */
export interface AttestingTime {
  readonly cluster: AttestingCluster;
  readonly ended: RosterEvent | undefined;
}

type Attesting = Pick<Roster, "clusterId" | "threshold" | "signers" | "renewals" | "changes" | "change">;

/** The signers that were leaving when a time ended: since its beginning, for a change begins with an event of its own. */
const leavingAt = ({ ended }: RosterTime): readonly number[] =>
  ended?.kind === "change"
    ? ended.change.removed.filter(({ reason }) => reason.why === "left").map(({ index }) => index)
    : [];

/** The clusters that may have attested a key, today's first: all signers that held the keys which were made at one time. */
export const attestingClusters = (roster: Attesting): readonly AttestingTime[] =>
  timesOf(roster).map((time): AttestingTime => {
    const { threshold, signers, ended } = time;
    const leaving = ended === undefined ? (roster.change?.leaving ?? []) : leavingAt(time);
    const held = holdersOf({ signers, change: { leaving } });
    return { cluster: { clusterId: roster.clusterId, threshold, signers: held }, ended };
  });
