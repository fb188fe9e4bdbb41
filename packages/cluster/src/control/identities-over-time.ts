import type { IdentityRoster, PartyIndex } from "@conclave/threshold";
import type { RosterMember } from "./roster-member.ts";

/**
 * The identities of a cluster at each time, the ones of today first, then those before the last renewal, and so on. Receipts, certificates and
 * evidence name all identities of their time, so that they verify by one of these alone.
 */
export const identitiesOverTime = (
  roster: ReadonlyMap<PartyIndex, Pick<RosterMember, "identity" | "earlier">>,
): readonly IdentityRoster[] => {
  const ended = [...roster]
    .flatMap(([party, { earlier = [] }]) => earlier.map((each) => ({ party, ...each })))
    .toSorted((one, other) => other.renewal - one.renewal);
  const times: IdentityRoster[] = [roster];
  let then: IdentityRoster = roster;
  for (const { party, identity } of ended) {
    then = new Map(then).set(party, { identity });
    times.push(then);
  }
  return times;
};
