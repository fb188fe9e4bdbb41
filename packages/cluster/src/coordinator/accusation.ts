import { type Fault, isSignedBy, type PartyIndex, signedHash } from "@conclave/threshold";
import type { Members } from "./quorum.ts";

/**
 * Whether an accusation has to be taken seriously: it is about a member of the session, and shows something that the
 * accused signed. It does not prove the fault: the check itself takes the reporter's view. An accusation without
 * it is the reporter's own failure, so that nobody can blame an honest signer out of nothing (INV-7). A signer
 * may find itself: somebody else uses its identity key.
 */
export const isGrounded = (roster: Members, parties: readonly PartyIndex[], fault: Fault): boolean => {
  const identity = roster.get(fault.culprit)?.identity;
  if (identity === undefined || !parties.includes(fault.culprit)) return false;
  return fault.evidence.map(signedHash).some(({ header, payloadHash, signature }) => {
    const isByCulprit = header.from === fault.culprit;
    return isByCulprit && isSignedBy(identity, header, payloadHash, signature);
  });
};
