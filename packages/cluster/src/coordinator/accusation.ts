import { type Fault, isSignedBy, type PartyIndex, signedHash } from "@conclave/threshold";
import type { Roster } from "./quorum.ts";

/**
 * Whether an accusation has to be taken seriously: it is about another member of the session, and shows something that
 * the accused signed. It does not prove the fault: the check itself takes the reporter's view. An accusation without
 * it is the reporter's own failure, so that nobody can blame an honest signer out of nothing (INV-7).
 */
export const isGrounded = (
  roster: Roster,
  parties: readonly PartyIndex[],
  reporter: PartyIndex,
  fault: Fault,
): boolean => {
  const identity = roster.get(fault.culprit)?.identity;
  if (identity === undefined || fault.culprit === reporter || !parties.includes(fault.culprit)) return false;
  return fault.evidence.map(signedHash).some(({ header, payloadHash, signature }) => {
    const isByCulprit = header.from === fault.culprit;
    return isByCulprit && isSignedBy(identity, header, payloadHash, signature);
  });
};
