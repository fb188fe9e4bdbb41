import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { PublicKeyInfo } from "../keygen/key-share.ts";
import type { Secret } from "../secret.ts";
import { evaluateCommitment, type PolynomialCommitment, sumCommitments } from "../sharing/feldman.ts";
import { interpolatePoint } from "../sharing/lagrange.ts";
import { newEpoch, publicShareOf, type RedistributionRun } from "./run.ts";

/** The new epoch after all shares are dealt, before any party has proved or confirmed anything. */
export interface DealtEpoch<P extends GroupPoint<P>> {
  readonly info: PublicKeyInfo<P>;
  /** x'_i; undefined when this party is no receiver */
  readonly secretShare: Secret<bigint> | undefined;
  readonly confirmation: Uint8Array;
}

/**
 * The public part of the new epoch: X'_j = Σ g_i(j)·G, added to X_j in a refresh. Id, scheme, public key and chain code stay
 * the same.
 *
 * @param commitments to the polynomials of all dealers, each of t points
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
 * The reason why no party can accept this info: a share is zero (P9; negligible probability), or the new
 * shares determine another key than before. The latter is impossible when the old info was consistent, but
 * checked nevertheless, because the key would be lost.
 */
export const flawOfNewInfo = <P extends GroupPoint<P>>({
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
