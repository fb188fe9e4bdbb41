import type { IdentityRoster, PartyIndex } from "@conclave/threshold";
import type { RosterMember } from "./roster-member.ts";

/**
 * The identities of a cluster at each time, the ones of today first, then those before the last renewal or arrival, and so on. Receipts,
 * certificates and evidence name all identities of their time, so that they verify by one of these alone.
 */
export const identitiesOverTime = (
  roster: ReadonlyMap<PartyIndex, Pick<RosterMember, "identity" | "earlier" | "joined">>,
): readonly IdentityRoster[] => {
  const members = [...roster];
  const places = members.flatMap(([, { earlier = [], joined }]) => [
    ...earlier.map(({ place }) => place),
    ...(joined === undefined ? [] : [joined]),
  ]);
  const times: IdentityRoster[] = [roster];
  let then: IdentityRoster = roster;
  for (const place of new Set(places.toSorted((one, other) => other - one))) {
    const before = new Map(then);
    for (const [party, { earlier = [], joined }] of members) {
      const ended = earlier.find((each) => each.place === place);
      if (ended !== undefined) before.set(party, { identity: ended.identity });
      if (joined === place) before.delete(party);
    }
    then = before;
    times.push(then);
  }
  return times;
};
