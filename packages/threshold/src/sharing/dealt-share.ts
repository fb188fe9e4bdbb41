import { decode, scalarCodecOf } from "../codec.ts";
import type { Curve, GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { Inbox } from "../session/round.ts";
import { accuse, type FaultStep } from "../session/steps.ts";
import { isShareOf, type PolynomialCommitment } from "./feldman.ts";

/** A share that a dealer sent to one party in round 2, and that was found on its committed polynomial. */
interface DealtShare {
  /** f_j at the receiver's index */
  readonly share: bigint;
}

/**
 * Reads the share that a dealer sent to this party alone in round 2, and checks it against the dealer's
 * commitment (Feldman).
 *
 * @param protocol prefix of the names of checks, such as "keygen"
 * @param commitment to the whole polynomial of the dealer
 * @returns the share; or the dealer's fault, when the share does not decode or is not on the polynomial
 */
export const readDealtShare = <P extends GroupPoint<P>>(
  protocol: string,
  curve: Curve<P>,
  commitment: PolynomialCommitment<P>,
  { from, to }: { readonly from: PartyIndex; readonly to: PartyIndex },
  inbox: Inbox,
): DealtShare | FaultStep => {
  const share = decode(scalarCodecOf(curve), inbox.direct(from));
  if (!share.ok) return accuse(from, `${protocol}/2 decoding of the share: ${share.reason}`);
  return isShareOf(curve, commitment, to, share.value)
    ? { share: share.value }
    : accuse(from, `${protocol}/2 Feldman check of the share`);
};
