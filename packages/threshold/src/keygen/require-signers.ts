import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare } from "./key-share.ts";

/**
 * Requires that the signers are exactly t holders of the key, ascending and distinct (P10), that this party
 * is among them, and that the share is its own.
 *
 * @throws RangeError otherwise: a bug of the caller, because callers choose a quorum and peers do not
 */
export const requireSigners = <P extends GroupPoint<P>>(
  key: KeyShare<P>,
  self: PartyIndex,
  signers: readonly PartyIndex[],
): void => {
  const { threshold, parties } = key.info;
  if (key.self !== self) throw new RangeError("the share of another party");
  if (signers.length !== threshold) throw new RangeError(`exactly ${threshold} sign, not ${signers.length}`);
  if (!signers.includes(self)) throw new RangeError("self is not among the signers");
  if (!signers.every((signer, at) => at === 0 || signer > (signers[at - 1] ?? signer)))
    throw new RangeError("signers are not ascending and distinct");
  if (!signers.every((signer) => parties.includes(signer)))
    throw new RangeError("a signer holds no share of this key");
};
