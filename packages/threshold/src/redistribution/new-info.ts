import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { PublicKeyInfo } from "../keygen/key-share.ts";
import { evaluateCommitment, type PolynomialCommitment, sumCommitments } from "../sharing/feldman.ts";
import { interpolatePoint } from "../sharing/lagrange.ts";
import { newEpoch, publicShareOf, type RedistributionRun } from "./run.ts";

/**
 * All that is public of the new epoch: X'_j = Σ g_i(j)·G, added to X_j in a refresh. Name, scheme, key and chain code
 * stay what they are.
 *
 * @param commitments to every dealer's polynomial, each of t points
 */
export const newInfo = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  commitments: readonly PolynomialCommitment<P>[],
): PublicKeyInfo<P> => {
  const { old, receivers, threshold, addsToOld } = run;
  const { curve } = old.scheme;
  const sum = sumCommitments(curve, commitments);
  const publicShares = new Map<PartyIndex, P>();
  for (const receiver of receivers) {
    const dealt = evaluateCommitment(curve, sum, receiver);
    publicShares.set(receiver, addsToOld ? publicShareOf(old, receiver).add(dealt) : dealt);
  }
  return { ...old, threshold, parties: receivers, publicShares, epoch: newEpoch(run) };
};

/**
 * Why nobody can have this: with negligible probability a share is zero (P9). That the new shares give another key
 * than before cannot be while the old info was one key's; it is checked all the same, for what follows is the key.
 */
export const flawOf = <P extends GroupPoint<P>>({
  scheme: { curve },
  threshold,
  publicKey,
  publicShares,
}: PublicKeyInfo<P>): string | undefined => {
  if ([...publicShares.values()].some((share) => share.is0())) return "a public share is the identity";
  const quorum = new Map([...publicShares].slice(0, threshold));
  const isSameKey = interpolatePoint(curve, quorum, 0).equals(publicKey);
  return isSameKey ? undefined : "the new shares are not of the key";
};
