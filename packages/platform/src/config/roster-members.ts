import type { RosterMember } from "@conclave/cluster";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { earlierIdentities } from "./identity-renewals.ts";
import type { Roster } from "./roster.ts";

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

/**
 * The signers of a roster as the cluster's protocols take them, by party index, with the identities that they had before.
 * @throws when an index is no party index, which the roster's schema rules out
 */
export const membersOf = (
  roster: Pick<Roster, "signers" | "renewals">,
): ReadonlyMap<PartyIndex, RosterMember> =>
  new Map(
    roster.signers.map(({ index, id, identityKey, encryptionKey, importKey }) => {
      const party = partyIndex(index);
      if (party === undefined) throw new Error(`the roster's schema let the index ${index} pass`);
      const earlier = earlierIdentities(roster, index);
      const keys = {
        identity: bytes(identityKey),
        encryption: bytes(encryptionKey),
        ...(earlier.length === 0 ? {} : { earlier }),
        ...(importKey === undefined ? {} : { importKey: bytes(importKey) }),
      };
      return [party, { id, ...keys }];
    }),
  );
