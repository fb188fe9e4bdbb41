import type { AttestingCluster } from "@conclave/custody";
import { holdersOf, type Roster } from "./roster.ts";
import { type RosterEvent, type RosterTime, timesOf } from "./roster-history.ts";

/**
 * A period of the roster: the signers that held every key made in it, and the event that ended it; undefined for the
 * current one.
 */
export interface AttestingTime {
  readonly cluster: AttestingCluster;
  readonly ended: RosterEvent | undefined;
}

type Attesting = Pick<Roster, "clusterId" | "threshold" | "signers" | "renewals" | "changes" | "change">;

/**
 * The signers that were leaving in a period that a change ended. They were leaving from its beginning, because the
 * start of a change is a roster event of its own.
 */
const leavingAt = ({ ended }: RosterTime): readonly number[] =>
  ended?.kind === "change"
    ? ended.change.removed.filter(({ reason }) => reason.why === "left").map(({ index }) => index)
    : [];

/**
 * The clusters that may have attested a key, the current one first: for each period, all signers that held the keys
 * made in it.
 */
export const attestingClusters = (roster: Attesting): readonly AttestingTime[] =>
  timesOf(roster).map((time): AttestingTime => {
    const { threshold, signers, ended } = time;
    const leaving = ended === undefined ? (roster.change?.leaving ?? []) : leavingAt(time);
    const held = holdersOf({ signers, change: { leaving } });
    return { cluster: { clusterId: roster.clusterId, threshold, signers: held }, ended };
  });
