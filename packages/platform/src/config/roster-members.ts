import type { RosterMember } from "@conclave/cluster";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import type { Roster } from "./roster.ts";
import { eventsOf, type RosterEvent } from "./roster-history.ts";

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

type Placed = readonly (readonly [place: number, event: RosterEvent])[];

/** The events since a signer was removed last: of the time before, the roster's signers are not all. */
const sinceRemoval = (roster: Pick<Roster, "renewals" | "changes">): Placed => {
  const events = [...eventsOf(roster).entries()];
  const last = events.findLastIndex(
    ([, event]) => event.kind === "change" && event.change.removed.length > 0,
  );
  return events.slice(last + 1);
};

const historyOf = (events: Placed, index: number) => {
  const earlier = events.flatMap(([place, event]) =>
    event.kind === "renewal" && event.renewal.signer === index
      ? [{ identity: bytes(event.renewal.identityKey), place }]
      : [],
  );
  const joined = events.find(
    ([, event]) => event.kind === "change" && event.change.added.includes(index),
  )?.[0];
  return {
    ...(earlier.length === 0 ? {} : { earlier }),
    ...(joined === undefined ? {} : { joined }),
  };
};

/**
 * The signers of a roster as the cluster's protocols take them, by party index, with the identities that they had before.
 * @throws when an index is no party index, which the roster's schema rules out
 */
export const membersOf = (
  roster: Pick<Roster, "signers" | "renewals" | "changes" | "change">,
): ReadonlyMap<PartyIndex, RosterMember> => {
  const events = sinceRemoval(roster);
  return new Map(
    roster.signers.map(({ index, id, identityKey, encryptionKey, importKey }) => {
      const party = partyIndex(index);
      if (party === undefined) throw new Error(`the roster's schema let the index ${index} pass`);
      const isLeaving = roster.change?.leaving.includes(index) === true;
      const member: RosterMember = {
        id,
        identity: bytes(identityKey),
        encryption: bytes(encryptionKey),
        ...historyOf(events, index),
        ...(importKey === undefined ? {} : { importKey: bytes(importKey) }),
        ...(isLeaving ? { isLeaving } : {}),
      };
      return [party, member];
    }),
  );
};
