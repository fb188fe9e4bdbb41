import type { RosterMember } from "@conclave/cluster";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import type { Roster } from "../config/index.ts";

/** The roster as coordinators know it. */
export const membersOf = (roster: Pick<Roster, "signers">): ReadonlyMap<PartyIndex, RosterMember> =>
  new Map(
    roster.signers.map(({ index, id, identityKey, encryptionKey, importKey }) => {
      const party = partyIndex(index);
      if (party === undefined) throw new Error(`the roster's index ${index} passed the door`);
      const keys = {
        identity: Buffer.from(identityKey, "hex"),
        encryption: Buffer.from(encryptionKey, "hex"),
        ...(importKey === undefined ? {} : { importKey: Buffer.from(importKey, "hex") }),
      };
      return [party, { id, ...keys }];
    }),
  );
