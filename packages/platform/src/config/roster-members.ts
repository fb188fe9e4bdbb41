import type { RosterMember } from "@conclave/cluster";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import type { Roster } from "./roster.ts";

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

/**
 * The signers of a roster as the cluster's protocols take them, by party index.
 *
 * @throws if an index is no party index, which the roster's schema rules out
 */
export const membersOf = (
  roster: Pick<Roster, "signers" | "change">,
): ReadonlyMap<PartyIndex, RosterMember> =>
  new Map(
    roster.signers.map(({ index, id, identityKey, encryptionKey, importKey }) => {
      const party = partyIndex(index);
      if (party === undefined) throw new Error(`the roster's schema let the index ${index} pass`);
      const member: RosterMember = {
        id,
        identity: bytes(identityKey),
        encryption: bytes(encryptionKey),
        ...(importKey === undefined ? {} : { importKey: bytes(importKey) }),
        ...(roster.change?.leaving.includes(index) === true ? { isLeaving: true } : {}),
      };
      return [party, member];
    }),
  );
